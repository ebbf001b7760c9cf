#include "math/ordering/minimum_degree.hpp"

#include <algorithm>

namespace stickslip {
namespace {

constexpr int kNobody = -1;

}  // namespace

void MinimumDegree::order(const BlockGraph& graph, std::span<const int> stages,
                          std::vector<int>& order) {
  start(graph, stages);
  order.clear();
  order.reserve(blocks_);
  while (blocks_left_ > 0) {
    const int p = takeLowest();
    if (p == kNobody) {
      ++stage_;
      enterStage();
      continue;
    }
    eliminate(p);
    emit(p, order);
  }
}

void MinimumDegree::start(const BlockGraph& graph, std::span<const int> stages) {
  blocks_ = blocks_left_ = graph.blockCount();
  const std::size_t n = blocks_;
  stages_.assign(stages.begin(), stages.end());
  weight_.assign(graph.sizes().begin(), graph.sizes().end());
  pool_.clear();
  first_.resize(n);
  length_.resize(n);
  degree_.resize(n);
  rows_left_ = 0;
  for (int i = 0; i < blocks_; ++i) {
    const auto neighbours = graph.neighbours(i);
    first_[i] = static_cast<int>(pool_.size());
    length_[i] = static_cast<int>(neighbours.size());
    pool_.insert(pool_.end(), neighbours.begin(), neighbours.end());
    degree_[i] = 0;
    for (const int j : neighbours) degree_[i] += weight_[j];
    rows_left_ += weight_[i];
  }
  for (auto* zeros : {&elements_, &element_weight_, &outside_, &outside_stamp_, &mark_})
    zeros->assign(n, 0);
  for (auto* none : {&next_, &previous_, &next_member_, &bucket_, &hash_next_})
    none->assign(n, kNobody);
  last_member_.resize(n);
  for (int i = 0; i < blocks_; ++i) last_member_[i] = i;
  head_.assign(static_cast<std::size_t>(rows_left_) + 1, kNobody);
  stamp_ = 0;
  stage_ = 0;
  enterStage();
}

void MinimumDegree::enterStage() {
  lowest_ = static_cast<int>(head_.size());
  // From the back, as the last one in is the first one out: ties go by number.
  for (int i = blocks_; i-- > 0;)
    if (weight_[i] > 0 && stages_[i] == stage_) insert(i);
}

void MinimumDegree::insert(int i) {
  const int degree = degree_[i];
  next_[i] = head_[degree];
  previous_[i] = kNobody;
  if (next_[i] != kNobody) previous_[next_[i]] = i;
  head_[degree] = i;
  lowest_ = std::min(lowest_, degree);
}

void MinimumDegree::remove(int i) {
  if (next_[i] != kNobody) previous_[next_[i]] = previous_[i];
  if (previous_[i] != kNobody)
    next_[previous_[i]] = next_[i];
  else
    head_[degree_[i]] = next_[i];
}

int MinimumDegree::takeLowest() {
  const int end = static_cast<int>(head_.size());
  while (lowest_ < end && head_[lowest_] == kNobody) ++lowest_;
  if (lowest_ == end) return kNobody;
  const int p = head_[lowest_];
  remove(p);
  return p;
}

void MinimumDegree::eliminate(int p) {
  ++stamp_;
  gather(p);
  measureElements(p);
  const int end = first_[p] + length_[p];
  for (int k = first_[p]; k < end; ++k) updateVariable(pool_[k], p);
  mergeIndistinguishable();
  finishElement(p);
}

// The new element: all blocks that p is coupled with, directly or through its elements.
void MinimumDegree::gather(int p) {
  mark_[p] = stamp_;
  rows_left_ -= weight_[p];
  weight_[p] = 0;
  element_rows_ = 0;
  const int start = static_cast<int>(pool_.size());
  const int list = first_[p], list_end = list + length_[p], variables = list + elements_[p];
  for (int k = list; k < variables; ++k) {
    const int e = pool_[k];
    if (element_weight_[e] == 0) continue;
    for (int l = first_[e]; l < first_[e] + length_[e]; ++l) take(pool_[l]);
    element_weight_[e] = 0;
  }
  for (int k = variables; k < list_end; ++k) take(pool_[k]);
  first_[p] = start;
  length_[p] = static_cast<int>(pool_.size()) - start;
}

void MinimumDegree::take(int i) {
  if (weight_[i] == 0 || mark_[i] == stamp_) return;
  mark_[i] = stamp_;
  element_rows_ += weight_[i];
  if (stages_[i] == stage_) remove(i);
  pool_.push_back(i);
}

// How many rows of the older elements lie outside the new one.
void MinimumDegree::measureElements(int p) {
  for (int k = first_[p]; k < first_[p] + length_[p]; ++k) {
    const int i = pool_[k];
    for (int l = first_[i]; l < first_[i] + elements_[i]; ++l) {
      const int e = pool_[l];
      if (element_weight_[e] == 0) continue;
      if (outside_stamp_[e] != stamp_) {
        outside_stamp_[e] = stamp_;
        outside_[e] = element_weight_[e];
      }
      outside_[e] -= weight_[i];
    }
  }
}

void MinimumDegree::updateVariable(int i, int p) {
  int degree = 0;
  unsigned hash = 0;
  pruneList(i, p, degree, hash);
  if (length_[i] == 1 && stages_[i] == stage_) {
    // Coupled with nothing but the element: eliminating it now costs no fill.
    element_rows_ -= weight_[i];
    rows_left_ -= weight_[i];
    weight_[i] = 0;
    next_member_[last_member_[p]] = i;
    last_member_[p] = last_member_[i];
    return;
  }
  degree_[i] = std::min(degree_[i], degree);
  const auto bucket = static_cast<int>(hash % static_cast<unsigned>(blocks_));
  hash_next_[i] = bucket_[bucket];
  if (bucket_[bucket] == kNobody) touched_.push_back(bucket);
  bucket_[bucket] = i;
}

// Drops what the new element p covers from the list of i and adds p, for which there is room, as
// at least one entry was p or an element that p has absorbed.
void MinimumDegree::pruneList(int i, int p, int& degree, unsigned& hash) {
  const int list = first_[i], variables = list + elements_[i], end = list + length_[i];
  int kept = list;
  for (int k = list; k < variables; ++k) {
    const int e = pool_[k];
    if (element_weight_[e] == 0) continue;
    if (outside_[e] == 0) {
      element_weight_[e] = 0;
      continue;
    }
    degree += outside_[e];
    hash += static_cast<unsigned>(e);
    pool_[kept++] = e;
  }
  const int place_of_p = kept;
  elements_[i] = kept - list + 1;
  for (int k = variables; k < end; ++k) {
    const int j = pool_[k];
    if (weight_[j] == 0 || mark_[j] == stamp_) continue;
    degree += weight_[j];
    hash += static_cast<unsigned>(j);
    pool_[kept++] = j;
  }
  pool_[kept++] = pool_[place_of_p];
  pool_[place_of_p] = p;
  length_[i] = kept - list;
}

void MinimumDegree::mergeIndistinguishable() {
  for (const int bucket : touched_) {
    for (int i = bucket_[bucket]; i != kNobody; i = hash_next_[i]) {
      int before = i;
      for (int j = hash_next_[i]; j != kNobody; j = hash_next_[j]) {
        if (sameList(i, j)) {
          mergeInto(i, j);
          hash_next_[before] = hash_next_[j];
        } else {
          before = j;
        }
      }
    }
    bucket_[bucket] = kNobody;
  }
  touched_.clear();
}

// Both lists follow the same order only by chance, so they are compared as sets; they are short.
bool MinimumDegree::sameList(int i, int j) const {
  if (length_[i] != length_[j] || elements_[i] != elements_[j] || stages_[i] != stages_[j])
    return false;
  const auto list = pool_.begin() + first_[i];
  for (int k = first_[j]; k < first_[j] + length_[j]; ++k)
    if (std::find(list, list + length_[i], pool_[k]) == list + length_[i]) return false;
  return true;
}

void MinimumDegree::mergeInto(int i, int j) {
  weight_[i] += weight_[j];
  weight_[j] = 0;
  next_member_[last_member_[i]] = j;
  last_member_[i] = last_member_[j];
}

// Bounds of the degree: what is left, what it was plus the element, and the sum over the list
// (the last two have been compared before the element's own rows were known).
void MinimumDegree::finishElement(int p) {
  int kept = first_[p];
  for (int k = first_[p]; k < first_[p] + length_[p]; ++k) {
    const int i = pool_[k];
    if (weight_[i] == 0) continue;
    const int others = element_rows_ - weight_[i];
    degree_[i] = std::min(degree_[i] + others, rows_left_ - weight_[i]);
    if (stages_[i] == stage_) insert(i);
    pool_[kept++] = i;
  }
  length_[p] = kept - first_[p];
  element_weight_[p] = element_rows_;
  pool_.resize(kept);
}

void MinimumDegree::emit(int p, std::vector<int>& order) {
  for (int i = p; i != kNobody; i = next_member_[i]) {
    order.push_back(i);
    --blocks_left_;
  }
}

}  // namespace stickslip
