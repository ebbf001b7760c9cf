#include "problem/islands.hpp"

#include <algorithm>
#include <numeric>

#include "base/index.hpp"
#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kNowhere = -1;
constexpr int kGroupsAtOnce = 1024;

// Those of balls have a normal.
bool isZero(const BlockRows& rows, int group, const BlockRows::Strip& strip) {
  if (strip.form() != BlockRows::Form::dense) return false;
  const StripValues entries = rows.values(group, strip);
  const ConstMatrixView values = entries.view();
  return std::all_of(values.data, values.data + values.rows * values.columns,
                     [](double x) { return x == 0; });
}

}  // namespace

std::span<const int> Islands::Lists::of(int island) const {
  const auto begin = at(first[island]), end = at(first[island + 1]);
  return std::span(members).subspan(begin, end - begin);
}

void Islands::reserve(int velocities, int contacts, int joint_rows) {
  const std::size_t v = velocities, n = contacts, k = joint_rows;
  for (auto* list : {&parent_, &island_of_root_, &block_node_}) list->reserve(v);
  contact_node_.reserve(n);
  unmoved_.reserve(n);
  joint_node_.reserve(k);
  island_of_.reserve(std::max({v, n, k}));
  next_.reserve(n + k + 1);
  for (Lists* lists : {&contacts_, &joints_, &blocks_}) {
    lists->first.reserve(n + k + 1);
    lists->members.reserve(std::max({v, n, k}));
  }
}

void Islands::startNodes(int count) {
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0);
}

// Ways to the root are halved as they are gone. Other threads may do so, too: whatever they store,
// it is on the way.
int Islands::rootOf(int node) {
  for (;;) {
    const int parent = parentOf(node).load(std::memory_order_relaxed);
    if (parent == node) return node;
    const int next = parentOf(parent).load(std::memory_order_relaxed);
    if (next != parent) parentOf(node).store(next, std::memory_order_relaxed);
    node = next;
  }
}

// The smaller root stays, so that the result does not depend on the order.
void Islands::connect(int a, int b) {
  for (;;) {
    const int first = rootOf(a), second = rootOf(b);
    if (first == second) return;
    int larger = std::max(first, second);
    // Unless another thread has just given it a parent.
    if (parentOf(larger).compare_exchange_strong(larger, std::min(first, second),
                                                 std::memory_order_relaxed))
      return;
  }
}

void Islands::connectStrips(const ContactProblem& problem, const BlockRows& rows,
                            std::vector<int>& node) {
  node.resize(rows.groupCount());
  parallelFor(rows.groupCount(), kGroupsAtOnce, [&](int begin, int end) {
    for (int group = begin; group < end; ++group) node[group] = connectStrips(problem, rows, group);
  });
}

// A block of the group.
int Islands::connectStrips(const ContactProblem& problem, const BlockRows& rows, int group) {
  int node = kNowhere;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    // A joint may be a spring of no direction, whose impulse its compliance decides.
    if (&rows == &problem.J && isZero(rows, group, strip)) continue;
    const int first = problem.M.blockOf(strip.first_column);
    const int last = problem.M.blockOf(strip.first_column + strip.columns - 1);
    if (node == kNowhere) node = first;
    for (int block = first; block <= last; ++block) connect(node, block);
  }
  return node;
}

void Islands::find(const ContactProblem& problem) {
  startNodes(problem.M.blockCount());
  connectStrips(problem, problem.J, contact_node_);
  connectStrips(problem, problem.G, joint_node_);
  islands_ = 0;
  island_of_root_.assign(parent_.size(), kNowhere);
  numberIslands(contact_node_);
  numberIslands(joint_node_);
  collect(contact_node_, contacts_);
  collect(joint_node_, joints_);
  block_node_.resize(parent_.size());
  std::iota(block_node_.begin(), block_node_.end(), 0);
  collect(block_node_, blocks_);
  collectUnmoved();
  whole_ = islands_ == 1 && contacts_.members.size() == contact_node_.size() &&
           joints_.members.size() == joint_node_.size() &&
           blocks_.members.size() == block_node_.size();
}

void Islands::find(const LocalProblem& problem) {
  const int count = problem.contactCount();
  startNodes(count);
  contact_of_row_.clear();
  for (int i = 0; i < count; ++i)
    contact_of_row_.insert(contact_of_row_.end(), at(problem.sets[i].dimension()), i);
  contact_node_.assign(count, kNowhere);
  for (int row = 0; row < problem.W.rows; ++row)
    for (std::size_t k = problem.W.start[row]; k < problem.W.start[row + 1]; ++k) {
      if (problem.W.value[k] == 0) continue;
      const int contact = contact_of_row_[row];
      contact_node_[contact] = contact;
      connect(contact, contact_of_row_[problem.W.column[k]]);
    }
  joint_node_.clear();
  islands_ = 0;
  island_of_root_.assign(parent_.size(), kNowhere);
  numberIslands(contact_node_);
  collect(contact_node_, contacts_);
  collect(joint_node_, joints_);
  block_node_.clear();
  collect(block_node_, blocks_);
  collectUnmoved();
}

void Islands::collectUnmoved() {
  unmoved_.clear();
  for (std::size_t k = 0; k < contact_node_.size(); ++k)
    if (contact_node_[k] == kNowhere) unmoved_.push_back(static_cast<int>(k));
}

void Islands::numberIslands(std::span<const int> nodes) {
  for (const int node : nodes) {
    if (node == kNowhere) continue;
    int& island = island_of_root_[rootOf(node)];
    if (island == kNowhere) island = islands_++;
  }
}

void Islands::collect(std::span<const int> nodes, Lists& lists) {
  island_of_.resize(nodes.size());
  parallelFor(static_cast<int>(nodes.size()), kGroupsAtOnce, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int node = nodes[k];
      island_of_[k] = node == kNowhere ? kNowhere : island_of_root_[rootOf(node)];
    }
  });
  lists.first.assign(at(islands_) + 1, 0);
  for (const int island : island_of_)
    if (island != kNowhere) ++lists.first[island + 1];
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  lists.members.resize(lists.first.back());
  next_.assign(lists.first.begin(), lists.first.end());
  for (std::size_t k = 0; k < island_of_.size(); ++k)
    if (island_of_[k] != kNowhere) lists.members[next_[island_of_[k]]++] = static_cast<int>(k);
}

}  // namespace stickslip
