#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "io/problem_dump_kinds.hpp"
#include "io/problem_dump_layout.hpp"
#include "io/problem_dump_rows.hpp"
#include "io/problem_file.hpp"
#include "math/cholesky.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/problem_dump.hpp"

namespace stickslip {
namespace {

using namespace dump_layout;
using Kind = ImpulseSet::Kind;
using Numbers = ProblemFile::Numbers;

// Two triangles of a mass matrix that differ by more than this are not the same up to rounding.
constexpr double kRounding = 1e-10;

class DumpReader {
 public:
  explicit DumpReader(const std::filesystem::path& path) : file_(path) {}

  ProblemDump read() {
    const int format = file_.integer(kVersion);
    if (format != kFormat)
      file_.fail(kVersion,
                 fmt::format("is {}; this version of stickslip reads {}", format, kFormat));
    dump_.scene = file_.text(kScene);
    dump_.step = count(kStep);
    readMass();
    readContacts();
    readJoints();
    readMethod();
    return std::move(dump_);
  }

 private:
  std::int64_t count(const std::string& name) const {
    const std::vector<std::uint64_t> values = file_.unsignedIntegers(name);
    if (values.size() != 1 || values[0] > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
      file_.fail(name, "expected one number of 63 bits");
    return static_cast<std::int64_t>(values[0]);
  }

  template <class Names>
  auto valueOf(const Names& names, const std::string& dataset, const std::string& word) const {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const auto& entry) { return entry.first == word; });
    if (found == names.end()) file_.fail(dataset, fmt::format("\"{}\" is not known", word));
    return found->second;
  }

  void readMass() {
    ContactProblem& p = dump_.problem;
    p.law = valueOf(kLaws, kLaw, file_.text(kLaw));
    p.v_free = file_.numbers(kFreeVelocity);
    p.v_old = file_.numbers(kOldVelocity, p.v_free.size(), "the length of v_free");
    const std::vector<int> sizes = file_.integers(kBlockSizes);
    const std::vector<double> values = file_.numbers(kMassValues);
    double rows = 0, entries = 0;
    for (const int size : sizes) {
      if (size < 1) file_.fail(kBlockSizes, fmt::format("a block has size {}", size));
      rows += size;
      entries += static_cast<double>(size) * size;
    }
    if (rows != static_cast<double>(p.v_free.size()))
      file_.fail(kBlockSizes, fmt::format("adds up to {}; expected {}, the length of v_free", rows,
                                          p.v_free.size()));
    if (entries != static_cast<double>(values.size()))
      file_.fail(kMassValues,
                 fmt::format("has length {}; expected {}, as the sizes of the blocks say",
                             values.size(), entries));
    p.M.resize(sizes);
    auto from = values.begin();
    for (int b = 0; b < p.M.blockCount(); ++b) {
      const std::ptrdiff_t size = p.M.block(b).rows;
      std::copy_n(from, size * size, p.M.block(b).data);
      from += size * size;
    }
    expectMassMatrix();
  }

  void expectMassMatrix() const {
    BlockDiagonal factor = dump_.problem.M;
    factorizeCholesky(factor);
    for (int b = 0; b < factor.blockCount(); ++b) {
      const MatrixView L = factor.block(b);
      const ConstMatrixView M = dump_.problem.M.block(b);
      for (int i = 0; i < M.rows; ++i) {
        if (!(L(i, i) > 0) || !std::isfinite(L(i, i)))
          file_.fail(kMassValues, fmt::format("block {} is not positive definite", b));
        for (int j = 0; j < i; ++j)
          if (std::abs(M(i, j) - M(j, i)) > kRounding * std::sqrt(M(i, i)) * std::sqrt(M(j, j)))
            file_.fail(kMassValues, fmt::format("block {} is not symmetric", b));
      }
    }
  }

  void readContacts() {
    ContactProblem& p = dump_.problem;
    readSets();
    const std::size_t contacts = p.sets.size();
    p.b = file_.numbers(kContacts + "b");
    p.J = readBlockRows(file_, kContacts, p.b.size(), kContacts + "b", p.M.size());
    if (p.J.groupCount() != static_cast<int>(contacts))
      file_.fail(kContacts + "rows", fmt::format("has length {}; expected {}, that of {}kind",
                                                 p.J.groupCount(), contacts, kContacts));
    for (int i = 0; i < p.J.groupCount(); ++i)
      if (p.J.rowsOf(i) != p.sets[static_cast<std::size_t>(i)].dimension())
        file_.fail(kContacts + "rows",
                   fmt::format("entry {} is {}; expected {} for its kind", i, p.J.rowsOf(i),
                               p.sets[static_cast<std::size_t>(i)].dimension()));
    p.gap = file_.numbers(kContacts + "gap", contacts, "one a contact");
    p.drive = file_.numbers(kContacts + "drive", p.b.size(), "the length of b");
    p.contact_id = file_.unsignedIntegers(kContacts + "id");
    if (p.contact_id.size() != contacts && !p.contact_id.empty())
      file_.fail(kContacts + "id", fmt::format("has length {}; expected {}, one a contact",
                                               p.contact_id.size(), contacts));
  }

  void readSets() {
    const std::vector<std::string> kinds = file_.texts(kContacts + "kind");
    const auto list = [&](const char* name, Numbers numbers = Numbers::finite) {
      return file_.numbers(kContacts + name, kinds.size(), "one a contact", numbers);
    };
    const std::vector<double> mu = list("mu"), mu_2 = list("mu_2"),
                              lower = list("lower", Numbers::not_nan),
                              upper = list("upper", Numbers::not_nan);
    const std::vector<int> directions = file_.integers(kContacts + "directions");
    if (directions.size() != kinds.size())
      file_.fail(kContacts + "directions", fmt::format("has length {}; expected {}, one a contact",
                                                       directions.size(), kinds.size()));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const Kind kind = valueOf(kKinds, kContacts + "kind", kinds[i]);
      if (!(mu[i] >= 0 && mu_2[i] >= 0))
        file_.fail(kContacts + "mu", fmt::format("that of contact {} is negative", i));
      if (kind == Kind::polyhedral && !(directions[i] >= 3 && directions[i] <= 64))
        file_.fail(kContacts + "directions",
                   fmt::format("entry {} is {}; expected 3 to 64", i, directions[i]));
      if (kind == Kind::interval && !(lower[i] <= 0 && upper[i] >= 0))
        file_.fail(kContacts + "lower", fmt::format("contact {}: expected lower <= 0 <= upper", i));
      dump_.problem.sets.push_back({kind, mu[i], mu_2[i], directions[i], lower[i], upper[i]});
    }
    readMoments();
    readGiven();
  }

  // Lists of directions, and which of them a contact has.
  void readGiven() {
    if (!file_.has(kContacts + "given")) return;
    ImpulseSets& sets = dump_.problem.sets;
    const std::vector<int> sizes = file_.integers(kDirectionLists + "size");
    const std::vector<double> entries = file_.numbers(kDirectionLists + "components");
    constexpr std::size_t kWidth = FrictionDirections::kMostComponents;
    std::vector<FrictionDirections::Pointer> lists;
    std::size_t next = 0;
    for (const int size : sizes) {
      const std::size_t end = next + kWidth * static_cast<std::size_t>(std::max(size, 0));
      if (size < 2 || end > entries.size())
        file_.fail(kDirectionLists + "size",
                   fmt::format("has an entry {} that does not fit the components", size));
      std::vector<FrictionDirections::Direction> list(static_cast<std::size_t>(size));
      for (std::size_t k = next; k < end; ++k)
        list[(k - next) / kWidth][(k - next) % kWidth] = entries[k];
      next = end;
      try {
        lists.push_back(FrictionDirections::make(list));
      } catch (const InputError& error) {
        file_.fail(kDirectionLists + "components", error.what());
      }
    }
    if (next != entries.size())
      file_.fail(kDirectionLists + "components", "has more entries than the sizes say");
    const std::vector<int> given = file_.integers(kContacts + "given");
    if (given.size() != sets.size())
      file_.fail(kContacts + "given", fmt::format("has length {}; expected {}, one a contact",
                                                  given.size(), sets.size()));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (given[i] < 0) continue;
      if (given[i] >= static_cast<int>(lists.size()))
        file_.fail(kContacts + "given",
                   fmt::format("entry {} is {}; there are {} lists", i, given[i], lists.size()));
      ImpulseSet& set = sets.own(i);
      set.given = lists[static_cast<std::size_t>(given[i])];
      expectToFit(i, set);
    }
  }

  void expectToFit(std::size_t i, const ImpulseSet& set) const {
    const FrictionDirections& given = *set.given;
    const bool sizes = set.mu > 0 && set.mu_2 > 0 && (!given.spins() || set.torsion > 0) &&
                       (!given.rolls() || set.rolling > 0);
    const bool alone =
        set.load_independent ? given.rows() == 2 : given.spins() || !(set.torsion > 0);
    if (set.kind != Kind::polyhedral || !sizes || !alone)
      file_.fail(kContacts + "given",
                 fmt::format("the directions of contact {} do not fit its kind, mu, mu_2, torsion "
                             "and rolling",
                             i));
  }

  // Torsion, rolling and independence of the load, as far as they are there.
  void readMoments() {
    ImpulseSets& sets = dump_.problem.sets;
    for (const auto& [name, member] :
         {std::pair{"torsion", &ImpulseSet::torsion}, std::pair{"rolling", &ImpulseSet::rolling}}) {
      if (!file_.has(kContacts + name)) continue;
      const std::vector<double> values =
          file_.numbers(kContacts + name, sets.size(), "one a contact");
      for (std::size_t i = 0; i < sets.size(); ++i) {
        sets.own(i).*member = values[i];
        if (!(values[i] >= 0))
          file_.fail(kContacts + name, fmt::format("that of contact {} is negative", i));
      }
    }
    if (!file_.has(kContacts + "load_independent")) return;
    const std::vector<int> flags = file_.integers(kContacts + "load_independent");
    if (flags.size() != sets.size())
      file_.fail(
          kContacts + "load_independent",
          fmt::format("has length {}; expected {}, one a contact", flags.size(), sets.size()));
    for (std::size_t i = 0; i < sets.size(); ++i) sets.own(i).load_independent = flags[i] != 0;
  }

  void readJoints() {
    ContactProblem& p = dump_.problem;
    p.g = file_.numbers(kJoints + "g");
    p.G = readBlockRows(file_, kJoints, p.g.size(), kJoints + "g", p.M.size());
    const auto list = [&](const char* name) {
      return file_.numbers(kJoints + name, p.g.size(), "the length of g");
    };
    p.compliance = list("compliance");
    p.joint_gap = list("gap");
    p.joint_drive = list("drive");
    for (const double compliance : p.compliance)
      if (compliance < 0) file_.fail(kJoints + "compliance", "holds a negative number");
  }

  void readMethod() {
    Method& method = dump_.method;
    method.law = file_.text(kLaw);
    method.scheme = file_.text(kMethod + "scheme");
    method.cone = file_.text(kMethod + "cone");
    method.solver = file_.text(kMethod + "solver");
    method.directions = file_.integer(kMethod + "directions");
    method.tolerance = file_.numbers(kMethod + "tolerance", 1, "one tolerance")[0];
    method.budget = count(kMethod + "budget");
    try {
      checkMethod(method);
    } catch (const InputError& error) {
      file_.fail(kMethod, error.what());
    }
  }

  ProblemFile file_;
  ProblemDump dump_;
};

}  // namespace

ProblemDump readProblemDump(const std::filesystem::path& path) {
  return DumpReader(path).read();
}

}  // namespace stickslip
