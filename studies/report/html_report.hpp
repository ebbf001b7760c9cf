// One page of HTML with everything in it: no script, nothing from elsewhere, readable on a phone.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/blocks.hpp"

namespace stickslip {

struct ReportSection {
  std::string anchor;  ///< of links to it; letters, digits, -
  std::string title;
  std::string verdict;  ///< a word or two, shown beside the title; may be empty
  std::string text;
  std::vector<std::pair<std::string, std::string>> facts;  ///< names and values, in order
  std::string figures;                                     ///< as htmlOf makes them
  std::string command;                                     ///< that makes this section
  double seconds = 0;                                      ///< wall time; 0: not shown
};

/// Tables and figures with their captions.
std::string htmlOf(std::span<const Block> blocks);

std::string htmlPage(const std::string& title, const std::string& introduction,
                     std::span<const ReportSection> sections);

}  // namespace stickslip
