#include "formats/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cstring>

#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "formats/npz.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

std::string saved(const Array& array) {
  std::string file = npy_header(array);
  write_npy_data(array, [&](std::span<const std::byte> bytes) {
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return file;
}

Array load(std::string_view file) {
  auto owner = std::make_shared<std::string>(file);
  return read_npy(std::as_bytes(std::span(*owner)), owner, "x");
}

// A version 1 file with this header.
std::string file_with(std::string header, std::string_view data = {}) {
  header += '\n';
  std::string file = std::string("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += static_cast<char>(header.size() >> 8);
  return file + header + std::string(data);
}

std::string failure(std::string_view file) {
  try {
    load(file);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, HeadersAreNumpysByteForByte) {
  const auto header = [](const char* text) {
    std::string padded = text;
    padded.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00v\x00", 10) + padded + "\n";
  };
  EXPECT_EQ(npy_header(Array::zeros(DataType::kFloat32, {3})),
            header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"));
  EXPECT_EQ(npy_header(Array::zeros(DataType::kInt8, {})),
            header("{'descr': '|i1', 'fortran_order': False, 'shape': (), }"));
  EXPECT_EQ(npy_header(Array::zeros(DataType::kBool, {2, 0})),
            header("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 0), }"));
  EXPECT_EQ(npy_header(Array::from_strings({2}, {"日本", "a"})),
            header("{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }"));
  const int64_t swap[] = {1, 0};
  EXPECT_EQ(npy_header(Array::zeros(DataType::kUint64, {3, 2}).transposed(swap)),
            header("{'descr': '<u8', 'fortran_order': True, 'shape': (2, 3), }"));
  // NumPy leaves room for the first dimension to grow: 30 of them make three blocks of 64 bytes.
  EXPECT_EQ(npy_header(Array::zeros(DataType::kInt8, Shape(30, 1))).size(), 192u);
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  const int64_t swap[] = {1, 0};
  const Array arrays[] = {
      Array::of<float>({2, 2}, {1, 2, 3, 4}),
      Array::of<int64_t>({2, 3}, {1, 2, 3, 4, 5, 6}).transposed(swap),
      Array::of<bool>({}, {true}),
      Array::from_strings({3}, {"", "é😀", "long\xFF"}),
      Array::zeros(DataType::kComplex64, {2}),
      Array::zeros(DataType::kFloat16, {0, 4}),
  };
  for (const Array& array : arrays) {
    const Array back = load(saved(array));
    EXPECT_EQ(back.shape(), array.shape());
    EXPECT_TRUE(bitwise_equal(back.clone(), array.clone())) << numpy_str(array);
  }
}

TEST(Npy, OtherVersionsAndByteOrders) {
  const std::string data("\x00\x01\x00\x02", 4);
  EXPECT_EQ(
      numpy_str(load(file_with("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", data))),
      "[1 2]");
  EXPECT_EQ(
      numpy_str(load(file_with("{\"shape\": (2L,), 'descr':'>u2','fortran_order':False}", data))),
      "[1 2]");
  std::string v3 = file_with("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", data);
  v3[6] = 3;
  v3.insert(10, 2, '\0');
  EXPECT_EQ(numpy_str(load(v3)), "[1 2]");
}

TEST(Npy, OtherTexts) {
  EXPECT_EQ(numpy_str(load(file_with("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }",
                                     std::string_view("ab\0xyz", 6)))),
            "['ab' 'xyz']");
  EXPECT_EQ(numpy_str(load(file_with("{'descr': '>U1', 'fortran_order': True, 'shape': (1, 2), }",
                                     std::string_view("\0\0\0a\0\0\0b", 8)))),
            "[['a' 'b']]");
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(failure("PK"), "x: not an .npy file.");
  EXPECT_EQ(failure(std::string("\x93NUMPY\x09\x00\x01\x00", 10)),
            "x: unknown version 9 of the .npy format.");
  EXPECT_EQ(failure(std::string("\x93NUMPY\x01\x00\x90\x00{", 11)),
            "x: the .npy header is truncated.");
  EXPECT_THAT(failure(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
              HasSubstr("more than the limit"));
  EXPECT_THAT(failure(file_with("{'descr': '<f4'}")), HasSubstr("not understood as the header"));
  EXPECT_THAT(failure(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }")),
              HasSubstr("not understood"));
  EXPECT_EQ(
      failure(file_with("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "12345678")),
      "x: NumPy type '|O' is not supported: arrays of Python objects cannot be read.");
  EXPECT_EQ(failure(file_with("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "12")),
            "x: NumPy type '<V2' is not supported: NumPy writes this for bfloat16, float8 and "
            "similar types, and loses the type.");
  EXPECT_EQ(
      failure(file_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }")),
      "x: structured arrays are not supported.");
  EXPECT_EQ(failure(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234")),
            "x: truncated: an array of shape (2,) needs 8 bytes, but 4 follow the header.");
  EXPECT_THAT(
      failure(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, "
                        "4611686018427387904), }")),
      HasSubstr("x: "));
  EXPECT_EQ(
      failure(file_with("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }")),
      "x: too many elements of size 0.");
}

// A zip archive of one entry, as np.savez writes it.
std::string zip(const std::string& file, bool deflated) {
  std::string data = file;
  if (deflated) {
    libdeflate_compressor* deflater = libdeflate_alloc_compressor(9);
    data.resize(libdeflate_deflate_compress_bound(deflater, file.size()));
    data.resize(
        libdeflate_deflate_compress(deflater, file.data(), file.size(), data.data(), data.size()));
    libdeflate_free_compressor(deflater);
  }
  std::string out;
  const auto put = [&out](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i);
  };
  const std::string name = "arr_0.npy";
  const auto common = [&] {
    put(20, 2), put(0, 2), put(deflated ? 8 : 0, 2), put(0, 4);
    put(libdeflate_crc32(0, file.data(), file.size()), 4);
    put(data.size(), 4), put(file.size(), 4), put(name.size(), 2), put(0, 2);
  };
  put(0x04034b50, 4);
  common();
  out += name + data;
  const size_t directory = out.size();
  put(0x02014b50, 4);
  put(20, 2);
  common();
  put(0, 2), put(0, 2), put(0, 2), put(0, 4), put(0, 4);
  out += name;
  const size_t size = out.size() - directory;
  put(0x06054b50, 4);
  put(0, 4), put(1, 2), put(1, 2), put(size, 4), put(directory, 4), put(0, 2);
  return out;
}

Array load_npz(const std::string& file) {
  auto owner = std::make_shared<std::string>(file);
  return read_first_of_npz(std::as_bytes(std::span(*owner)), owner, "x");
}

TEST(Npz, FirstArrayStoredOrDeflated) {
  const Array array = Array::of<int32_t>({2, 2}, {1, 2, 3, 4});
  for (const bool deflated : {false, true}) {
    EXPECT_TRUE(bitwise_equal(load_npz(zip(saved(array), deflated)), array));
  }
}

std::string npz_failure(const std::string& file) {
  try {
    load_npz(file);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npz, EveryFlippedBitOfAnArrayIsAnError) {
  for (const bool deflated : {false, true}) {
    const Array array = Array::of<int32_t>({2, 2}, {1, 2, 3, 4});
    const std::string good = zip(saved(array), deflated);
    const size_t begin = good.find("arr_0.npy") + 9, end = good.find("PK\1\2");
    for (size_t bit = begin * 8; bit < end * 8; ++bit) {
      std::string damaged = good;
      damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
      // The last byte of deflated data may have bits that mean nothing.
      if (deflated && bit / 8 + 1 == end && npz_failure(damaged) == "no error") continue;
      EXPECT_THAT(npz_failure(damaged), HasSubstr("x (arr_0.npy in an .npz archive): "))
          << deflated << " " << bit;
    }
  }
}

TEST(Npz, AWrongChecksumNamesEntryAndBothSums) {
  std::string file = zip(saved(Array::of<int32_t>({1}, {1})), false);
  file.replace(file.find("PK\1\2") + 16, 4, "\x78\x56\x34\x12");
  EXPECT_THAT(npz_failure(file),
              testing::MatchesRegex("x .*: the entry 'arr_0.npy' of the zip archive is damaged: "
                                    "its checksum is 12345678, but its bytes have "
                                    "[0-9a-f]{8}."));
}

TEST(Npz, SaysWhatIsWrong) {
  const auto error = npz_failure;
  const std::string good = zip(saved(Array::zeros(DataType::kFloat32, {1000})), true);
  EXPECT_EQ(error("PK"), "x: the zip archive is truncated.");
  EXPECT_EQ(error(good.substr(0, good.size() - 1)), "x: the zip archive has no directory.");
  std::string empty = good.substr(good.size() - 22);
  empty.replace(8, 4, 4, '\0');
  EXPECT_EQ(error(empty), "x: Array payload is empty or invalid (NPZ archive contains no arrays).");
  std::string damaged = good;
  damaged[60] ^= 0x55;
  EXPECT_THAT(error(damaged), HasSubstr("x (arr_0.npy in an .npz archive): "));
  std::string huge = good;  // sizes that no deflated entry can have
  huge.replace(good.size() - 22 - 55 + 24, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(error(huge), HasSubstr("impossible"));
}

TEST(Npz, BombsAreRefused) {
  const Array zeros = Array::zeros(DataType::kUint8, {(64 << 20) + 1});
  EXPECT_THAT(npz_failure(zip(saved(zeros), true)), HasSubstr("a zip bomb: "));
  EXPECT_EQ(npz_failure(zip(saved(zeros), false)), "no error");
  const Array smaller = Array::zeros(DataType::kUint8, {32 << 20});
  EXPECT_EQ(npz_failure(zip(saved(smaller), true)), "no error");
}

TEST(Npz, EntriesDoNotOverlap) {
  std::string file = zip(saved(Array::zeros(DataType::kFloat32, {1000})), false);
  const size_t begin = file.find("PK\1\2"), end = file.find("PK\5\6");
  file.insert(end, file.substr(begin, end - begin));
  file[file.size() - 14] = file[file.size() - 12] = 2;
  const auto owner = std::make_shared<std::string>(file);
  EXPECT_THAT(
      [&] { read_npz(std::as_bytes(std::span(*owner)), owner, "x"); },
      testing::ThrowsMessage<FormatError>(
          "x: the zip archive is smaller than its entries, up to 'arr_0.npy': they overlap."));
}

}  // namespace
}  // namespace polygraphy
