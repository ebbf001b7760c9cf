// Items of a contact problem solved one by one while the others are held: what sweeps are made of.
// Coulomb's cones exactly (single_contact.hpp), bounded rows and joints in closed form, the rest by
// a few projected steps
//
//   pi <- P_K(pi - omega_hat / trace),   omega = A pi + b,
//
// which are slow, but cannot grow.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_law.hpp"
#include "solvers/single_contact.hpp"

namespace stickslip {

class ItemSolves {
 public:
  void reserve(int items, int rows);
  void clear();
  /// The next item, with its block A of W, row-major; returns its index.
  int add(const ContactItem& item, ConstMatrixView A);
  /// The block of an item.
  ConstMatrixView block(int index) const;
  /// `pi` is the old value on entry.
  void solve(int index, const ContactItem& item, Law law, std::span<const double> b,
             std::span<double> pi) const;

 private:
  void projectedSteps(int index, const ContactItem& item, Law law, std::span<const double> b,
                      std::span<double> pi) const;

  std::vector<SingleContact> contacts_;
  std::vector<double> blocks_;
  std::vector<std::size_t> first_;
  std::vector<int> rows_;
};

}  // namespace stickslip
