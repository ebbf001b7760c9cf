#include "io/problem/problem_dump.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "io/hdf5/hdf5_file.hpp"
#include "io/problem/problem_file.hpp"
#include "io/recording/recording_layout.hpp"
#include "math/dense/cholesky.hpp"
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
      if (p.J.rowsOf(i) != p.sets[i].dimension())
        file_.fail(kContacts + "rows", fmt::format("entry {} is {}; expected {} for its kind", i,
                                                   p.J.rowsOf(i), p.sets[i].dimension()));
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
      set.given = lists[given[i]];
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
    method.scheme = file_.text(kMethod + "scheme");
    method.solver = file_.text(kMethod + "solver");
    method.directions = file_.integer(kMethod + "directions");
    method.tolerance = file_.numbers(kMethod + "tolerance", 1, "one tolerance")[0];
    method.budget = count(kMethod + "budget");
    const std::string law = file_.text(kLaw), cone = file_.text(kMethod + "cone");
    try {
      method.law = named<Law>(law, "law");
      method.cone = named<FrictionCone>(cone, "cone");
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

namespace {

class RowReader {
 public:
  RowReader(const ProblemFile& file, const std::string& prefix, int columns)
      : file_(file),
        prefix_(prefix),
        total_columns_(columns),
        rows_(file.integers(prefix + "rows")),
        strips_(file.integers(prefix + "strips")),
        first_column_(file.integers(prefix + "first_column")),
        columns_(file.integers(prefix + "columns")),
        values_(file.numbers(prefix + "values")) {}

  BlockRows read(std::size_t rows, const std::string& rows_name) {
    expectRows(rows, rows_name);
    if (strips_.size() != rows_.size())
      file_.fail(prefix_ + "strips", fmt::format("has length {}; expected {}, that of {}rows",
                                                 strips_.size(), rows_.size(), prefix_));
    if (columns_.size() != first_column_.size())
      file_.fail(prefix_ + "columns",
                 fmt::format("has length {}; expected {}, that of {}first_column", columns_.size(),
                             first_column_.size(), prefix_));
    for (std::size_t g = 0; g < rows_.size(); ++g) readGroup(g);
    if (strip_ != columns_.size())
      file_.fail(prefix_ + "strips",
                 fmt::format("adds up to {}; expected {}, the length of {}columns", strip_,
                             columns_.size(), prefix_));
    if (value_ != values_.size()) failOnValues();
    return std::move(out_);
  }

 private:
  void expectRows(std::size_t expected, const std::string& rows_name) const {
    std::size_t sum = 0;
    for (std::size_t g = 0; g < rows_.size(); ++g) {
      if (rows_[g] < 1)
        file_.fail(prefix_ + "rows", fmt::format("entry {} is {}; expected > 0", g, rows_[g]));
      sum += static_cast<std::size_t>(rows_[g]);
    }
    if (sum != expected)
      file_.fail(prefix_ + "rows", fmt::format("adds up to {}; expected {}, the length of {}", sum,
                                               expected, rows_name));
  }

  [[noreturn]] void failOnValues() const {
    file_.fail(prefix_ + "values",
               fmt::format("has length {}, which is not what rows and columns of "
                           "the strips make",
                           values_.size()));
  }

  void readGroup(std::size_t g) {
    const auto left = static_cast<std::ptrdiff_t>(columns_.size() - strip_);
    if (strips_[g] < 0 || strips_[g] > left)
      file_.fail(prefix_ + "strips",
                 fmt::format("entry {} is {}; expected 0 to {}", g, strips_[g], left));
    out_.addGroup(rows_[g]);
    const std::size_t first = strip_, last = first + static_cast<std::size_t>(strips_[g]);
    for (; strip_ < last; ++strip_) readStrip(rows_[g]);
    expectNoOverlap(first, last);
  }

  void readStrip(int rows) {
    const int first = first_column_[strip_], count = columns_[strip_];
    if (first < 0 || count < 1 || first > total_columns_ - count)
      file_.fail(prefix_ + "columns",
                 fmt::format("strip {} has {} columns from {} on; there are {} velocities", strip_,
                             count, first, total_columns_));
    const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(count);
    if (size > values_.size() - value_) failOnValues();
    const MatrixView strip = out_.addStrip(first, count);
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(value_), size, strip.data);
    value_ += size;
  }

  void expectNoOverlap(std::size_t first, std::size_t last) const {
    for (std::size_t a = first; a < last; ++a)
      for (std::size_t b = first; b < a; ++b)
        if (first_column_[a] < first_column_[b] + columns_[b] &&
            first_column_[b] < first_column_[a] + columns_[a])
          file_.fail(prefix_ + "first_column",
                     fmt::format("strips {} and {} of one group overlap", b, a));
  }

  const ProblemFile& file_;
  std::string prefix_;
  int total_columns_;
  std::vector<int> rows_, strips_, first_column_, columns_;
  std::vector<double> values_;
  std::size_t strip_ = 0, value_ = 0;  // how many are used
  BlockRows out_;
};

}  // namespace

void writeBlockRows(hid_t file, const std::string& prefix, const BlockRows& rows) {
  std::vector<int> row_count, strips, first_column, columns;
  std::vector<double> values;
  for (int g = 0; g < rows.groupCount(); ++g) {
    row_count.push_back(rows.rowsOf(g));
    strips.push_back(static_cast<int>(rows.stripsOf(g).size()));
    for (const BlockRows::Strip& strip : rows.stripsOf(g)) {
      first_column.push_back(strip.first_column);
      columns.push_back(strip.columns);
      for (int i = 0; i < rows.rowsOf(g); ++i) {
        const StripValues entries = rows.values(g, strip);
        const std::span<const double> row = entries.row(i);
        values.insert(values.end(), row.begin(), row.end());
      }
    }
  }
  hdf5::writeVector(file, prefix + "rows", row_count);
  hdf5::writeVector(file, prefix + "strips", strips);
  hdf5::writeVector(file, prefix + "first_column", first_column);
  hdf5::writeVector(file, prefix + "columns", columns);
  hdf5::writeVector(file, prefix + "values", values);
}

BlockRows readBlockRows(const ProblemFile& file, const std::string& prefix, std::size_t rows,
                        const std::string& rows_name, int columns) {
  return RowReader(file, prefix, columns).read(rows, rows_name);
}

namespace {

using namespace dump_layout;

std::string nameIn(const auto& names, auto value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& entry) { return entry.second == value; });
  assert(found != names.end());
  return std::string(found->first);
}

void writeMass(hid_t file, const BlockDiagonal& M) {
  std::vector<int> sizes;
  std::vector<double> values;
  for (int b = 0; b < M.blockCount(); ++b) {
    sizes.push_back(M.block(b).rows);
    for (int i = 0; i < M.block(b).rows; ++i) {
      const std::span<const double> row = M.block(b).row(i);
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  hdf5::writeVector(file, kBlockSizes, sizes);
  hdf5::writeVector(file, kMassValues, values);
}

// Lists of directions without units, each once, with all components; and of each contact its list,
// or -1.
void writeGiven(hid_t file, const ImpulseSets& sets) {
  std::vector<const FrictionDirections*> lists;
  std::vector<int> given, size;
  std::vector<double> components;
  for (const ImpulseSet& set : sets) {
    if (!set.given) {
      given.push_back(-1);
      continue;
    }
    const auto known = std::find(lists.begin(), lists.end(), set.given.get());
    given.push_back(static_cast<int>(known - lists.begin()));
    if (known == lists.end()) lists.push_back(set.given.get());
  }
  if (lists.empty()) return;
  for (const FrictionDirections* list : lists) {
    size.push_back(list->count());
    for (int k = 0; k < list->count(); ++k) {
      const std::span<const double> d = (*list)[k];
      const double spin = list->spins() ? d[2] : 0;
      components.insert(components.end(), {d[0], d[1], spin});
      if (list->rolls())
        components.insert(components.end(), d.end() - 2, d.end());
      else
        components.insert(components.end(), {0, 0});
    }
  }
  hdf5::writeVector(file, kContacts + "given", given);
  hdf5::writeVector(file, kDirectionLists + "size", size);
  hdf5::writeVector(file, kDirectionLists + "components", components);
}

void writeSets(hid_t file, const ImpulseSets& sets) {
  std::vector<std::string> kinds;
  for (const ImpulseSet& set : sets) kinds.push_back(nameIn(kKinds, set.kind));
  hdf5::writeNames(file, kContacts + "kind", kinds);
  const auto write = [&](const char* name, auto ImpulseSet::*member) {
    std::vector<std::decay_t<decltype(sets[0].*member)>> values;
    for (const ImpulseSet& set : sets) values.push_back(set.*member);
    hdf5::writeVector(file, kContacts + name, values);
  };
  write("mu", &ImpulseSet::mu);
  write("mu_2", &ImpulseSet::mu_2);
  write("directions", &ImpulseSet::directions);
  write("lower", &ImpulseSet::lower);
  write("upper", &ImpulseSet::upper);
  writeGiven(file, sets);
  // Friction that few problems have: readers take it as absent where it is not there.
  const auto has = [&](auto test) { return std::any_of(sets.begin(), sets.end(), test); };
  if (has([](const ImpulseSet& set) { return set.torsion > 0; }))
    write("torsion", &ImpulseSet::torsion);
  if (has([](const ImpulseSet& set) { return set.rolling > 0; }))
    write("rolling", &ImpulseSet::rolling);
  if (!has([](const ImpulseSet& set) { return set.load_independent; })) return;
  std::vector<int> flags;
  for (const ImpulseSet& set : sets) flags.push_back(set.load_independent ? 1 : 0);
  hdf5::writeVector(file, kContacts + "load_independent", flags);
}

void writeContacts(hid_t file, const ContactProblem& problem) {
  writeSets(file, problem.sets);
  writeBlockRows(file, kContacts, problem.J);
  hdf5::writeVector(file, kContacts + "b", problem.b);
  hdf5::writeVector(file, kContacts + "id", problem.contact_id);
  hdf5::writeVector(file, kContacts + "gap", problem.gap);
  hdf5::writeVector(file, kContacts + "drive",
                    problem.drive.empty() ? std::vector<double>(problem.b.size()) : problem.drive);
}

void writeJoints(hid_t file, const ContactProblem& problem) {
  writeBlockRows(file, kJoints, problem.G);
  hdf5::writeVector(file, kJoints + "g", problem.g);
  hdf5::writeVector(file, kJoints + "compliance", problem.compliance);
  hdf5::writeVector(file, kJoints + "gap", problem.joint_gap);
  hdf5::writeVector(file, kJoints + "drive", problem.joint_drive);
}

void writeMethod(hid_t file, const Method& method) {
  hdf5::writeText(file, kMethod + "scheme", method.scheme);
  hdf5::writeText(file, kMethod + "cone", std::string(nameOf(method.cone)));
  hdf5::writeText(file, kMethod + "solver", method.solver);
  hdf5::writeVector(file, kMethod + "directions", std::vector{method.directions});
  hdf5::writeVector(file, kMethod + "tolerance", std::vector{method.tolerance});
  hdf5::writeVector(file, kMethod + "budget",
                    std::vector{static_cast<std::uint64_t>(method.budget)});
}

}  // namespace

void writeProblemDump(const std::filesystem::path& path, const ProblemDump& dump,
                      const ContactSolution& solution) {
  writeProblemFile(path, {}, [&](hid_t file) {
    hdf5::writeVector(file, kVersion, std::vector{kFormat});
    hdf5::writeText(file, kScene, dump.scene);
    hdf5::writeVector(file, kStep, std::vector{static_cast<std::uint64_t>(dump.step)});
    writeMethod(file, dump.method);
    hdf5::writeText(file, kLaw, nameIn(kLaws, dump.problem.law));
    writeMass(file, dump.problem.M);
    hdf5::writeVector(file, kFreeVelocity, dump.problem.v_free);
    hdf5::writeVector(file, kOldVelocity, dump.problem.v_old);
    writeContacts(file, dump.problem);
    writeJoints(file, dump.problem);
    writeSolutionGroup(file, storedSolution(dump.problem, solution));
  });
}

std::string_view toString(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::fclib_local:
      return "fclib_local";
    case ProblemKind::fclib_global:
      return "fclib_global";
    default:
      return "dump";
  }
}

ProblemKind problemKindOf(const std::filesystem::path& path) {
  const ProblemFile file(path);
  if (file.has(dump_layout::kGroup)) return ProblemKind::dump;
  if (file.has("/fclib_global")) return ProblemKind::fclib_global;
  if (file.has("/fclib_local")) return ProblemKind::fclib_local;
  if (file.has(layout::kScene))
    file.fail("/",
              "this is a recording; expected a contact problem, such as run --dump-problem "
              "writes");
  file.fail("/",
            "none of /fclib_local, /fclib_global and /stickslip_problem is there: no contact "
            "problem");
}

}  // namespace stickslip
