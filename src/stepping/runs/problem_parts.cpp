#include "stepping/runs/problem_parts.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <unordered_map>

#include "base/index.hpp"

namespace stickslip {

template <class Memory, MaybeConst<FrictionCurve> Curve>
void parts(Memory& memory, Curve& curve) {
  memory.choice(curve.transition, FrictionCurve::Transition::stribeck);
  memory(curve.kinetic_ratio, curve.speed, curve.exponent);
}

template <class Memory, MaybeConst<FrictionDirections::Pointer> Pointer>
void parts(Memory& memory, Pointer& directions) {
  bool are_given = directions != nullptr;
  memory(are_given);
  if constexpr (std::is_const_v<Pointer>) {
    if (are_given) directions->saveMemory(memory);
  } else {
    directions = are_given ? FrictionDirections::restored(memory) : nullptr;
  }
}

template <class Memory, MaybeConst<ImpulseSet> Set>
void parts(Memory& memory, Set& set) {
  memory.choice(set.kind, ImpulseSet::Kind::interval);
  memory(set.mu, set.mu_2, set.directions, set.lower, set.upper, set.torsion, set.rolling,
         set.load_independent, set.given);
}

template <class Memory, MaybeConst<SpeedFriction> Friction>
void parts(Memory& memory, Friction& friction) {
  memory(friction.curve, friction.mu, friction.mu_2, friction.torsion, friction.rolling,
         friction.integral_lift, friction.extra_lift);
}

template <class Memory, MaybeConst<Contact> C>
void parts(Memory& memory, C& contact) {
  memory(contact.id, contact.gap, contact.parameters, contact.driven, contact.is_placed,
         contact.point);
}

template <class Memory, MaybeConst<ContactParameters> Law>
void parts(Memory& memory, Law& law) {
  memory.choice(law.kind, ContactParameters::Kind::prestressed);
  memory(law.mu, law.mu_2, law.e_n, law.e_t, law.torsion, law.rolling, law.friction_force,
         law.friction_force_2, law.curve, law.directions, law.given, law.min_force, law.max_force,
         law.time_constant);
}

namespace {

constexpr int kMostInt = std::numeric_limits<int>::max();

// Masses. Equal blocks are written once.

void save(const BlockDiagonal& M, MemoryWriter& to) {
  std::vector<int> sizes, like;
  for (int b = 0; b < M.blockCount(); ++b) {
    sizes.push_back(M.block(b).rows);
    like.push_back(M.original(b));
  }
  to(sizes, like);
  for (int b = 0; b < M.blockCount(); ++b) {
    if (!M.isOriginal(b)) continue;
    const ConstMatrixView block = M.block(b);
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.columns; ++j) to(block(i, j));
  }
}

void restore(MemoryReader& from, BlockDiagonal& M) {
  std::vector<int> sizes, like;
  from(sizes, like);
  from.expect(like.size() == sizes.size(), "masses do not fit together");
  std::size_t columns = 0, values = 0;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const std::size_t original = like[b], size = sizes[b];
    from.expect(sizes[b] >= 0 && like[b] >= 0 && original <= b && sizes[original] == sizes[b] &&
                    like[original] == like[b],
                "masses do not fit together");
    columns += size;
    if (original == b) values += size * size;
  }
  from.expect(columns <= at(kMostInt) && values <= from.left() / sizeof(double),
              "it ends too early");
  M.resize(sizes, like);
  for (int b = 0; b < M.blockCount(); ++b) {
    if (!M.isOriginal(b)) continue;
    const MatrixView block = M.block(b);
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.columns; ++j) from(block(i, j));
  }
}

// Rows. Those of balls stay in their short form.

void save(const BlockRows& rows, MemoryWriter& to) {
  to(rows.groupCount());
  for (int group = 0; group < rows.groupCount(); ++group) {
    const auto strips = rows.stripsOf(group);
    const bool of_balls = rows.isOfBalls(group);
    to(of_balls, rows.rowsOf(group), static_cast<int>(strips.size()));
    if (of_balls) {
      const BallRows balls = rows.balls(group);
      to(balls.normal, balls.tangent, balls.lever);
    }
    for (const BlockRows::Strip& strip : strips) {
      to(strip.first_column);
      if (of_balls) {
        to(BlockRows::ballOf(strip));
        continue;
      }
      to(strip.columns);
      const StripValues values = rows.values(group, strip);
      for (int i = 0; i < values.view().rows; ++i)
        for (int j = 0; j < strip.columns; ++j) to(values(i, j));
    }
  }
}

void restoreBalls(MemoryReader& from, int strips, int columns, BlockRows& rows) {
  BallRows balls{};
  from(balls.normal, balls.tangent, balls.lever);
  std::array<int, 2> first{BlockRows::kNoBall, BlockRows::kNoBall};
  for (int k = 0; k < strips; ++k) {
    int column = 0, ball = 0;
    from(column, ball);
    from.expect((ball == 0 || ball == 1) && column >= 0 && column <= columns - BallRows::kColumns,
                "rows of balls do not fit the velocities");
    first[ball] = column;
  }
  rows.addBalls(balls, first);
}

void restoreStrips(MemoryReader& from, int rows_of_group, int strips, int columns,
                   BlockRows& rows) {
  rows.addGroup(rows_of_group);
  for (int k = 0; k < strips; ++k) {
    int first = 0, width = 0;
    from(first, width);
    from.expect(first >= 0 && width >= 0 && width <= columns && first <= columns - width,
                "rows do not fit the velocities");
    const std::size_t values =
        static_cast<std::size_t>(rows_of_group) * static_cast<std::size_t>(width);
    from.expect(values <= from.left() / sizeof(double), "it ends too early");
    const MatrixView strip = rows.addStrip(first, width);
    for (int i = 0; i < strip.rows; ++i)
      for (int j = 0; j < strip.columns; ++j) from(strip(i, j));
  }
}

void restore(MemoryReader& from, int columns, BlockRows& rows) {
  int groups = 0;
  from(groups);
  from.expect(groups >= 0, "a number of contacts or joints is less than 0");
  rows.clear();
  for (int group = 0; group < groups; ++group) {
    bool of_balls = false;
    int rows_of_group = 0, strips = 0;
    from(of_balls, rows_of_group, strips);
    from.expect(rows_of_group >= 0 && strips >= 0 && rows_of_group <= kMostInt - rows.rowCount(),
                "a contact or a joint has no sound number of rows");
    if (of_balls) {
      from.expect(rows_of_group == BallRows::kRows && strips >= 1 && strips <= 2,
                  "rows of balls are not as many as they should be");
      restoreBalls(from, strips, columns, rows);
    } else {
      restoreStrips(from, rows_of_group, strips, columns, rows);
    }
  }
}

// Sets: the few kinds that there are, then the kind of each contact.

void save(const ImpulseSets& sets, MemoryWriter& to) {
  std::unordered_map<const ImpulseSet*, int> place;
  std::vector<ImpulseSet> kinds;
  std::vector<int> kind_of;
  for (const ImpulseSet& set : sets) {
    const auto [found, is_new] = place.emplace(&set, static_cast<int>(kinds.size()));
    if (is_new) kinds.push_back(set);
    kind_of.push_back(found->second);
  }
  to(kinds, kind_of);
}

void restore(MemoryReader& from, ImpulseSets& sets) {
  std::vector<ImpulseSet> kinds;
  std::vector<int> kind_of;
  from(kinds, kind_of);
  sets.start(kinds, kind_of.size());
  for (std::size_t i = 0; i < kind_of.size(); ++i) {
    from.expect(kind_of[i] >= 0 && static_cast<std::size_t>(kind_of[i]) < kinds.size(),
                "a contact has none of the impulse sets that there are");
    sets.setKind(i, kind_of[i]);
  }
}

template <class Memory, MaybeConst<ContactProblem> Problem, MaybeConst<ContactSolution> Solution>
void numbersOf(Memory& memory, Problem& problem, Solution& solution) {
  memory(problem.v_free, problem.b, problem.g, problem.compliance, problem.contact_id,
         problem.v_old, problem.speed_friction, problem.gap, problem.drive, problem.joint_gap,
         problem.joint_drive, problem.duration);
  memory.choice(problem.law, Law::relaxed);
  memory(solution.v, solution.p, solution.c);
}

// Whoever goes through a problem and its solution relies on this. A scheme of a user's own may
// leave out what neither solvers nor views need; without rows there need be no solution.
bool fitsTogether(const ContactProblem& problem, const ContactSolution& solution) {
  const auto isOneFor = [](const auto& values, std::size_t count) {
    return values.empty() || values.size() == count;
  };
  const std::size_t contacts = problem.contactCount(), rows = problem.J.rowCount();
  const std::size_t joint_rows = problem.G.rowCount(), columns = problem.velocityCount();
  const auto isSolvedFor = [&](const std::vector<double>& values, std::size_t count) {
    return values.size() == count || (rows + joint_rows == 0 && values.empty());
  };
  bool fits = problem.sets.size() == contacts && problem.contact_id.size() == contacts &&
              problem.gap.size() == contacts && problem.b.size() == rows &&
              problem.g.size() == joint_rows;
  for (std::size_t i = 0; i < contacts && fits; ++i)
    fits = problem.sets[i].dimension() == problem.J.rowsOf(static_cast<int>(i));
  for (const auto* x : {&problem.v_free, &problem.v_old, &solution.v})
    fits = fits && isSolvedFor(*x, columns);
  for (const auto* x : {&problem.compliance, &problem.joint_gap, &problem.joint_drive})
    fits = fits && isOneFor(*x, joint_rows);
  return fits && isOneFor(problem.speed_friction, contacts) && isOneFor(problem.drive, rows) &&
         isSolvedFor(solution.p, rows) && isSolvedFor(solution.c, joint_rows);
}

}  // namespace

void saveProblem(const ContactProblem& problem, const ContactSolution& solution, MemoryWriter& to) {
  save(problem.M, to);
  save(problem.J, to);
  save(problem.G, to);
  save(problem.sets, to);
  numbersOf(to, problem, solution);
}

void restoreProblem(MemoryReader& from, ContactProblem& problem, ContactSolution& solution) {
  restore(from, problem.M);
  restore(from, problem.M.size(), problem.J);
  restore(from, problem.M.size(), problem.G);
  restore(from, problem.sets);
  numbersOf(from, problem, solution);
  from.expect(fitsTogether(problem, solution), "sizes do not fit each other");
}

void saveContacts(const ContactSet& contacts, MemoryWriter& to) {
  to(contacts.parameters, contacts.contacts);
}

void restoreContacts(MemoryReader& from, ContactSet& contacts) {
  contacts.clear();
  from(contacts.parameters, contacts.contacts);
  for (const Contact& contact : contacts.contacts)
    from.expect(contact.parameters >= 0 &&
                    static_cast<std::size_t>(contact.parameters) < contacts.parameters.size(),
                "a contact has none of the laws that there are");
}

}  // namespace stickslip
