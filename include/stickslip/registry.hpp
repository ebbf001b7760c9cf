// Solvers and schemes by name: those of this library, and those that a program adds.
//
//   registerSolver({.name = "jacobi", .traits = {...}, .make = [](const Method& method) {
//                     return std::make_unique<JacobiSolver>(method); }});
//   Stepper stepper({system, {.solver = "jacobi"}});      // and "solver": "jacobi" in a scene file
//
// Any thread may register and look up at any time. What is registered stays as long as the program
// runs; names are given once. Examples: examples/own_solver.cpp, examples/own_scheme.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/method.hpp"
#include "stickslip/traits.hpp"

namespace stickslip {

class Scheme;
class Solver;

/// A row of the table of solvers.
struct SolverEntry {
  std::string name;
  std::vector<std::string> aliases{};  ///< other names that are understood
  SolverTraits traits{};
  /// Makes one. Called on any thread.
  std::function<std::unique_ptr<Solver>(const Method&)> make{};
};

/// A row of the table of schemes.
struct SchemeEntry {
  std::string name;
  std::vector<std::string> aliases{};
  SchemeTraits traits{};
  /// Makes one, to be used with a solver that has these traits. Called on any thread.
  std::function<std::unique_ptr<Scheme>(const Method&, const SolverTraits&)> make{};
};

/// Adds a row. Throws InputError if it has no name or cannot make anything, or if a name is taken.
void registerSolver(SolverEntry entry);
void registerScheme(SchemeEntry entry);

/// All names that Method::solver and Method::scheme may have: those of the library in the order of
/// its tables, then registered ones, then aliases.
std::vector<std::string_view> solverNames();
std::vector<std::string_view> schemeNames();

/// True if there is one of this name.
bool isSolver(std::string_view name);
bool isScheme(std::string_view name);

/// Throw InputError, with the names that are known, if there is none of this name.
SolverTraits solverTraits(std::string_view name);
SchemeTraits schemeTraits(std::string_view name);

}  // namespace stickslip
