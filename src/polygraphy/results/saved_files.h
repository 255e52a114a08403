// Inputs and outputs on disk: single files and directories of one file per iteration, read and
// written one iteration at a time so that memory does not grow with their number. JSON
// of 0.49 and 0.53 is read; what both can read is written. A file named .safetensors or .npz is
// binary (result_store.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/tensor_map.h"
#include "base/log.h"
#include "polygraphy/results/results.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy {

// Last component without an extension and no regular file of that name there: a directory. So is
// what ends in '/', whose extension says of which files: "results.npz/".
bool is_directory_target(const std::string& path);

// --save-inputs. Nothing exists under the final name before finish(); destruction without it leaves
// the old file. Throws Error when the target is unsuitable (directory not empty …) at construction.
class InputWriter {
 public:
  InputWriter(std::string path, Logger& log);
  ~InputWriter();
  void add(const TensorMap& feed);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// --save-outputs. `runner_names` fixes the order of the file. add_iteration() is called with one
// result per runner, or without those of runners that ran out; results of runners that failed are
// passed over.
class OutputWriter {
 public:
  OutputWriter(std::string path, std::vector<std::string> runner_names, Logger& log);
  ~OutputWriter();
  void add_iteration(const std::vector<IterationResult>& one_per_runner);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// --load-inputs: files and directories chained, of all formats of input_files.h. Arrays are views
// of or decoded from the mapped file on demand.
class InputReader {
 public:
  InputReader(std::vector<std::string> paths, Logger& log);
  ~InputReader();
  // The next feed, or nullopt after the last. Throws Error when an entry is not a feed dict.
  // `inputs`, the model's, tell what files of arrays without names are meant for, and what numbers
  // or bytes that stand there without type or shape are.
  std::optional<TensorMap> next(const Metadata& inputs = {});
  // How many feeds there are in all: an estimate from the files read so far; nullopt while paths
  // are left that have not been looked at.
  std::optional<int64_t> total() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One --load-outputs path: a run of its own, read iteration by iteration.
class OutputReader {
 public:
  OutputReader(std::string path, Logger& log);
  ~OutputReader();
  // Runner names in file order.
  const std::vector<std::string>& runner_names() const;
  // One result per runner for the next iteration (a runner that ran out has nullopt), or nullopt
  // after the last.
  std::optional<std::vector<std::optional<IterationResult>>> next();
  // The same with arrays that are read when they are wanted (IterationResult::output): until the
  // next iteration is asked for, or the reader's end.
  std::optional<std::vector<std::optional<IterationResult>>> next_deferred();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whole files at once.
RunResults load_results(const std::string& path, Logger& log);
void save_results(const RunResults& results, const std::string& path, Logger& log);
std::vector<TensorMap> load_feeds(const std::string& path, Logger& log);

}  // namespace polygraphy
