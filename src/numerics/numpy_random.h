// NumPy's legacy generator (np.random.RandomState), bit for bit: a seed gives here the numbers that
// it gives there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace polygraphy {

class NumpyRandom {
 public:
  explicit NumpyRandom(uint32_t seed);

  uint32_t next_uint32();

  // random_sample: each in [0, 1), from two draws.
  void fill_uniform(std::span<double> out);

  // randn (standard_normal): polar method of Marsaglia, two at a time; the second one of a pair is
  // kept for the next call.
  void fill_normal(std::span<double> out);

  // randint: each in [low, low + range], both ends included, for a dtype of that width. Narrow
  // types take several elements out of one draw; the rest of a draw at the end of a call is
  // discarded. A range of 0 draws nothing.
  void fill_bool(std::span<uint8_t> out, uint8_t low, uint8_t range);
  void fill_uint8(std::span<uint8_t> out, uint8_t low, uint8_t range);
  void fill_uint16(std::span<uint16_t> out, uint16_t low, uint16_t range);
  void fill_uint32(std::span<uint32_t> out, uint32_t low, uint32_t range);
  void fill_uint64(std::span<uint64_t> out, uint64_t low, uint64_t range);

 private:
  static constexpr int kWords = 624;
  void refill();
  double next_uniform();

  std::array<uint32_t, kWords> state_;
  int next_ = kWords;
  std::optional<double> second_normal_;
};

}  // namespace polygraphy
