#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "io/files/output_file.hpp"
#include "scene/json/input_file.hpp"
#include "solved_contacts.hpp"
#include "stage_report.hpp"
#include "status_text.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/matrix_market.hpp"

namespace stickslip::cli {
namespace {

std::string asJson(const SolvedContacts& solved, bool traced) {
  const Certificate& c = solved.certificate;
  nlohmann::ordered_json json{
      {"kind", toString(solved.kind)}, {"size", solved.size}, {"contacts", solved.contacts}};
  if (solved.kind != ProblemKind::fclib_local) {
    json["velocities"] = solved.velocities;
    json["joint_rows"] = solved.joint_rows;
  }
  json["solver"] = solved.solver;
  json["status"] = toString(solved.status);
  json["residual"] = c.worstResidual();
  json["fclib_error"] = c.fclib_error;
  json["iterations"] = solved.iterations;
  json["stages"] = stagesAsJson(solved.stages);
  json["seconds"] = solved.seconds;
  if (traced) json["trace"] = traceAsJson(solved.trace);
  return json.dump(2) + "\n";
}

std::string asLine(const SolvedContacts& solved) {
  return fmt::format(
      "{}: {} with {} contacts by {}, {} iterations, residual {:.2e}, FCLIB's error {:.2e}, "
      "{:.3g} s\n",
      toString(solved.status), toString(solved.kind), solved.contacts, solved.solver,
      solved.iterations, solved.certificate.worstResidual(), solved.certificate.fclib_error,
      solved.seconds);
}

// Before the work: what is in the way of its result.
void expectFiles(const SolveOptions& options) {
  expectInputFile(options.problem);
  if (!options.out.empty()) expectReplaceable(options.out, OwnFile::vector, "--out " + options.out);
  if (!options.write_solution.empty())
    expectReplaceable(options.write_solution, OwnFile::problem, options.write_solution,
                      options.problem);
  if (!options.out.empty() && !options.write_solution.empty() &&
      std::filesystem::weakly_canonical(options.out) ==
          std::filesystem::weakly_canonical(options.write_solution))
    throw InputError("--out and --write-solution name the same file");
}

void writeFiles(const SolveOptions& options, const SolvedContacts& solved) {
  const bool wanted = solved.status == SolveStatus::solved || options.best;
  if (!wanted || !solved.certificate.finite) return;
  if (!options.out.empty()) writeMatrixMarket(options.out, solved.solution.r);
  if (!options.write_solution.empty())
    writeStoredSolution(options.problem, options.write_solution, solved.solution);
}

}  // namespace

int solveContactProblem(const SolveOptions& options) {
  expectFiles(options);
  const SolvedContacts solved =
      solveContactFile({options.problem, options.solver, options.law, options.tolerance.value_or(0),
                        options.budget, options.trace});
  writeFiles(options, solved);
  if (options.json)
    fmt::print("{}", asJson(solved, options.trace));
  else
    fmt::print("{}{}", traceAsTable(solved.trace), asLine(solved));
  if (solved.status == SolveStatus::solved) return kFine;
  spdlog::error("{}: not solved: {}, best residual {:.3g}, FCLIB's error {:.3g}", options.problem,
                describe(solved.status, solved.budget), solved.certificate.worstResidual(),
                solved.certificate.fclib_error);
  return kNotCertified;
}

}  // namespace stickslip::cli
