// The set K of impulses that a contact can give, and those of all contacts of a problem.
//
// Friction in space is in p_n D, D a convex set about zero ([ST00] 3.1): an ellipse, or the hull of
// corners. The law u_n + max over D of (-d.u_t), of which all solvers are made, asks nothing else
// of D: corners need not come in pairs, and there may be any number of them from 3 on.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "stickslip/friction_directions.hpp"

namespace stickslip {

/// The set K of impulses that one contact, joint limit or motor can give. Its rows are those of a
/// contact: the normal, the tangents, then the spin about the normal if there is torsional
/// friction, then the angular velocities about the tangents if there is rolling friction. Impulses
/// of the angular rows are moments times time.
struct ImpulseSet {
  enum class Kind {
    frictionless,  ///< p_n >= 0; one row
    planar,        ///< |p_t| <= mu p_n with one tangent; two rows
    elliptic,      ///< (p_1/mu)^2 + (p_2/mu_2)^2 <= p_n^2; three rows; circular if mu = mu_2
    /// p_t in p_n D, D the polygon with the corners (mu cos a_k, mu_2 sin a_k),
    /// a_k = 2 pi k / directions; three rows ([AP97] (2.5)). If mu or mu_2 is 0, D is the segment
    /// from
    /// - to + of how far it reaches along the other axis. Or D is the hull of `given`.
    polyhedral,
    interval,  ///< lower <= p <= upper, any velocity that p cannot stop; one row, no cone
  };
  static constexpr int kMostRows = 6;

  Kind kind = Kind::frictionless;
  double mu = 0;
  double mu_2 = 0;
  int directions = 0;  ///< polyhedral: corners, >= 3; with `given`, those of rolling alone
  double lower = 0;    ///< interval: lower <= 0 <= upper
  double upper = 0;

  /// Torsional friction (soft finger, [ST00] 3.1), a length; with two tangents only. Where it is >
  /// 0 there is a row of spin, whose moment m shares the cone with the tangents: elliptic
  /// (p_1/mu)^2 + (p_2/mu_2)^2 + (m/torsion)^2 <= p_n^2; polyhedral: D has the corners (0,
  /// +-torsion) more.
  double torsion = 0;
  /// Rolling friction, a length. Where it is > 0 there are as many rows of rolling as tangents,
  /// whose moments are in a set of their own, |m_r| <= rolling p_n; polyhedral: in the polygon with
  /// the corners rolling (cos a_k, sin a_k).
  double rolling = 0;
  /// Friction that does not depend on the load ([GS05] section 6): mu and mu_2 are impulses, and
  /// p_t is in the set with p_n = 1, whatever p_n is. Torsion then has a set of its own, |m| <=
  /// torsion p_n.
  bool load_independent = false;
  /// Polyhedral: the corners of D, if a user gives them, without units. Tangents count by mu and
  /// mu_2, spin by torsion, rolling by its length, all of them > 0 as far as the directions have
  /// them. Directions that roll share D with the tangents: there is no set of rolling then. If
  /// there is torsion they spin, or do not depend on the load.
  FrictionDirections::Pointer given{};

  /// Rolling moments are in a set of their own.
  bool rollsApart() const { return rollingRows() > 0 && !(given && given->rolls()); }
  int tangents() const {
    if (kind == Kind::planar) return 1;
    return kind == Kind::elliptic || kind == Kind::polyhedral ? 2 : 0;
  }
  int spinRows() const { return torsion > 0 && tangents() == 2 ? 1 : 0; }
  int rollingRows() const { return rolling > 0 ? tangents() : 0; }
  /// Rows from here on are angular.
  int linearRows() const { return 1 + tangents(); }
  int dimension() const { return linearRows() + spinRows() + rollingRows(); }

  bool operator==(const ImpulseSet&) const = default;
};

/// The sets of all contacts: a few kinds, which many contacts share.
class ImpulseSets {
 public:
  class Iterator;

  ImpulseSets() = default;
  ImpulseSets(std::initializer_list<ImpulseSet> sets);

  std::size_t size() const { return kind_of_.size(); }
  bool empty() const { return kind_of_.empty(); }
  const ImpulseSet& operator[](std::size_t i) const { return kinds_[kind_of_[i]]; }
  const ImpulseSet& back() const { return (*this)[size() - 1]; }
  Iterator begin() const;
  Iterator end() const;

  void clear();
  /// Makes room for so many contacts.
  void reserve(std::size_t contacts) { kind_of_.reserve(contacts); }
  void push_back(const ImpulseSet& set);
  /// Keeps the first `contacts`.
  void shrink(std::size_t contacts) { kind_of_.resize(contacts); }
  /// The set of contact i, which from now on it has for itself, to be changed.
  ImpulseSet& own(std::size_t i);
  /// Calls change(set) for every kind.
  template <class Change>
  void changeAll(Change change) {
    for (ImpulseSet& kind : kinds_) change(kind);
  }
  /// Takes away the contacts that are marked.
  void drop(std::span<const char> marked);

  /// Starts again, with these kinds and so many contacts, of which each is then told its kind, on
  /// any thread.
  void start(std::span<const ImpulseSet> kinds, std::size_t contacts);
  void setKind(std::size_t i, int kind) { kind_of_[i] = kind; }

 private:
  std::vector<ImpulseSet> kinds_;
  std::vector<char> is_own_;  ///< one a kind: a single contact has it
  std::vector<int> kind_of_;  ///< one a contact
};

class ImpulseSets::Iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = ImpulseSet;
  using difference_type = std::ptrdiff_t;
  using pointer = const ImpulseSet*;
  using reference = const ImpulseSet&;

  Iterator() = default;
  Iterator(const ImpulseSets& sets, std::size_t i) : sets_(&sets), i_(i) {}

  reference operator*() const { return (*sets_)[i_]; }
  pointer operator->() const { return &(*sets_)[i_]; }
  Iterator& operator++() {
    ++i_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++i_;
    return before;
  }
  bool operator==(const Iterator& other) const { return i_ == other.i_; }

 private:
  const ImpulseSets* sets_ = nullptr;
  std::size_t i_ = 0;
};

inline ImpulseSets::Iterator ImpulseSets::begin() const {
  return {*this, 0};
}
inline ImpulseSets::Iterator ImpulseSets::end() const {
  return {*this, size()};
}

}  // namespace stickslip
