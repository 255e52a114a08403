// Files in fuzz/corpus/torch_file, which testdata/make_torch_files.py writes with PyTorch, and
// damaged ones: the same with bytes replaced.
#include "polygraphy/data/tensors/torch/torch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "base/os/mapped_file.h"
#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

std::string bytes_of(const std::string& name) {
  const auto file = MappedFile::open(PG_SOURCE_DIR "/fuzz/corpus/torch_file/" + name + ".pt");
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

TensorFile read(std::string text) {
  // Aligned as a mapped file is.
  const auto owner = std::make_shared<Array>(
      Array::uninitialized(DataType::kUint8, {static_cast<int64_t>(text.size())}));
  std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), owner->mutable_data());
  EXPECT_TRUE(is_torch_file(owner->bytes()));
  return read_tensor_file(owner->bytes(), owner, "folder/f.bin");
}

Array load(const TensorFile& file, const std::string& name) {
  for (const StoredTensor& tensor : file.tensors)
    if (tensor.name == name) return tensor.load();
  return {};
}

// As torch.serialization.set_crc32_options(False) lets PyTorch write it.
std::string without_checksums(std::string text) {
  for (size_t at = 0; (at = text.find("PK\1\2", at)) != text.npos; ++at)
    text.replace(at + 16, 4, 4, '\0');
  return text;
}

std::string failure(const std::string& text) {
  try {
    for (const auto& tensor : read(text).tensors) tensor.load();
  } catch (const FormatError& error) {
    return error.what() + " "s + error.hint();
  }
  return "no error";
}

// Wherever it occurs: an archive has each name twice.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  EXPECT_NE(text.find(from), text.npos) << from;
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, to.size(), to);
  return without_checksums(text);
}

std::vector<std::string> names_in(const TensorFile& file) {
  std::vector<std::string> names;
  for (const StoredTensor& tensor : file.tensors) names.push_back(tensor.name);
  return names;
}

const Array kWhole = Array::of<float>({2, 3}, {0, 1, 2, 3, 4, 5});

TEST(TorchFile, TensorsAndListsAloneHaveTheNameOfTheFile) {
  const TensorFile lone = read(bytes_of("lone"));
  EXPECT_FALSE(lone.named);
  EXPECT_EQ(names_in(lone), std::vector<std::string>{"f"});
  EXPECT_TRUE(bitwise_equal(lone.tensors[0].load(), kWhole));
  const TensorFile list = read(bytes_of("list"));
  EXPECT_FALSE(list.named);
  EXPECT_EQ(names_in(list), (std::vector<std::string>{"f[0]", "f[1]"}));
}

TEST(TorchFile, IsKnownByItsBytes) {
  const std::string lone = bytes_of("lone");
  EXPECT_EQ(format_of(std::as_bytes(std::span(lone)), "x.npz"), format_of_extension("x.pt"));
  EXPECT_FALSE(is_torch_file(std::as_bytes(std::span(lone)).first(lone.size() - 1)));
}

TEST(TorchFile, ContainersGiveNamesAndStridesCopies) {
  const TensorFile file = read(bytes_of("views"));
  EXPECT_TRUE(file.named);
  EXPECT_EQ(names_in(file), (std::vector<std::string>{"whole", "list[0]", "list[1][0]",
                                                      "list[1][1].every", "again", "none"}));
  EXPECT_TRUE(bitwise_equal(load(file, "list[0]"), Array::of<float>({3, 2}, {0, 3, 1, 4, 2, 5})));
  EXPECT_TRUE(bitwise_equal(load(file, "list[1][0]"), Array::of<float>({1, 3}, {3, 4, 5})));
  EXPECT_TRUE(bitwise_equal(load(file, "list[1][1].every"), Array::of<float>({2}, {0, 2})));
  EXPECT_TRUE(
      bitwise_equal(load(file, "again"), Array::of<float>({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0})));
  EXPECT_EQ(load(file, "none").shape(), (Shape{2, 0}));
}

TEST(TorchFile, StoragesAreShared) {
  const TensorFile file = read(bytes_of("views"));
  EXPECT_EQ(load(file, "list[1][0]").data(), load(file, "whole").data() + 3 * sizeof(float));
}

TEST(TorchFile, Types) {
  const TensorFile file = read(bytes_of("types"));
  EXPECT_EQ(load(file, "bf16").dtype(), DataType::kBfloat16);
  EXPECT_EQ(load(file, "bf16").get_double(1), -2);
  EXPECT_EQ(load(file, "8").dtype(), DataType::kFloat8E4M3FN);
  EXPECT_EQ(load(file, "8").get_double(1), 1);
  EXPECT_TRUE(bitwise_equal(load(file, "u16"), Array::of<uint16_t>({2}, {65535, 1})));
  EXPECT_TRUE(bitwise_equal(load(file, "yes"), Array::of<bool>({2}, {true, false})));
  EXPECT_EQ(numpy_str(load(file, "c64")), "[1.+2.j]");
}

TEST(TorchFile, OtherValuesAreNoTensors) {
  EXPECT_EQ(names_in(read(bytes_of("constants"))), std::vector<std::string>{"x"});
  EXPECT_THAT(failure(bytes_of("empty")), HasSubstr("the file has no tensors"));
}

TEST(TorchFile, ParametersAndAttributes) {
  const TensorFile file = read(bytes_of("parameters"));
  EXPECT_EQ(names_in(file), (std::vector<std::string>{"weight", "noted"}));
  EXPECT_TRUE(bitwise_equal(load(file, "weight"), kWhole));
  EXPECT_TRUE(bitwise_equal(load(file, "noted"), Array::of<int64_t>({2}, {0, 1})));
}

TEST(TorchFile, NothingIsCalledOrImported) {
  EXPECT_THAT(failure(bytes_of("module")),
              HasSubstr("'module' is made by torch.nn.modules.activation.ReLU, which was not "
                        "called: only dense tensors"));
  EXPECT_THAT(failure(bytes_of("sparse")), HasSubstr("_rebuild_sparse_tensor"));
  EXPECT_THAT(failure(replaced(bytes_of("constants"), "torch\nfloat16", "posix\nsystem_")),
              HasSubstr("'type' is posix.system_, which was not imported"));
  EXPECT_THAT(failure(replaced(bytes_of("lone"), "torch._utils", "torch._other")),
              HasSubstr("'f' is made by torch._other._rebuild_tensor_v2, which was not called"));
}

TEST(TorchFile, WhatIsNoFileOfTensors) {
  EXPECT_THAT(failure(bytes_of("old")), HasSubstr("before PyTorch 1.6"));
  EXPECT_THAT(failure(bytes_of("program")), HasSubstr("a TorchScript program"));
  EXPECT_THAT(failure(bytes_of("conjugate")), HasSubstr("'f' is a conjugate or a negative"));
  EXPECT_THAT(failure(bytes_of("storage")), HasSubstr("'f[0]' is a storage without a tensor"));
  EXPECT_THAT(failure(bytes_of("same")), HasSubstr("'1' occurs twice"));
  EXPECT_THAT(failure(replaced(bytes_of("lone"), "little", "middle")),
              HasSubstr("not little-endian"));
  EXPECT_THROW(read_torch_file({}, nullptr, "f.pt"), FormatError);
}

TEST(TorchFile, SizesAreChecked) {
  const std::string lone = bytes_of("lone");
  EXPECT_THAT(failure(replaced(lone, "K\2K\3\x86", "K\2K\4\x86")),
              HasSubstr("folder/f.bin: 'f', of shape (2, 4), strides (3, 1) and offset 0, reaches "
                        "beyond its storage of 6 elements."));
  EXPECT_THAT(failure(replaced(lone, "QK\0K\2K\3"s, "QK\1K\2K\3"s)), HasSubstr("offset 1"));
  EXPECT_EQ(failure(replaced(lone, "K\3K\1\x86", "K\2K\1\x86")), "no error");
  EXPECT_THAT(failure(replaced(lone, "K\3K\1\x86", "K\4K\1\x86")), HasSubstr("reaches beyond"));
  EXPECT_THAT(failure(replaced(lone, "FloatStorage", "HyperStorage")),
              HasSubstr("a torch.HyperStorage, a type that is not supported"));
  EXPECT_THAT(failure(replaced(lone, "lone/data/0", "lone/data/1")),
              HasSubstr("'f': its storage, data/0, is not in the archive"));
  EXPECT_THAT(failure(replaced(lone, "QK\0K\2K\3\x86"s, "QN)K\2K\3\x86"s)),
              HasSubstr("'f' is not described as torch.save() does it: argument 1"));
}

TEST(TorchFile, DamagedBytesAreFound) {
  for (const char* entry : {"lone/data/0", "lone/data.pkl"}) {
    std::string text = bytes_of("lone");
    size_t at = text.find(entry) + std::string(entry).size() + 2;  // the length of the padding
    at = text.find('Z', at);
    at = text.find_first_not_of('Z', at);
    text[at + 1] ^= 64;
    EXPECT_THAT(failure(text),
                HasSubstr("the entry '"s + entry + "' of the zip archive is damaged"));
    EXPECT_EQ(failure(without_checksums(bytes_of("lone"))), "no error");
  }
}

TEST(TorchFile, RepeatedElementsHaveALimit) {
  EXPECT_THAT(failure(bytes_of("repeated")),
              HasSubstr("repeats the 4 bytes of its storage to 4398046511104, above the limit of 1 "
                        "GiB. Save the tensor before it is expanded."));
}

}  // namespace
}  // namespace polygraphy
