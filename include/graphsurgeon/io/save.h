// Writing .onnx files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/os/durability.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct SaveOptions {
  // Store tensors outside the file: the data file's name relative to the model's folder; empty:
  // "<model>.data". nullopt: inline, unless the result would pass the 2 GiB limit of protobuf.
  std::optional<std::string> external_data = std::nullopt;
  int64_t external_data_threshold = 1024;  // bytes; smaller tensors stay inline
  bool one_file = true;                    // false: one file per tensor
  // Keep references to external files as they are instead of copying the bytes in.
  bool share_external_data = false;
  // Keep these references word for word, even if the files do not exist: for models loaded with
  // LoadOptions::ignore_external_data. Requires share_external_data.
  bool keep_references = false;
  // Encode every field again even when nothing was edited (tests; normally an untouched model is
  // copied byte for byte).
  bool force_encode = false;
  // Refuse a main graph with inputs or outputs of unknown type, which checkers and runtimes reject
  // (the original's do_type_check).
  bool check_types = false;
  polygraphy::Durability durability = polygraphy::Durability::kFsync;
};

// Atomic: the old file stays until the new one is complete. Kept bytes go from file to file without
// passing through the heap. Throws IoError/Error (2 GiB: names --save-external-data).
void save_model(const Model& model, const std::string& path, const SaveOptions& options = {});

// The encoded ModelProto; external payloads stay references. Throws Error at 2 GiB.
std::string encode_model(const Model& model);

// The same without payload bytes: initializers and attribute tensors above `keep_bytes`, and those
// with external data, keep name, type and shape only, as references to external data named
// `location`. This is the input of the onnx C++ library.
std::string encode_without_payloads(const Model& model, int64_t keep_bytes = 1024,
                                    std::string_view location = "stripped");

// As encode_model(), but initializers of at least `threshold` bytes with values in the file that
// the model was loaded from become references to external data `location` (another name of that
// file, relative to the folder of the new model), with offset and length. For them, time and memory
// do not depend on the size of the values.
std::string encode_beside_weights(const Model& model, const std::string& location,
                                  int64_t threshold = 1024);

}  // namespace graphsurgeon
