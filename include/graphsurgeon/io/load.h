// Reading .onnx files.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct LoadOptions {
  std::string external_data_dir;  // empty: the model's own folder
  // true: structure only; loading an external payload throws with that reason
  bool ignore_external_data = false;
  // Limits against hostile files; all come before allocation.
  int max_nesting = 200;  // subgraphs in attributes, types in types
};

// Maps the file and reads its structure; no payload byte is touched. O(structure). Throws IoError /
// FormatError naming the file, the byte offset and, where known, node and tensor: not a protobuf,
// no graph, truncated, absurd lengths or nesting.
Model load_model(const std::string& path, const LoadOptions& options = {});

// Loads from memory; `owner` keeps the bytes alive (null: they are copied). `name` stands for the
// file in messages; `folder` holds external data (empty: there is no external data).
Model load_model_from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& name, const std::string& folder = {},
                            const LoadOptions& options = {});

// Throws IoError or FormatError for the first external payload of the model that is missing or too
// short; the message names it. Reads no values. O(payloads).
void check_external_data(const Model& model);

}  // namespace graphsurgeon
