// Vectors of numbers that one part of a step needs and the others do not, such as the sums of the
// certificate, the search for missed contacts and the next state: they take turns with the same
// memory, 200 bytes a body less. Every thread has vectors to lend.
#pragma once

#include <cstddef>
#include <vector>

namespace stickslip {

/// Lends a vector memory for so many numbers, whose values mean nothing, for as long as this lives.
/// That is an allocation only if none is left that was large enough before.
class Loan {
 public:
  Loan(std::vector<double>& to, std::size_t size);
  ~Loan();
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  std::vector<double>& to_;
};

}  // namespace stickslip
