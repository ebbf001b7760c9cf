// Four numbers at once, one for each contact of a packet. Included once for every vector width, by
// lanes_narrow_body.hpp and lanes_wide_body.hpp, into a namespace that has `Vector`, its square
// root, and pairs of numbers in it. No include guard, no includes.
//
// Every lane sees the same operations in the same order whatever the width.

constexpr int kParts = static_cast<int>(kLanes * sizeof(double) / sizeof(Vector));
constexpr int kWidth = kLanes / kParts;

using Bits = decltype(Vector{} < Vector{});

struct Mask {
  Bits part[kParts];
};

struct Lanes {
  Vector part[kParts];

  Lanes() = default;
  explicit Lanes(double x) {
    for (Vector& v : part) v = Vector{} + x;
  }
  static Lanes load(const double* from) {
    Lanes out;
    std::memcpy(out.part, from, sizeof out.part);
    return out;
  }
  void store(double* to) const { std::memcpy(to, part, sizeof part); }
  double operator[](int lane) const { return part[lane / kWidth][lane % kWidth]; }
};

template <class Result = Lanes, class Operation>
[[gnu::always_inline]] inline Result byParts(Operation operation) {
  Result out;
  for (int k = 0; k < kParts; ++k) out.part[k] = operation(k);
  return out;
}

[[gnu::always_inline]] inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] + b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] - b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] * b.part[k]; });
}
[[gnu::always_inline]] inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return a.part[k] / b.part[k]; });
}
[[gnu::always_inline]] inline Lanes squareRoot(const Lanes& a) {
  return byParts([&](int k) { return squareRootOf(a.part[k]); });
}
[[gnu::always_inline]] inline Mask operator<(const Lanes& a, const Lanes& b) {
  return byParts<Mask>([&](int k) { return a.part[k] < b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator<=(const Lanes& a, const Lanes& b) {
  return byParts<Mask>([&](int k) { return a.part[k] <= b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator&(const Mask& a, const Mask& b) {
  return byParts<Mask>([&](int k) { return a.part[k] & b.part[k]; });
}
[[gnu::always_inline]] inline Mask operator~(const Mask& a) {
  return byParts<Mask>([&](int k) { return ~a.part[k]; });
}
[[gnu::always_inline]] inline bool any(const Mask& a) {
  Bits all = a.part[0];
  for (int k = 1; k < kParts; ++k) all |= a.part[k];
  bool found = false;
  for (int k = 0; k < kWidth; ++k) found |= all[k] != 0;
  return found;
}
/// a where the mask is set, else b.
[[gnu::always_inline]] inline Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
  return byParts([&](int k) { return mask.part[k] ? a.part[k] : b.part[k]; });
}
[[gnu::always_inline]] inline Lanes larger(const Lanes& a, const Lanes& b) {
  return select(b < a, a, b);
}
[[gnu::always_inline]] inline Lanes magnitude(const Lanes& a) {
  return larger(a, Lanes(0.0) - a);
}

/// The largest of the four, if one is above 0.
inline double largestLane(const Lanes& a) {
  double largest = 0;
  for (int lane = 0; lane < kLanes; ++lane) largest = std::max(largest, a[lane]);
  return largest;
}

// `count` pairs of numbers of each of four slots become 2 * count Lanes, and back. Nothing is
// written to kNoSlot.
[[gnu::always_inline]] inline void loadSlots(const double* w, const int* slot, int count,
                                             Lanes* out) {
  for (int pair = 0; pair < count; ++pair)
    for (int k = 0; k < kParts; ++k) {
      const Vector even = pairsAt(w + 2 * pair, slot + k * kWidth);
      const Vector odd = pairsAt(w + 2 * pair, slot + k * kWidth + 1);
      out[2 * pair].part[k] = firstOfPairs(even, odd);
      out[2 * pair + 1].part[k] = secondOfPairs(even, odd);
    }
}

// The first C numbers at each of four places become C Lanes.
template <int C>
[[gnu::always_inline]] inline void loadPlaces(const double* const* place, Lanes* out) {
  for (int k = 0; k < kParts; ++k)
    for (int pair = 0; 2 * pair < C; ++pair) {
      // Where C is odd, the last pair begins one place earlier.
      const int first = 2 * pair + 1 < C ? 2 * pair : C - 2;
      const Vector even = pairsOf(place + k * kWidth, first);
      const Vector odd = pairsOf(place + k * kWidth + 1, first);
      out[first].part[k] = firstOfPairs(even, odd);
      out[first + 1].part[k] = secondOfPairs(even, odd);
    }
}

[[gnu::always_inline]] inline void storeSlots(const Lanes* in, const int* slot, int count,
                                              double* w) {
  for (int pair = 0; pair < count; ++pair)
    for (int k = 0; k < kParts; ++k) {
      const Vector first = in[2 * pair].part[k], second = in[2 * pair + 1].part[k];
      storePairs(firstOfPairs(first, second), slot + k * kWidth, w + 2 * pair);
      storePairs(secondOfPairs(first, second), slot + k * kWidth + 1, w + 2 * pair);
    }
}

// Asks for the velocities of a packet that comes a little later. Packets follow each other, which
// the processor sees, but it cannot know where their bodies are: of 10^5 bodies sweeps take half as
// long again without.
template <class Packet>
[[gnu::always_inline]] inline void fetchAhead(const Packet* packet, const Packet* end,
                                              const double* w) {
  constexpr int kAhead = 4;
  if (end - packet <= kAhead) return;
  for (const auto& slots : packet[kAhead].slot)
    for (const int slot : slots) __builtin_prefetch(w + slot);
}
