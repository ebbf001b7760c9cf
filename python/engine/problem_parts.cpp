// A contact problem as lists of numbers, named as in docs/problem-format.md, and back. Whether the
// numbers make a problem is asked by problem_check.hpp; here only what would read beyond a list.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "problem.hpp"
#include "stickslip/friction_directions.hpp"
#include "stickslip/method.hpp"

namespace stickslip::python {
namespace {

using Kind = ImpulseSet::Kind;

constexpr std::size_t kComponents = FrictionDirections::kMostComponents;
constexpr std::size_t kMostInt = std::numeric_limits<std::int32_t>::max();
constexpr int kLastKind = static_cast<int>(Kind::interval);

// Lists of a dict, by name.
class Parts {
 public:
  explicit Parts(const nb::dict& parts) : parts_(parts) {}

  template <class T>
  std::vector<T> list(const char* name) const {
    using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    Array array;
    if (!parts_.contains(name) || !nb::try_cast(parts_[name], array))
      throw InputError(std::string(name) + ": expected a list of numbers");
    if (array.size() > kMostInt) throw InputError(std::string(name) + ": is too long");
    return {array.data(), array.data() + array.size()};
  }
  template <class T>
  std::vector<T> list(const char* name, std::size_t size) const {
    std::vector<T> values = list<T>(name);
    if (values.size() != size)
      throw InputError(std::string(name) + ": has length " + std::to_string(values.size()) +
                       "; expected " + std::to_string(size));
    return values;
  }
  std::vector<double> numbers(const char* name) const { return list<double>(name); }
  std::vector<int> integers(const char* name) const { return list<std::int32_t>(name); }
  template <class T>
  T value(const char* name) const {
    T value{};
    if (!parts_.contains(name) || !nb::try_cast(parts_[name], value))
      throw InputError(std::string(name) + ": is missing, or of another type");
    return value;
  }

 private:
  const nb::dict& parts_;
};

std::vector<FrictionDirections::Pointer> directionLists(const Parts& parts) {
  const std::vector<int> sizes = parts.integers("direction_sizes");
  const std::vector<double> components = parts.numbers("direction_components");
  std::vector<FrictionDirections::Pointer> lists;
  std::size_t next = 0;
  for (const int size : sizes) {
    const auto count = static_cast<std::size_t>(std::max(size, 0));
    if (count * kComponents > components.size() - next)
      throw InputError("direction_sizes: do not fit direction_components");
    std::vector<FrictionDirections::Direction> list(count);
    for (FrictionDirections::Direction& direction : list)
      for (double& component : direction) component = components[next++];
    try {
      lists.push_back(FrictionDirections::make(list));
    } catch (const InputError& error) {
      throw InputError(std::string("directions: ") + error.what());
    }
  }
  return lists;
}

ImpulseSets setsOf(const Parts& parts) {
  const std::vector<int> kind = parts.integers("kind");
  const std::size_t contacts = kind.size();
  const auto numbers = [&](const char* name) { return parts.list<double>(name, contacts); };
  const auto integers = [&](const char* name) { return parts.list<std::int32_t>(name, contacts); };
  const auto mu = numbers("mu"), mu_2 = numbers("mu_2"), lower = numbers("lower"),
             upper = numbers("upper"), torsion = numbers("torsion"), rolling = numbers("rolling");
  const auto directions = integers("directions"), load_independent = integers("load_independent"),
             given = integers("given");
  const auto lists = directionLists(parts);
  ImpulseSets sets;
  sets.reserve(contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    if (kind[i] < 0 || kind[i] > kLastKind || given[i] >= static_cast<int>(lists.size()))
      throw InputError("sets[" + std::to_string(i) + "]: its kind or its directions do not exist");
    sets.push_back({.kind = static_cast<Kind>(kind[i]),
                    .mu = mu[i],
                    .mu_2 = mu_2[i],
                    .directions = directions[i],
                    .lower = lower[i],
                    .upper = upper[i],
                    .torsion = torsion[i],
                    .rolling = rolling[i],
                    .load_independent = load_independent[i] != 0,
                    .given = given[i] < 0 ? nullptr : lists[static_cast<std::size_t>(given[i])]});
  }
  return sets;
}

// Groups of rows, by the names of their lists.
struct RowNames {
  const char* of;
  const char* rows;
  const char* strips;
  const char* first_column;
  const char* columns;
  const char* values;
};
constexpr RowNames kContactRows{"J", "rows", "strips", "first_column", "columns", "values"};
constexpr RowNames kJointRows{
    "G", "joint_rows", "joint_strips", "joint_first_column", "joint_columns", "joint_values"};

BlockRows blockRowsOf(const Parts& parts, const RowNames& names) {
  const auto fail = [&](const char* what) {
    throw InputError(std::string(names.of) + ": " + what);
  };
  const std::vector<int> rows = parts.integers(names.rows), strips = parts.integers(names.strips),
                         first = parts.integers(names.first_column),
                         columns = parts.integers(names.columns);
  const std::vector<double> values = parts.numbers(names.values);
  if (strips.size() != rows.size() || columns.size() != first.size())
    fail("its lists have different lengths");
  if (values.size() >= BlockRows::Strip::mostValues()) fail("has too many entries");
  BlockRows out;
  std::size_t strip = 0, next = 0, total = 0;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    total += static_cast<std::size_t>(std::max(rows[g], 0));
    if (rows[g] < 1 || total > kMostInt) fail("a group without rows, or too many of them");
    if (strips[g] < 0 || static_cast<std::size_t>(strips[g]) > columns.size() - strip)
      fail("its strips do not fit");
    out.addGroup(rows[g]);
    for (const std::size_t end = strip + static_cast<std::size_t>(strips[g]); strip < end;
         ++strip) {
      if (columns[strip] < 1) fail("a strip without columns");
      const std::size_t size =
          static_cast<std::size_t>(rows[g]) * static_cast<std::size_t>(columns[strip]);
      if (size > values.size() - next) fail("its strips do not fit its entries");
      std::copy_n(values.data() + next, size, out.addStrip(first[strip], columns[strip]).data);
      next += size;
    }
  }
  if (strip != columns.size() || next != values.size()) fail("has more entries than strips say");
  return out;
}

BlockDiagonal massOf(const Parts& parts) {
  const std::vector<int> sizes = parts.integers("mass_sizes");
  const std::vector<double> values = parts.numbers("mass_values");
  std::size_t rows = 0, entries = 0;
  for (const int size : sizes) {
    const auto count = static_cast<std::size_t>(std::max(size, 0));
    rows += count;
    entries += count * count;
    if (size < 1 || rows > kMostInt || entries > values.size())
      throw InputError("M: the sizes of its blocks do not fit its entries");
  }
  if (entries != values.size())
    throw InputError("M: the sizes of its blocks do not fit its entries");
  BlockDiagonal M;
  M.resize(sizes);
  const double* next = values.data();
  for (int b = 0; b < M.blockCount(); ++b) {
    const auto size = static_cast<std::size_t>(M.block(b).rows);
    std::copy_n(next, size * size, M.block(b).data);
    next += size * size;
  }
  return M;
}

ContactProblem contactProblemOf(const Parts& parts) {
  ContactProblem p;
  p.M = massOf(parts);
  p.v_free = parts.numbers("v_free");
  p.v_old = parts.numbers("v_old");
  p.J = blockRowsOf(parts, kContactRows);
  p.b = parts.numbers("b");
  p.drive = parts.numbers("drive");
  p.sets = setsOf(parts);
  p.contact_id = parts.list<std::uint64_t>("id");
  p.gap = parts.numbers("gap");
  p.G = blockRowsOf(parts, kJointRows);
  p.g = parts.numbers("g");
  p.compliance = parts.numbers("compliance");
  p.joint_gap = parts.numbers("joint_gap");
  p.joint_drive = parts.numbers("joint_drive");
  p.duration = parts.value<double>("duration");
  p.law = named<Law>(parts.value<std::string>("law"), "law");
  return p;
}

LocalProblem localProblemOf(const Parts& parts) {
  LocalProblem p;
  p.q = parts.numbers("q");
  p.W.rows = p.W.columns = static_cast<int>(p.q.size());
  p.W.start.clear();
  for (const std::int64_t start : parts.list<std::int64_t>("W_start")) {
    if (start < 0) throw InputError("W: the starts of its rows do not fit its entries");
    p.W.start.push_back(static_cast<std::size_t>(start));
  }
  p.W.column = parts.integers("W_column");
  p.W.value = parts.numbers("W_value");
  p.sets = setsOf(parts);
  p.law = named<Law>(parts.value<std::string>("law"), "law");
  return p;
}

void addSets(const ImpulseSets& sets, nb::dict& parts) {
  std::vector<const FrictionDirections*> lists;
  std::vector<std::int32_t> kind, directions, load_independent, given, sizes;
  std::vector<double> mu, mu_2, lower, upper, torsion, rolling, components;
  for (const ImpulseSet& set : sets) {
    kind.push_back(static_cast<std::int32_t>(set.kind));
    mu.push_back(set.mu);
    mu_2.push_back(set.mu_2);
    directions.push_back(set.directions);
    lower.push_back(set.lower);
    upper.push_back(set.upper);
    torsion.push_back(set.torsion);
    rolling.push_back(set.rolling);
    load_independent.push_back(set.load_independent ? 1 : 0);
    if (!set.given) {
      given.push_back(-1);
      continue;
    }
    const auto known = std::find(lists.begin(), lists.end(), set.given.get());
    given.push_back(static_cast<std::int32_t>(known - lists.begin()));
    if (known == lists.end()) lists.push_back(set.given.get());
  }
  for (const FrictionDirections* list : lists) {
    sizes.push_back(list->count());
    for (int k = 0; k < list->count(); ++k) {
      const std::span<const double> d = (*list)[k];
      std::array<double, kComponents> all{d[0], d[1]};
      if (list->spins()) all[2] = d[2];
      if (list->rolls()) std::copy(d.end() - 2, d.end(), all.end() - 2);
      components.insert(components.end(), all.begin(), all.end());
    }
  }
  parts["kind"] = arrayOf(std::move(kind));
  parts["mu"] = arrayOf(std::move(mu));
  parts["mu_2"] = arrayOf(std::move(mu_2));
  parts["directions"] = arrayOf(std::move(directions));
  parts["lower"] = arrayOf(std::move(lower));
  parts["upper"] = arrayOf(std::move(upper));
  parts["torsion"] = arrayOf(std::move(torsion));
  parts["rolling"] = arrayOf(std::move(rolling));
  parts["load_independent"] = arrayOf(std::move(load_independent));
  parts["given"] = arrayOf(std::move(given));
  parts["direction_sizes"] = arrayOf(std::move(sizes));
  parts["direction_components"] = arrayOf(std::move(components));
}

void addRows(const BlockRows& from, const RowNames& names, nb::dict& parts) {
  std::vector<std::int32_t> rows, strips, first_column, columns;
  std::vector<double> values;
  for (int g = 0; g < from.groupCount(); ++g) {
    rows.push_back(from.rowsOf(g));
    strips.push_back(static_cast<std::int32_t>(from.stripsOf(g).size()));
    for (const BlockRows::Strip& strip : from.stripsOf(g)) {
      first_column.push_back(strip.first_column);
      columns.push_back(strip.columns);
      const StripValues entries = from.values(g, strip);
      for (int i = 0; i < from.rowsOf(g); ++i)
        values.insert(values.end(), entries.row(i).begin(), entries.row(i).end());
    }
  }
  parts[names.rows] = arrayOf(std::move(rows));
  parts[names.strips] = arrayOf(std::move(strips));
  parts[names.first_column] = arrayOf(std::move(first_column));
  parts[names.columns] = arrayOf(std::move(columns));
  parts[names.values] = arrayOf(std::move(values));
}

void addMass(const BlockDiagonal& M, nb::dict& parts) {
  std::vector<std::int32_t> sizes;
  std::vector<double> values;
  for (int b = 0; b < M.blockCount(); ++b) {
    sizes.push_back(M.block(b).rows);
    for (int i = 0; i < M.block(b).rows; ++i)
      values.insert(values.end(), M.block(b).row(i).begin(), M.block(b).row(i).end());
  }
  parts["mass_sizes"] = arrayOf(std::move(sizes));
  parts["mass_values"] = arrayOf(std::move(values));
}

void addGlobal(const ContactProblem& p, nb::dict& parts) {
  addMass(p.M, parts);
  parts["v_free"] = arrayOf(p.v_free);
  parts["v_old"] = arrayOf(p.v_old);
  addRows(p.J, kContactRows, parts);
  parts["b"] = arrayOf(p.b);
  parts["drive"] = arrayOf(p.drive);
  parts["id"] = arrayOf(p.contact_id);
  parts["gap"] = arrayOf(p.gap);
  addRows(p.G, kJointRows, parts);
  parts["g"] = arrayOf(p.g);
  parts["compliance"] = arrayOf(p.compliance);
  parts["joint_gap"] = arrayOf(p.joint_gap);
  parts["joint_drive"] = arrayOf(p.joint_drive);
  parts["duration"] = p.duration;
}

void addLocal(const LocalProblem& p, nb::dict& parts) {
  parts["q"] = arrayOf(p.q);
  parts["W_start"] = arrayOf(std::vector<std::int64_t>(p.W.start.begin(), p.W.start.end()));
  parts["W_column"] = arrayOf(p.W.column);
  parts["W_value"] = arrayOf(p.W.value);
}

}  // namespace

nb::dict partsOf(const PyProblem& problem) {
  nb::dict parts;
  parts["law"] = nameOf(problem.law());
  addSets(problem.sets(), parts);
  if (problem.isLocal())
    addLocal(problem.local(), parts);
  else
    addGlobal(problem.global(), parts);
  return parts;
}

PyProblem problemOf(const nb::dict& parts) {
  const Parts lists(parts);
  return parts.contains("W_start") ? PyProblem(localProblemOf(lists))
                                   : PyProblem(contactProblemOf(lists));
}

}  // namespace stickslip::python
