#include "stickslip/system.hpp"

#include <numeric>

namespace stickslip {

void ContactSet::clear() {
  contacts.clear();
  directions.clear();
  drive.clear();
}

void JointSet::clear() {
  directions.clear();
  gap.clear();
  drive.clear();
}

double System::potentialEnergy(double, std::span<const double>) const {
  return 0;
}

int System::velocityCount() const {
  const std::span<const int> blocks = velocityBlocks();
  return std::accumulate(blocks.begin(), blocks.end(), 0);
}

}  // namespace stickslip
