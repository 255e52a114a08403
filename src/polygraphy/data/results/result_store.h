// Inputs and results in one binary file, .safetensors or .npz or another format that writes
// (tensors/tensor_format.h), as saving makes them where the file is named so. docs/files.md
// describes the same for readers in Python.
//
// An input of iteration I is the array `I/NAME`, an output of the runner at position R `I/R/NAME`.
// Further information is JSON in the file's metadata: in safetensors the text `polygraphy` of
// `__metadata__`, in .npz the array `__metadata__`.
//     {"class": "Inputs", "version": 1, "iterations": 2, "types": {…}}
//     {"class": "RunResults", "version": 1,
//      "runners": [{"name": "onnxrt-runner-N0", "runtimes": [0.25, null]}], "types": {…}}
// `types` has what the format lacks, by array: {"0/0/y": {"dtype": "int4", "shape": [2, 3]}};
// safetensors.h and element_codes.h describe the layout of their values.
//
// A file without that JSON comes from another program: one feed of all its arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {

// Whether saving to this path means such a file, by its extension.
bool is_store_target(std::string_view path);

// The index of such a file. O(arrays).
class ResultStore {
 public:
  struct Runner {
    std::string name;
    std::vector<std::optional<double>> runtimes;  // seconds, by iteration
  };
  // Throws FormatError when names and JSON contradict each other.
  ResultStore(TensorFile file, const std::string& path);

  bool holds_results() const { return results_; }
  // True for arrays of another program, which may be inputs or outputs.
  bool made_elsewhere() const { return made_elsewhere_; }
  // False: the inputs' names are taken from the file's name.
  bool named() const { return named_; }
  size_t feed_count() const { return results_ ? 0 : slots_.front().size(); }
  const std::vector<StoredTensor>& feed(size_t index) const { return slots_.front()[index]; }
  const std::vector<Runner>& runners() const { return runners_; }
  const std::vector<StoredTensor>& outputs(size_t runner, size_t iteration) const {
    return slots_[runner][iteration];
  }

 private:
  void place(TensorFile file, const std::string& path);

  bool results_ = false, named_ = true, made_elsewhere_ = false;
  std::vector<Runner> runners_;
  // By runner and iteration; of inputs there is one track.
  std::vector<std::vector<std::vector<StoredTensor>>> slots_;
};

// Writes such a file, array by array: nothing is kept but where they are.
class StoreWriter {
 public:
  // `path`: is_store_target(). `runner_names`: nullopt for inputs. Throws IoError.
  StoreWriter(const std::string& path, std::optional<std::vector<std::string>> runner_names);
  ~StoreWriter();

  // Starts the next iteration of the inputs, or of a runner's results; then come its arrays: about
  // as many, which decides how much room a file's header is given.
  void begin_feed(size_t arrays);
  void begin_result(size_t runner, std::optional<double> runtime, size_t arrays);
  // More arrays of an iteration, whichever comes when; its runtime is that of the first time.
  void resume_result(size_t runner, size_t iteration, std::optional<double> runtime, size_t arrays);
  void add(std::string_view name, const Array& array);
  // The file is there after this.
  void finish();

 private:
  void expect(size_t arrays);
  std::string metadata() const;

  bool results_;
  std::vector<ResultStore::Runner> runners_;
  int64_t iterations_ = 0;  // of inputs
  std::string prefix_;      // "I/R/"
  bool expected_ = false;   // the file knows about how many arrays will come
  std::string types_;
  std::unique_ptr<TensorFileWriter> file_;
};

}  // namespace polygraphy
