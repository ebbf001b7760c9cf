#include "convergence/packed_run.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace stickslip {
namespace {

template <class Number>
void put(std::string& out, const Number& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void putAll(std::string& out, const std::vector<double>& values) {
  put(out, values.size());
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  Number take() {
    Number value;
    copyTo(&value, sizeof value);
    return value;
  }
  std::vector<double> takeAll() {
    const auto count = take<std::size_t>();
    if (count > left_.size() / sizeof(double))
      throw std::runtime_error("a run came back incomplete");
    std::vector<double> values(count);
    copyTo(values.data(), count * sizeof(double));
    return values;
  }

 private:
  void copyTo(void* to, std::size_t size) {
    if (size > left_.size()) throw std::runtime_error("a run came back incomplete");
    std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }
  std::string_view left_;
};

}  // namespace

std::string packed(const StudyRun& run) {
  std::string out;
  put(out, run.step);
  put(out, run.uncertified_steps);
  put(out, run.residual_max);
  put(out, run.stopped);
  put(out, run.motion.positions);
  put(out, run.motion.velocities);
  putAll(out, run.motion.times);
  putAll(out, run.motion.q);
  putAll(out, run.motion.u);
  return out;
}

StudyRun unpacked(std::string_view bytes) {
  Unpacker from(bytes);
  StudyRun run;
  run.step = from.take<double>();
  run.uncertified_steps = from.take<std::int64_t>();
  run.residual_max = from.take<double>();
  run.stopped = from.take<bool>();
  run.motion.positions = from.take<std::size_t>();
  run.motion.velocities = from.take<std::size_t>();
  run.motion.times = from.takeAll();
  run.motion.q = from.takeAll();
  run.motion.u = from.takeAll();
  return run;
}

}  // namespace stickslip
