// Runs experiments in processes of their own and gathers what they say: numbers for programs, a
// page for readers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "papers/experiment.hpp"

namespace stickslip {

struct Reproduction {
  const Experiment* experiment = nullptr;
  bool finished = false;  ///< false if it failed; `failure` says how
  std::string failure;
  double seconds = 0;
  Json numbers;         ///< name, verdict, why, parameters, rows, ...
  std::string tables;   ///< for a terminal
  std::string figures;  ///< HTML
};

/// Called when an experiment ends; `done` have ended by then.
using ReproductionObserver = std::function<void(const Reproduction&, std::size_t done)>;

std::vector<Reproduction> reproduce(std::span<const Experiment* const> chosen, const Effort& effort,
                                    int at_once, const ReproductionObserver& observer = {});

/// One self-contained page.
std::string reportPage(std::span<const Reproduction> reproductions, const Effort& effort);

}  // namespace stickslip
