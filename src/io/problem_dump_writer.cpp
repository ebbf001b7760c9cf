#include <algorithm>
#include <cassert>

#include "io/hdf5_vectors.hpp"
#include "io/problem_draft.hpp"
#include "io/problem_dump_kinds.hpp"
#include "io/problem_dump_layout.hpp"
#include "io/problem_dump_rows.hpp"
#include "io/stored_solution.hpp"
#include "stickslip/io/problem_dump.hpp"

namespace stickslip {
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
  hdf5::writeText(file, kMethod + "cone", method.cone);
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

}  // namespace stickslip
