// Inputs on disk: single files and directories of one file per iteration, read and written one
// iteration at a time so that memory does not grow with their number. JSON of 0.49 and 0.53 is
// read; what both can read is written. A file named .safetensors or .npz is binary: docs/files.md
// says how.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/data/results/torch_reader.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// --save-inputs. Nothing exists under the final name before finish(); destruction without it leaves
// the old file. Throws Error when the target is unsuitable (directory not empty …) at construction.
class InputWriter {
 public:
  InputWriter(std::string path, Logger& log);
  ~InputWriter();
  void add(const ArrayMap& feed);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// --load-inputs: files and directories chained, of all formats. Arrays are views
// of or decoded from the mapped file on demand.
class InputReader {
 public:
  InputReader(std::vector<std::string> paths, Logger& log, TorchReader torch = {});
  ~InputReader();
  // The next feed, or nullopt after the last. Throws Error when an entry is not a feed dict.
  // `inputs`, the model's, tell what files of arrays without names are meant for, and what numbers
  // or bytes that stand there without type or shape are.
  std::optional<ArrayMap> next(const Metadata& inputs = {});
  // The file that the last one is of, or its last part. Empty: none has come yet.
  const std::string& file() const;
  // How many feeds there are in all: an estimate from the files read so far; nullopt while paths
  // are left that have not been looked at.
  std::optional<int64_t> total() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A whole file at once.
std::vector<ArrayMap> load_feeds(const std::string& path, Logger& log);

}  // namespace polygraphy
