// Models as the onnx library sees them.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"

namespace graphsurgeon::roundtrip {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Model load_bytes(const std::string& bytes, const std::string& name = "test.onnx") {
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, name);
}

inline onnx::ModelProto parse(const std::string& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) throw std::runtime_error("the onnx library cannot parse it");
  return model;
}

// Encoded again from the parsed form: equal texts mean equal messages, field by field, presence and
// unknown fields included (ONNX has no map fields, so the order is fixed).
inline std::string canonical(const std::string& bytes) {
  return parse(bytes).SerializeAsString();
}

// Everything encoded again, nothing taken over whole.
inline std::string forced(const Model& model, const std::string& path, SaveOptions options = {}) {
  options.force_encode = true;
  options.durability = polygraphy::Durability::kNone;
  std::filesystem::remove(path);  // replacing a file waits for the disk
  save_model(model, path, options);
  return read_file(path);
}

}  // namespace graphsurgeon::roundtrip
