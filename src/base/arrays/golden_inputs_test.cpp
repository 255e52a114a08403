#include "base/arrays/testdata/golden_inputs.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/os/mapped_file.h"
#include "base/text.h"

namespace polygraphy::golden {
namespace {

constexpr std::string_view kStrings[] = {
    "a",
    "b\u00e9\n",
    "it's",
    "\",\"q\"",
    "\x7f\u200b",
    "\u65e5\u672c\u8a9e",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "'\"",
    "tab\t",
    "\\",
    "",
};

constexpr auto kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
    table[i] = value;
  }
  return table;
}();

template <typename Unsigned>
Array from_bits(DataType type, const std::vector<Unsigned>& bits) {
  Array array = Array::uninitialized(type, {static_cast<int64_t>(bits.size())});
  std::memcpy(array.mutable_data(), bits.data(), bits.size() * sizeof(Unsigned));
  return array;
}

Array all_codes(DataType type) {
  const int bits = bit_width(type);
  const uint32_t count = type == DataType::kBool ? 2 : 1u << bits;
  if (bits == 16) {
    std::vector<uint16_t> codes(count);
    for (uint32_t i = 0; i < count; ++i) codes[i] = static_cast<uint16_t>(i);
    return from_bits(type, codes);
  }
  std::vector<uint8_t> codes(count);
  for (uint32_t i = 0; i < count; ++i) codes[i] = static_cast<uint8_t>(i);
  if (bits < 8) return pack(from_bits(DataType::kUint8, codes), type);
  return from_bits(type, codes);
}

Array integer_inputs(DataType type) {
  Random random(static_cast<uint64_t>(bit_width(type)));
  std::vector<uint64_t> values;
  for (int i = 0; i < 4000; ++i) {
    const uint64_t u = random.next();
    values.push_back(random.next() >> (u % 64));
  }
  for (int k = 0; k < 64; ++k) values.push_back((uint64_t{1} << k) - 1);
  values.push_back(~uint64_t{0});
  for (int k = 0; k < 64; ++k) values.push_back(uint64_t{1} << k);
  for (int k = 0; k < 64; ++k) values.push_back(0 - (uint64_t{1} << k));
  for (int k = 0; k < 64; ++k) values.push_back((uint64_t{1} << k) + 1);
  if (bit_width(type) == 64) return from_bits(type, values);
  return from_bits(type, std::vector<uint32_t>(values.begin(), values.end()));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEdgeFloats[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -1.5,
    127.0,
    127.9,
    128.0,
    -128.0,
    -128.9,
    -129.0,
    255.0,
    255.9,
    256.0,
    32767.0,
    32768.0,
    -32768.0,
    -32769.0,
    65504.0,
    65519.0,
    65520.0,
    65535.0,
    65536.0,
    448.0,
    464.0,
    465.0,
    480.0,
    57344.0,
    61440.0,
    61441.0,
    240.0,
    248.0,
    249.0,
    2147483520.0,
    2147483648.0,
    -2147483648.0,
    -2147483904.0,
    4294967040.0,
    9223371487098961920.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    18446742974197923840.0,
    18446744073709551616.0,
    3e38,
    -3e38,
    1e-38,
    1e-45,
    6e-8,
    3e-8,
    2.98e-8,
    kInfinity,
    -kInfinity,
};

// Random bits; numbers of at most 12 digits with their neighbours; edges.
template <typename Float, typename Unsigned>
std::vector<Unsigned> float_inputs(DataType type) {
  constexpr int kCount = 6000;
  Random random(static_cast<uint64_t>(bit_width(type)));
  std::vector<Unsigned> values;
  values.reserve(4 * kCount + std::size(kEdgeFloats));
  for (int i = 0; i < kCount; ++i) values.push_back(static_cast<Unsigned>(random.next()));
  std::vector<Unsigned> exact;
  for (int i = 0; i < kCount; ++i) {
    const uint64_t u = random.next();
    const uint64_t digits = (u & 0xfff) >> ((u >> 12) % 12);
    const int exponent = (u >> 40 & 3) != 0 ? static_cast<int>((u >> 20) % 60) - 40
                                            : static_cast<int>((u >> 20) % 280) - 150;
    const double sign = u >> 63 != 0 ? -1.0 : 1.0;
    exact.push_back(std::bit_cast<Unsigned>(
        static_cast<Float>(sign * std::ldexp(static_cast<double>(digits), exponent))));
  }
  for (const int step : {0, 1, -1}) {
    for (const Unsigned bits : exact) values.push_back(bits + static_cast<Unsigned>(step));
  }
  for (const double edge : kEdgeFloats) {
    values.push_back(std::bit_cast<Unsigned>(static_cast<Float>(edge)));
  }
  return values;
}

template <typename Float, typename Unsigned>
Array real_inputs(DataType type) {
  return from_bits(type, float_inputs<Float, Unsigned>(type));
}

template <typename Float, typename Unsigned>
Array complex_inputs(DataType type) {
  const std::vector<Unsigned> reals = float_inputs<Float, Unsigned>(type);
  Array array = Array::uninitialized(type, {static_cast<int64_t>(reals.size())});
  auto* to = reinterpret_cast<Unsigned*>(array.mutable_data());
  for (size_t i = 0; i < reals.size(); ++i) {
    to[2 * i] = reals[i];
    to[2 * i + 1] = reals[reals.size() - 1 - i];
  }
  return array;
}

Array interleaved(DataType type, const Array& reals, const Array& imaginaries) {
  Array array = Array::uninitialized(type, reals.shape());
  const auto item = static_cast<size_t>(bit_width(reals.dtype()) / 8);
  for (size_t i = 0; i < static_cast<size_t>(reals.size()); ++i) {
    std::memcpy(array.mutable_data() + 2 * i * item, reals.data() + i * item, item);
    std::memcpy(array.mutable_data() + (2 * i + 1) * item, imaginaries.data() + i * item, item);
  }
  return array;
}

std::string text_of(const std::string& name) {
  const auto file =
      MappedFile::open(std::string(PG_SOURCE_DIR) + "/src/base/arrays/testdata/" + name);
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

}  // namespace

std::string crc(std::span<const std::byte> bytes) {
  uint32_t value = 0xffffffffu;
  for (const std::byte byte : bytes) {
    value = kCrcTable[(value ^ std::to_integer<uint32_t>(byte)) & 0xff] ^ value >> 8;
  }
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[~value >> shift & 15];
  return text;
}

std::string crc(std::string_view text) {
  return crc(std::as_bytes(std::span(text)));
}

std::vector<std::string> lines(const std::string& name) {
  const std::string text = text_of(name);
  std::vector<std::string> result;
  // Not split_lines(): the texts in the goldens contain other kinds of line breaks.
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty() && line.front() != '#') result.emplace_back(line);
  }
  return result;
}

std::vector<std::vector<std::string>> words(const std::string& name) {
  std::vector<std::vector<std::string>> result;
  for (const std::string& line : lines(name)) {
    std::vector<std::string>& entry = result.emplace_back();
    for (const std::string_view word : split(line, ' ')) entry.emplace_back(word);
  }
  return result;
}

Array conversion_inputs(DataType type) {
  if (bit_width(type) <= 16) return all_codes(type);
  switch (type) {
    case DataType::kFloat32:
      return real_inputs<float, uint32_t>(type);
    case DataType::kFloat64:
      return real_inputs<double, uint64_t>(type);
    case DataType::kComplex64:
      return complex_inputs<float, uint32_t>(type);
    case DataType::kComplex128:
      return complex_inputs<double, uint64_t>(type);
    default:
      return integer_inputs(type);
  }
}

std::string crc_of_elements(const Array& array) {
  if (!is_packed(array.dtype())) return crc(array.bytes());
  const Array unpacked = unpack(array);
  const auto mask = static_cast<uint8_t>((1u << bit_width(array.dtype())) - 1);
  std::vector<uint8_t> codes;
  for (const uint8_t code : unpacked.as<uint8_t>()) codes.push_back(code & mask);
  return crc(std::as_bytes(std::span(codes)));
}

std::vector<double> random_doubles(Random& random, int64_t count, uint64_t kind, bool specials) {
  constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                     1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
  constexpr double kSpecials[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity,
                                  0.0, -0.0};
  const auto centred = [](uint64_t u, uint64_t size) {
    return static_cast<double>(static_cast<int64_t>(u % size) - static_cast<int64_t>(size / 2));
  };
  std::vector<double> values;
  const uint64_t constant = random.next();
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t u = random.next();
    double value = 0;
    switch (kind) {
      case 0:
        value = std::bit_cast<double>(u);
        break;
      case 1:
        value = static_cast<double>(u >> 11) * 0x1p-53;
        break;
      case 2:
        value = centred(u, 145) / 8;
        break;
      case 3:
        value = centred(u, 2000001) * kPowersOfTen[(u >> 32) % 13] / kPowersOfTen[(u >> 40) % 13];
        break;
      case 4:
        value = std::ldexp(u >> 63 != 0 ? -1.0 : 1.0, static_cast<int>(u % 61) - 30);
        break;
      case 5:
        value = std::ldexp(1.0, static_cast<int>(u % 297) - 148);
        break;
      case 6:
        value = centred(u, 2001);
        break;
      default:
        value = static_cast<double>(constant % 1000003) / 1000.0;
        break;
    }
    if (specials && (u >> 50) % 7 == 0) value = kSpecials[(u >> 55) % 5];
    values.push_back(value);
  }
  return values;
}

PrintCase random_print_case(uint64_t seed) {
  Random random(seed);
  std::vector<DataType> types;
  for (const DataType type : all_data_types()) {
    if (type != DataType::kString) types.push_back(type);
  }
  types.push_back(DataType::kString);
  constexpr DataType kFavourites[] = {DataType::kFloat32, DataType::kFloat64, DataType::kFloat16,
                                      DataType::kComplex64, DataType::kComplex128};
  const uint64_t pick = random.next();
  const DataType type =
      (pick & 1) != 0 ? kFavourites[(pick >> 8) % 5] : types[(pick >> 8) % types.size()];
  const uint64_t largest = std::array{5u, 13u, 39u, 3u}[(pick >> 16) % 4];
  const auto dim = [&](uint64_t least, uint64_t range) {
    return static_cast<int64_t>(least + random.next() % range);
  };
  Shape shape((pick >> 24) % 5);
  for (int64_t& size : shape) size = dim(1, largest);
  if ((pick >> 32) % 16 == 0) shape = {dim(900, 300)};
  if ((pick >> 32) % 16 == 1) {
    const int64_t rows = dim(20, 40);
    shape = {rows, dim(20, 40)};
  }
  if (element_count(shape) > 3000) shape = {7, 3};
  const int64_t count = element_count(shape);
  const uint64_t kind = (pick >> 40) % 8;
  const bool specials = (pick >> 48) % 4 == 0;

  const auto doubles = [&] {
    return Array::of<double>({count}, random_doubles(random, count, kind, specials));
  };
  Array array;
  if (type == DataType::kString) {
    std::vector<std::string> values;
    values.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      values.emplace_back(kStrings[random.next() % std::size(kStrings)]);
    }
    array = Array::from_strings({count}, std::move(values));
  } else if (kind_of(type) == Kind::kComplex) {
    const DataType part = type == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
    const Array reals = convert(doubles(), part);
    array = interleaved(type, reals, convert(doubles(), part));
  } else if (is_floating(type)) {
    array = convert(doubles(), type);
  } else {
    const uint64_t shift = random.next() % 64;
    std::vector<uint64_t> values;
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t value = random.next() >> shift;
      values.push_back(type == DataType::kBool ? value & 1 : value);
    }
    array = convert(Array::of<uint64_t>({count}, values), type);
  }

  NumpyPrintOptions options;
  const uint64_t choice = random.next();
  if ((choice & 1) != 0) {
    options.precision = static_cast<int>((choice >> 8) % 18);
    options.threshold = std::array{0, 1, 5, 20, 1000}[(choice >> 16) % 5];
    options.edge_items = std::array{0, 1, 2, 3, 5}[(choice >> 24) % 5];
    options.line_width = std::array{0, 1, 10, 20, 40, 75, 120, -1}[(choice >> 32) % 8];
  }
  return {array.reshaped(std::move(shape)), options};
}

std::span<const std::string_view> strings() {
  return kStrings;
}

TEST(GoldenInputs, ChecksumIsCrc32) {
  EXPECT_EQ(crc("123456789"), "cbf43926");
}

TEST(GoldenInputs, RandomIsSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
}

}  // namespace polygraphy::golden
