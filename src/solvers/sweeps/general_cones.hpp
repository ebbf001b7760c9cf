// All that is not in a packet: joints, motors and limits, polygons, friction with torsion or
// rolling or that does not depend on the load, and systems in generalized coordinates. One after
// the other, each solved while the others are held (solvers/item_solves.hpp), in the velocities of
// velocity_slots.hpp.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cones/cone_layout.hpp"
#include "cones/single_contact.hpp"
#include "solvers/sweeps/velocity_slots.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

class GeneralCones {
 public:
  void reserve(int contacts, int joint_rows);
  /// Takes these contacts and all joints, with the impulses p and c to start from.
  void build(const ContactProblem& problem, const VelocitySlots& slots,
             std::span<const int> contacts, std::span<const double> p, std::span<const double> c);

  bool isEmpty() const { return cones_.empty(); }

  // As in PacketSweeps, but one sweep at a time.
  double largestVelocity(const double* w) const;
  void push(double* w) const;
  double sweep(Law law, double* w);
  void impulses(std::span<double> p, std::span<double> c) const;

 private:
  struct Item {
    Cone law;
    std::size_t first_strip = 0;
    std::size_t strips = 0;
  };
  /// `rows` x `columns` numbers over one block.
  struct Strip {
    int slot = 0;
    int columns = 0;
    std::size_t first_value = 0;
  };
  /// Where a row comes from: p = factor pi.
  struct Row {
    int source = 0;
    bool joint = false;
    double factor = 1;
    double b = 0;
    double compliance = 0;
  };

  void addPart(const ContactProblem& problem, const VelocitySlots& slots, int contact,
               const ConeLayout& part, std::span<const double> p);
  void addJointRow(const ContactProblem& problem, const VelocitySlots& slots, int joint, int k,
                   std::span<const double> c);
  void addStrips(const VelocitySlots& slots, const BlockRows& rows, int group,
                 std::span<const int> kept, std::span<const double> factors);
  void finishItem();
  void velocities(const Item& cone, const double* w, std::span<double> u) const;
  void add(const Item& cone, std::span<const double> pi, double* w) const;
  double solveItem(std::size_t index, Law law, double* w);

  std::vector<Item> cones_;
  std::vector<Strip> strips_;
  std::vector<double> values_;
  std::vector<Row> rows_;
  std::vector<double> pi_;
  ConeSolves solves_;
};

}  // namespace stickslip
