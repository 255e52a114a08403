// A file of saved inputs or results, mapped and indexed. Arrays stay in the file until the caller
// reads them, so the arrays that the caller keeps bound the memory. JSON of the original's versions
// and ours, our binary files (result_store.h), and other programs' files of arrays (tensor_file.h),
// which are one feed each.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/ordered_map.h"
#include "base/os/mapped_file.h"
#include "formats/array_json.h"
#include "formats/json_reader.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/torch_reader.h"

namespace polygraphy {

class SavedDocument;

// A file that is not what was to be read from it: no saved tensors at all, inputs where outputs are
// expected, no accuracy results.
inline constexpr ErrorCode kNoSavedTensors{"no-saved-tensors"};
inline constexpr ErrorCode kSavedInputs{"saved-inputs"};
inline constexpr ErrorCode kNoAccuracyResults{"no-accuracy-results"};

// One iteration of one runner, arrays not decoded. Views the document.
struct SavedIteration {
  OrderedMap<SavedArray> outputs;
  std::optional<double> runtime;
  std::string runner_name;

  IterationResult load() const;
  // The same with arrays that are read when they are wanted: as long as the document lives.
  static IterationResult deferred(SavedIteration iteration, const SavedDocument& document);
};

class SavedDocument {
 public:
  enum class Kind { kFeeds, kResults, kAccuracy, kOther };
  struct Runner {
    std::string name;
    std::vector<size_t> iterations;  // offsets in JSON
  };

  // Reads through the file once without decoding arrays. Throws IoError, FormatError.
  explicit SavedDocument(const std::string& path);
  // One iteration of outputs in files of one array each, raw bytes included (raw_input.h).
  explicit SavedDocument(const std::vector<std::string>& paths);
  // The same over text in memory, which must stay alive.
  SavedDocument(std::string_view text, std::string source);

  Kind kind() const { return kind_; }
  // False: the inputs' names are taken from the file's name, because the format has none.
  bool named() const { return !store_ || store_->named(); }

  // Another program's arrays: inputs or outputs, as the caller takes them.
  bool made_elsewhere() const { return store_ && store_->made_elsewhere(); }
  // Then these are one iteration of results.
  void take_as_outputs(const std::string& runner);

  // kFeeds: a list of feeds, or one feed without a list; or a bare array of numbers, which is one
  // feed of a nameless tensor ("").
  size_t feed_count() const { return store_ ? store_->feed_count() : feeds_.size(); }
  // Throws an Error in the original's words when the entry is something else.
  OrderedMap<SavedArray> feed(size_t index) const;

  // kResults.
  const std::vector<Runner>& runners() const { return runners_; }
  SavedIteration iteration(size_t runner, size_t index) const;

  // Sets the reader of tensors that torch saved; empty: their load() fails.
  void read_torch_with(TorchReader reader) { torch_ = std::move(reader); }

  // Gives back the memory that what was read of the file takes. Everything stays readable.
  void release() const;

  // kAccuracy: a reader at the list of comparisons.
  JsonReader accuracy() const { return reader(list_); }

  // Throw Errors in the original's words when this is not what the caller needs.
  void require_feeds() const;
  void require_results() const;
  void require_accuracy() const;

 private:
  JsonReader reader(size_t offset) const {
    return JsonReader(text_, source_, offset, npy_text_length);
  }
  void index();
  void index_feeds(JsonReader& json);
  void index_store();
  OrderedMap<SavedArray> saved_arrays(const std::vector<StoredTensor>& tensors) const;
  void index_object(JsonReader& json);
  void index_list(JsonReader& json);
  void index_runner(JsonReader& json);
  void passed(size_t offset);
  OrderedMap<SavedArray> arrays_of(JsonReader& json) const;
  void found_arrays_in(size_t bytes) const;
  std::string describe() const;
  [[noreturn]] void refuse(std::string_view wanted, ErrorCode code, const std::string& hint) const;

  std::shared_ptr<const MappedFile> file_;
  std::optional<ResultStore> store_;  // then there is no text
  TorchReader torch_;
  std::string_view text_;
  std::string source_;
  Kind kind_ = Kind::kOther;
  std::string marker_;
  bool bare_ = false;
  size_t list_ = 0;                // of `lst`
  size_t released_ = 0;            // up to here while indexing
  mutable size_t unreleased_ = 0;  // of text, since then
  std::vector<size_t> feeds_;
  std::vector<Runner> runners_;
};

}  // namespace polygraphy
