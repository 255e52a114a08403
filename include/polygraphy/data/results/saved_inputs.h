// Inputs on disk: single files and directories of one file per iteration, read and written one
// iteration at a time so that memory does not grow with their number. Reads JSON of 0.49 and 0.53;
// writes JSON that both can read. A file named .safetensors or .npz is binary (docs/files.md).
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

// --save-inputs. finish() creates the file under its final name; destruction without it leaves the
// old file. The constructor throws Error for an unsuitable target (directory not empty …).
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
  // The next feed, or nullopt after the last. Throws Error if an entry is not a feed dict.
  // `inputs`, those of the model, supply names, types and shapes that a file of arrays lacks.
  std::optional<ArrayMap> next(const Metadata& inputs = {});
  // Before the first next(): feeds come in this order of their numbers, as many as
  // count_saved_feeds() says.
  void reorder(std::vector<int64_t> order);
  // The file of the last feed, or of its last part. Empty before the first feed.
  const std::string& file() const;
  // The total number of feeds, estimated from the files read so far; nullopt before all paths were
  // opened.
  std::optional<int64_t> total() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The number of feeds, where it is known without reading their arrays: of one file, of files with
// one feed each, or of folders that are samples. Throws as InputReader.
std::optional<int64_t> count_saved_feeds(const std::vector<std::string>& paths);

// A whole file at once.
std::vector<ArrayMap> load_feeds(const std::string& path, Logger& log);

}  // namespace polygraphy
