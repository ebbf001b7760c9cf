#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "io/files/output_file.hpp"
#include "status_text.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/matrix_market.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip::cli {
namespace {

constexpr double kUsualTolerance = 1e-8;

void checkOptions(const SolveOptions& options) {
  if (!options.solver.empty() && options.solver != "lemke")
    throw InputError(fmt::format("--solver {}: an LCP is solved by lemke", options.solver));
  if (!options.law.empty()) throw InputError("--law is for contact problems, not for --lcp");
  if (options.trace) throw InputError("--trace is for contact problems, not for --lcp");
  if (!options.write_solution.empty() || options.best)
    throw InputError("--write-solution and --best are for contact problems; use --out with --lcp");
}

void checkSizes(const SolveOptions& options, const DenseMatrix& N, const DenseMatrix& q) {
  if (N.rows != N.columns)
    throw InputError(fmt::format("{}: {} x {}; the matrix of an LCP must be square", options.lcp[0],
                                 N.rows, N.columns));
  if (q.columns != 1 || q.rows != N.rows)
    throw InputError(fmt::format("{}: {} x {}; expected {} x 1, as {} has {} rows", options.lcp[1],
                                 q.rows, q.columns, N.rows, options.lcp[0], N.rows));
}

std::string asJson(const Lcp& lcp, const LcpReport& report, std::span<const double> ray,
                   double seconds) {
  nlohmann::ordered_json json{{"kind", "lcp"},
                              {"size", lcp.size()},
                              {"solver", "lemke"},
                              {"status", toString(report.status)},
                              {"residual", report.residual},
                              {"iterations", report.pivots},
                              {"seconds", seconds}};
  if (report.status == SolveStatus::ray) {
    json["infeasible"] = report.infeasible;
    json["ray"] = ray;
  }
  return json.dump(2) + "\n";
}

}  // namespace

int solveLcp(const SolveOptions& options) {
  checkOptions(options);
  const DenseMatrix N = readMatrixMarket(options.lcp[0]);
  const DenseMatrix q = readMatrixMarket(options.lcp[1]);
  checkSizes(options, N, q);
  if (!options.out.empty()) expectReplaceable(options.out, OwnFile::vector, "--out " + options.out);
  const Lcp lcp{N.view(), q.values};
  std::vector<double> z(q.values.size());
  DenseLemke lemke({.pivot_limit = options.budget});
  const auto start = std::chrono::steady_clock::now();
  LcpReport report = lemke.solve(lcp, z);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  // The residual of z decides, in both directions: it is what the user asked for.
  if (report.residual <= options.tolerance.value_or(kUsualTolerance))
    report.status = SolveStatus::solved;
  else if (report.status == SolveStatus::solved)
    report.status = SolveStatus::inaccurate;

  const bool solved = report.status == SolveStatus::solved;
  if (solved && !options.out.empty()) writeMatrixMarket(options.out, z);
  if (options.json)
    fmt::print("{}", asJson(lcp, report, lemke.ray(), wall.count()));
  else
    fmt::print("{}: size {}, {} pivots, residual {:.2e}, {:.3g} s\n", toString(report.status),
               lcp.size(), report.pivots, report.residual, wall.count());
  if (solved) return kFine;
  spdlog::error("{} {}: not solved: {}{}, best residual {:.3g}", options.lcp[0], options.lcp[1],
                describe(report.status, options.budget),
                report.infeasible ? ", which proves that there is no solution" : "",
                report.residual);
  return kNotCertified;
}

}  // namespace stickslip::cli
