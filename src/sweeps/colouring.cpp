#include "sweeps/colouring.hpp"

#include <algorithm>

#include "math/index.hpp"

namespace stickslip {

void Colouring::find(std::span<const std::array<int, 2>> bodies, int body_count) {
  colours_.start(body_count);
  colour_of_.resize(bodies.size());
  std::array<int, kColours + 1> sizes{};
  int used = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int colour = colours_.take(bodies[i]);
    colour_of_[i] = static_cast<unsigned char>(colour);
    ++sizes[at(colour)];
    if (colour < kColours) used = std::max(used, colour + 1);
  }
  // Those left over come after the last colour in use.
  sizes[at(used)] += used < kColours ? sizes[at(kColours)] : 0;
  first_.assign(at(used) + 2, 0);
  for (int k = 0; k <= used; ++k) first_[at(k) + 1] = first_[at(k)] + sizes[at(k)];
  members_.resize(bodies.size());
  std::array<int, kColours + 1> next{};
  std::copy_n(first_.begin(), at(used) + 1, next.begin());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    int& place = next[at(std::min<int>(colour_of_[i], used))];
    members_[at(place++)] = static_cast<int>(i);
  }
}

std::span<const int> Colouring::part(int k) const {
  return std::span(members_).subspan(at(first_[at(k)]), at(first_[at(k) + 1] - first_[at(k)]));
}

}  // namespace stickslip
