// A system whose functions are written in Python: stickslip.System.
//
// Each function of Python gives all contacts or all joints at once, and is called once for each
// configuration that the engine asks about, however often and in whatever order it asks. Nothing is
// kept from one call of the user to the next.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "callbacks.hpp"
#include "stickslip/generalized_system.hpp"

namespace stickslip::python {

class PythonSystem final : public GeneralizedSystem, public PythonPart {
 public:
  /// What there may be of functions; each is one of Python, or an array if it never changes.
  enum Function {
    kMass,
    kForces,
    kGaps,
    kNormals,
    kTangents,
    kSecondTangents,
    kDrives,
    kJointGaps,
    kJointDirections,
    kJointDrives,
    kPotentialEnergy,
    kFunctions,
  };
  static constexpr std::array<const char*, kFunctions> kNames{
      "mass",         "forces",          "gaps",
      "normals",      "tangents",        "second_tangents",
      "drives",       "joint_gaps",      "joint_directions",
      "joint_drives", "potential_energy"};

  /// Of a stickslip.System, which has checked its names and laws.
  static std::shared_ptr<PythonSystem> make(const nb::object& system);
  /// The same once more: each simulation has its own.
  std::shared_ptr<PythonSystem> again() const;

  void askAgain() override { is_somewhere_ = false; }

  int contactCount() const override { return static_cast<int>(about_->contacts.size()); }
  int jointCount() const override { return static_cast<int>(about_->joints.size()); }
  bool massIsConstant() const override { return isConstant(kMass); }
  void generalizedMass(double t, std::span<const double> q, MatrixView M) const override;
  void generalizedForces(double t, std::span<const double> q, std::span<const double> u,
                         std::span<double> h) const override;
  ContactLaw contactLaw(int i) const override { return about_->contacts[i]; }
  double gap(int i, double t, std::span<const double> q) const override;
  double normalDirection(int i, double t, std::span<const double> q,
                         std::span<double> w) const override;
  double tangentDirection(int i, double t, std::span<const double> q,
                          std::span<double> w) const override;
  double secondTangentDirection(int i, double t, std::span<const double> q,
                                std::span<double> w) const override;
  JointLaw jointLaw(int j) const override { return about_->joints[j]; }
  double jointGap(int j, double t, std::span<const double> q) const override;
  double jointDirection(int j, double t, std::span<const double> q,
                        std::span<double> w) const override;
  double potentialEnergy(double t, std::span<const double> q) const override;
  std::string coordinateName(int i) const override { return about_->coordinates[i]; }
  std::string contactName(std::uint64_t i) const override { return about_->contact_names[i]; }

 private:
  struct About {
    std::string name;
    std::vector<std::string> coordinates, contact_names;
    std::vector<ContactLaw> contacts;
    std::vector<JointLaw> joints;
    std::size_t most_tangents = 1;
  };
  /// What one function gave, where it was last asked.
  struct Answer {
    enum class Source { none, array, function };
    Source source = Source::none;
    bool known = false;  ///< for the place at hand
    std::vector<double> values;
  };

  PythonSystem(std::shared_ptr<const About> about, int coordinates);
  static std::shared_ptr<const About> read(const nb::object& system);

  bool isConstant(Function f) const { return answers_[f].source == Answer::Source::array; }
  CallName nameOf(Function f) const { return {about_->name, kNames[f]}; }
  void find(const nb::object& system);
  void require(Function f, const char* who);
  std::size_t width(Function f) const;
  void take(Function f, nb::handle from) const;
  void check(Function f) const;
  bool isAt(double t, std::span<const double> q) const;
  void goTo(double t, std::span<const double> q) const;
  void ask(Function f, double t, std::span<const double> q, std::span<const double> u) const;
  /// All numbers of a function at a place.
  std::span<const double> at(Function f, double t, std::span<const double> q) const;
  double row(Function f, int i, int drive, double t, std::span<const double> q,
             std::span<double> w) const;

  std::shared_ptr<const About> about_;
  // The engine calls from one thread: what follows is a workspace.
  mutable std::array<Answer, kFunctions> answers_;
  mutable bool is_somewhere_ = false;
  mutable bool is_asked_ = false;  ///< a function is under way
  mutable double t_ = 0;
  mutable std::vector<double> q_;
  mutable std::vector<double> factor_;
};

}  // namespace stickslip::python
