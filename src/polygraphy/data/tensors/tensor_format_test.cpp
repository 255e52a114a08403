#include "polygraphy/data/tensors/tensor_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/text.h"

namespace polygraphy {
namespace {

std::string format_name(std::string_view bytes, std::string_view path) {
  const auto* format = format_of(std::as_bytes(std::span(bytes)), path);
  return format == nullptr ? "none" : std::string(format->name);
}

TEST(TensorFormat, EveryFileIsInTheTable) {
  size_t files = 0;
  const std::string folder = PG_SOURCE_DIR "/src/polygraphy/data/tensors/formats";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    files += name.ends_with(".cpp") && !name.ends_with("_test.cpp") ? 1 : 0;
  }
  EXPECT_EQ(tensor_formats().size(), files);
}

TEST(TensorFormat, NamesOrdersAndExtensionsDiffer) {
  std::set<std::string_view> names, extensions;
  std::set<int> orders;
  for (const TensorFormat* format : tensor_formats()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_TRUE(orders.insert(format->order).second) << format->name;
    for (const auto extension : split(format->extensions, ' ')) {
      EXPECT_TRUE(extension.starts_with('.')) << format->name;
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
    }
  }
}

TEST(TensorFormat, WhatIsReadAndWritten) {
  for (const TensorFormat* format : tensor_formats()) {
    const bool arrays = format->content == TensorFormat::Content::kArrays ||
                        format->content == TensorFormat::Content::kPart;
    EXPECT_EQ(format->read != nullptr, arrays) << format->name;
    if (format->write != nullptr) {
      EXPECT_EQ(format->content, TensorFormat::Content::kArrays) << format->name;
    }
  }
}

TEST(TensorFormat, BytesDecideBeforeTheExtension) {
  EXPECT_EQ(format_name("\x93NUMPY\x01", "x.npz"), ".npy");
  EXPECT_EQ(format_name("\x93NUMPY\x01", "x"), ".npy");
  EXPECT_EQ(format_name("damaged", "x.NPZ"), ".npz");
  EXPECT_EQ(format_name("[1]", "x.pb"), ".pb of onnx test data");
  EXPECT_EQ(format_name("damaged", "x.PTH"), ".pt of PyTorch");
}

TEST(TensorFormat, TextAndEmptyFilesMayBeJson) {
  EXPECT_EQ(format_name(" \n{}", "x"), "JSON");
  EXPECT_EQ(format_name("", "x"), "JSON");
  EXPECT_EQ(format_name("[1]", "x.bin"), "JSON");
  EXPECT_EQ(format_name("\x01\x02", "x.json"), "JSON");
}

TEST(TensorFormat, RawBytesAreKnownByTheirExtensionOnly) {
  EXPECT_EQ(format_name("\x01\x02", "x.bin"), "none");
  EXPECT_EQ(format_of_extension("X.BIN")->content, TensorFormat::Content::kBytes);
  EXPECT_EQ(format_of_extension("x.h5"), nullptr);
}

TEST(TensorFormat, ListsForUsers) {
  EXPECT_EQ(names_of_saved_formats(), "JSON, .safetensors, .npz");
  EXPECT_EQ(names_of_binary_formats(), ".safetensors, .npz");
  EXPECT_EQ(names_of_loaded_formats(), ".npy, .pb of onnx test data, .pt of PyTorch");
}

}  // namespace
}  // namespace polygraphy
