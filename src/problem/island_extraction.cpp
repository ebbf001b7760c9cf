#include "problem/island_extraction.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace stickslip {
namespace {

constexpr int kNoColumn = -1;

}  // namespace

void ExtractedIsland::reserve(int velocities, int contacts, int rows, int joint_rows) {
  const std::size_t v = velocities, n = contacts, m = rows, k = joint_rows;
  new_column_.reserve(v);
  sizes_.reserve(v);
  // Bodies: a contact or a joint touches two blocks of up to 6 velocities.
  for (const int size : {1, 6}) {
    sizes_.assign((velocities + size - 1) / size, size);
    part_.M.resize(sizes_);
  }
  part_.J.reserve(contacts, 2 * contacts, 12 * m);
  part_.G.reserve(joint_rows, 2 * joint_rows, 12 * k);
  part_.v_free.reserve(v);
  part_.b.reserve(m);
  part_.sets.reserve(n);
  part_.contact_id.reserve(n);
  part_.g.reserve(k);
  part_.compliance.reserve(k);
}

void ExtractedIsland::extract(const ContactProblem& problem, const Islands& islands, int island) {
  part_.law = problem.law;
  extractBlocks(problem, islands.blocks(island));
  extractRows(problem.J, islands.contacts(island), part_.J);
  part_.b.clear();
  part_.sets.clear();
  part_.contact_id.clear();
  for (const int i : islands.contacts(island)) {
    const auto row = problem.b.begin() + problem.J.firstRow(i);
    part_.b.insert(part_.b.end(), row, row + problem.J.rowsOf(i));
    part_.sets.push_back(problem.sets[i]);
    if (!problem.contact_id.empty()) part_.contact_id.push_back(problem.contact_id[i]);
  }
  extractRows(problem.G, islands.joints(island), part_.G);
  part_.g.clear();
  part_.compliance.clear();
  for (const int j : islands.joints(island))
    for (int row = problem.G.firstRow(j); row < problem.G.firstRow(j) + problem.G.rowsOf(j);
         ++row) {
      part_.g.push_back(problem.g[row]);
      part_.compliance.push_back(problem.compliance[row]);
    }
}

void ExtractedIsland::extractBlocks(const ContactProblem& problem, std::span<const int> blocks) {
  sizes_.clear();
  part_.v_free.clear();
  new_column_.assign(problem.v_free.size(), kNoColumn);
  for (const int b : blocks) {
    const int size = problem.M.block(b).rows, first = problem.M.firstRow(b);
    sizes_.push_back(size);
    for (int k = first; k < first + size; ++k) {
      new_column_[k] = static_cast<int>(part_.v_free.size());
      part_.v_free.push_back(problem.v_free[k]);
    }
  }
  part_.M.resize(sizes_);
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    const ConstMatrixView from = problem.M.block(blocks[k]);
    std::copy_n(from.data, at(from.rows * from.rows), part_.M.block(static_cast<int>(k)).data);
  }
}

// A strip over several blocks stays in one piece: all of them are in the island, in their order.
// Strips that lead out of it are zero.
void ExtractedIsland::extractRows(const BlockRows& from, std::span<const int> groups,
                                  BlockRows& to) const {
  to.clear();
  for (const int group : groups) {
    to.addGroup(from.rowsOf(group));
    for (const BlockRows::Strip& strip : from.stripsOf(group)) {
      if (strip.columns == 0 || new_column_[strip.first_column] == kNoColumn) continue;
      const StripValues entries = from.values(group, strip);
      const ConstMatrixView values = entries.view();
      const MatrixView copy = to.addStrip(new_column_[strip.first_column], strip.columns);
      std::copy_n(values.data, at(values.rows * values.columns), copy.data);
    }
  }
}

void ExtractedIsland::insert(const ContactProblem& problem, const Islands& islands, int island,
                             const ContactSolution& part, ContactSolution& whole) {
  auto v = part.v.begin();
  for (const int b : islands.blocks(island)) {
    const int size = problem.M.block(b).rows;
    std::copy_n(v, size, whole.v.begin() + problem.M.firstRow(b));
    v += size;
  }
  const auto insertRows = [](const BlockRows& rows, std::span<const int> groups,
                             std::vector<double>::const_iterator from, std::vector<double>& to) {
    for (const int group : groups) {
      std::copy_n(from, rows.rowsOf(group), to.begin() + rows.firstRow(group));
      from += rows.rowsOf(group);
    }
  };
  insertRows(problem.J, islands.contacts(island), part.p.begin(), whole.p);
  insertRows(problem.G, islands.joints(island), part.c.begin(), whole.c);
}

}  // namespace stickslip
