// For tests: the inputs behind the checksums of the goldens, made from the same random numbers as
// in make_goldens.py, and helpers to read the goldens.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "base/arrays/numpy_text.h"

namespace polygraphy::golden {

// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

// CRC-32 as zlib's, as eight hexadecimal digits.
std::string crc(std::span<const std::byte> bytes);
std::string crc(std::string_view text);

// The lines of src/base/testdata/<name> without comments, each split at spaces.
std::vector<std::vector<std::string>> words(const std::string& name);
// The lines as they are, without comments.
std::vector<std::string> lines(const std::string& name);

// All codes of types of at most 16 bits, edges and random values of the others. Packed types are
// packed.
Array conversion_inputs(DataType type);
// The checksum that conversions.txt has for these elements: packed types count one byte per
// element.
std::string crc_of_elements(const Array& array);

std::vector<double> random_doubles(Random& random, int64_t count, uint64_t kind, bool specials);

struct PrintCase {
  Array array;
  NumpyPrintOptions options;
};
PrintCase random_print_case(uint64_t seed);

// The texts of STRINGS in make_goldens.py.
std::span<const std::string_view> strings();

}  // namespace polygraphy::golden
