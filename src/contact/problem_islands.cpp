#include "contact/problem_islands.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

std::span<const int> ProblemIslands::Members::of(int island) const {
  const int begin = first[at(island)];
  return std::span(member).subspan(at(begin), at(first[at(island) + 1] - begin));
}

void ProblemIslands::reserve(int velocities, int contacts, int rows, int joint_rows,
                             ContactProblem& part) {
  const std::size_t v = at(velocities), n = at(contacts), m = at(rows), k = at(joint_rows);
  parent_.reserve(v + n + k);
  island_.reserve(v + n + k);
  for (auto* list : {&block_of_, &new_column_, &sizes_}) list->reserve(v);
  for (Members* members : {&blocks_, &contacts_, &joints_}) {
    members->first.reserve(n + k + 1);
    members->member.reserve(std::max({v, n, k}));
  }
  // Bodies: a contact or a joint touches two blocks of up to 6 velocities.
  for (const int size : {1, 6}) {
    sizes_.assign(at((velocities + size - 1) / size), size);
    part.M.resize(sizes_);
  }
  part.J.reserve(contacts, 2 * contacts, 12 * m);
  part.G.reserve(joint_rows, 2 * joint_rows, 12 * k);
  part.v_free.reserve(v);
  part.b.reserve(m);
  part.sets.reserve(n);
  part.contact_id.reserve(n);
  part.g.reserve(k);
  part.compliance.reserve(k);
}

void ProblemIslands::find(const ContactProblem& problem) {
  const int blocks = problem.M.blockCount();
  const int contacts = problem.J.groupCount(), joints = problem.G.groupCount();
  block_of_.clear();
  for (int b = 0; b < blocks; ++b)
    block_of_.insert(block_of_.end(), at(problem.M.block(b).rows), b);
  parent_.resize(at(blocks + contacts + joints));
  std::iota(parent_.begin(), parent_.end(), 0);
  connectGroups(problem.J, blocks);
  connectGroups(problem.G, blocks + contacts);
  numberIslands(blocks);
  collect(0, blocks, blocks_);
  collect(blocks, contacts, contacts_);
  collect(blocks + contacts, joints, joints_);
  whole_ = count() == 1 && static_cast<int>(blocks_.member.size()) == blocks;
}

int ProblemIslands::rootOf(int node) {
  auto k = at(node);
  while (parent_[k] != static_cast<int>(k)) {
    parent_[k] = parent_[at(parent_[k])];  // halves the way for later ones
    k = at(parent_[k]);
  }
  return static_cast<int>(k);
}

void ProblemIslands::connect(int a, int b) {
  const int root_a = rootOf(a), root_b = rootOf(b);
  parent_[at(std::max(root_a, root_b))] = std::min(root_a, root_b);
}

void ProblemIslands::connectGroups(const BlockRows& rows, int first_node) {
  for (int group = 0; group < rows.groupCount(); ++group)
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      if (strip.columns == 0) continue;
      const int last = block_of_[at(strip.first_column + strip.columns - 1)];
      for (int block = block_of_[at(strip.first_column)]; block <= last; ++block)
        connect(first_node + group, block);
    }
}

// Roots are the first nodes of their islands, hence blocks where there are any.
void ProblemIslands::numberIslands(int blocks) {
  island_.assign(parent_.size(), -1);
  for (int node = blocks; node < static_cast<int>(parent_.size()); ++node)
    island_[at(rootOf(node))] = 0;
  int count = 0;
  for (int node = 0; node < static_cast<int>(parent_.size()); ++node) {
    const int root = rootOf(node);
    if (root == node && island_[at(node)] == 0) island_[at(node)] = count++;
    island_[at(node)] = island_[at(root)];
  }
  for (Members* members : {&blocks_, &contacts_, &joints_}) members->first.assign(at(count) + 1, 0);
}

// Sorts the nodes by island, counting first.
void ProblemIslands::collect(int first_node, int nodes, Members& members) const {
  std::vector<int>& first = members.first;
  const auto islandOf = [&](int k) { return island_[at(first_node + k)]; };
  for (int k = 0; k < nodes; ++k)
    if (islandOf(k) >= 0) ++first[at(islandOf(k)) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  members.member.resize(at(first.back()));
  for (int k = nodes; k-- > 0;)
    // From the back: the end of an island moves down to its beginning.
    if (islandOf(k) >= 0) members.member[at(--first[at(islandOf(k)) + 1])] = k;
  // Now first[i + 1] is where island i begins.
  std::rotate(first.begin(), first.begin() + 1, first.end());
  first.back() = static_cast<int>(members.member.size());
}

void ProblemIslands::extract(const ContactProblem& problem, int island, ContactProblem& part) {
  sizes_.clear();
  part.v_free.clear();
  new_column_.resize(problem.v_free.size());
  for (const int b : blocks(island)) {
    const int size = problem.M.block(b).rows, first = problem.M.firstRow(b);
    sizes_.push_back(size);
    for (int k = first; k < first + size; ++k) {
      new_column_[at(k)] = static_cast<int>(part.v_free.size());
      part.v_free.push_back(problem.v_free[at(k)]);
    }
  }
  part.M.resize(sizes_);
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    const ConstMatrixView from = problem.M.block(blocks(island)[k]);
    std::copy_n(from.data, at(from.rows * from.rows), part.M.block(static_cast<int>(k)).data);
  }
  extractRows(problem.J, contacts(island), part.J);
  part.b.clear();
  part.sets.clear();
  part.contact_id.clear();
  for (const int i : contacts(island)) {
    const auto row = problem.b.begin() + problem.J.firstRow(i);
    part.b.insert(part.b.end(), row, row + problem.J.rowsOf(i));
    part.sets.push_back(problem.sets[at(i)]);
    if (!problem.contact_id.empty()) part.contact_id.push_back(problem.contact_id[at(i)]);
  }
  extractRows(problem.G, joints(island), part.G);
  part.g.clear();
  part.compliance.clear();
  for (const int j : joints(island))
    for (int row = problem.G.firstRow(j); row < problem.G.firstRow(j) + problem.G.rowsOf(j);
         ++row) {
      part.g.push_back(problem.g[at(row)]);
      part.compliance.push_back(problem.compliance[at(row)]);
    }
}

// A strip over several blocks stays in one piece: all of them are in the island, in their order.
void ProblemIslands::extractRows(const BlockRows& from, std::span<const int> groups,
                                 BlockRows& to) const {
  to.clear();
  for (const int group : groups) {
    to.addGroup(from.rowsOf(group));
    for (const BlockRows::Strip& strip : from.stripsOf(group)) {
      if (strip.columns == 0) continue;
      const ConstMatrixView values = from.values(group, strip);
      const MatrixView copy = to.addStrip(new_column_[at(strip.first_column)], strip.columns);
      std::copy_n(values.data, at(values.rows * values.columns), copy.data);
    }
  }
}

void ProblemIslands::insert(const ContactProblem& problem, int island, const ContactSolution& part,
                            ContactSolution& whole) const {
  auto v = part.v.begin();
  for (const int b : blocks(island)) {
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
  insertRows(problem.J, contacts(island), part.p.begin(), whole.p);
  insertRows(problem.G, joints(island), part.c.begin(), whole.c);
}

}  // namespace stickslip
