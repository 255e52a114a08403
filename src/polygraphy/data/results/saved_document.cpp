#include "polygraphy/data/results/saved_document.h"

#include <algorithm>

#include "base/os/memory/pages.h"
#include "formats/json_text.h"
#include "polygraphy/data/tensors/raw_input.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

[[noreturn]] void fail_feed(const std::string& object, const std::string& hint = {}) {
  throw Error(
      "The data loader returned an object that cannot be recognized as a feed_dict (Dict[str, "
      "Union[np.ndarray, torch.Tensor, DeviceView]]):\nNote: The object was:\n" +
          object + ".",
      hint);
}

OrderedMap<SavedArray> read_tensors(JsonReader& json) {
  OrderedMap<SavedArray> tensors;
  json.enter_object();
  for (std::string name; json.next_key(name);) tensors.set(name, read_saved_array(json, name));
  return tensors;
}

constexpr size_t kLarge = size_t{16} << 20;  // of a map, to be given back before more is read

TensorFile read_array_file(const std::string& path) {
  const auto raw = parse_raw_input(path);
  if (!raw) return read_tensor_file(MappedFile::open(path, AccessPattern::kSequential));
  TensorFile file;
  file.tensors.push_back({raw->name, [raw = *raw] { return read_raw_input(raw); }});
  return file;
}

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

IterationResult SavedIteration::load() const {
  IterationResult result;
  for (const auto& [name, array] : outputs) result.outputs.set(name, array.load());
  result.runtime = runtime;
  result.runner_name = runner_name;
  return result;
}

IterationResult SavedIteration::deferred(SavedIteration iteration, const SavedDocument& document) {
  IterationResult result;
  for (const auto& [name, array] : iteration.outputs) result.outputs.set(name, {});
  result.runtime = iteration.runtime;
  result.runner_name = iteration.runner_name;
  result.read = [saved = std::move(iteration.outputs), &document,
                 unreleased = size_t{0}](size_t place) mutable {
    const SavedArray& array = saved.at_index(place).second;
    const auto release_if_large = [&] {
      if (unreleased < kLarge) return;
      document.release();
      unreleased = 0;
    };
    // Text is read now, an array that is a view of the file after this: its turn comes with the
    // next one.
    if (array.stored) release_if_large();
    Array loaded = array.load();
    unreleased += array.stored ? static_cast<size_t>(loaded.nbytes()) : array.payload.size();
    if (!array.stored) release_if_large();
    return loaded;
  };
  return result;
}

SavedDocument::SavedDocument(const std::string& path)
    : file_(MappedFile::open(path, AccessPattern::kSequential)), source_(path) {
  if (!is_document(format_of(file_->bytes(), path))) {
    index_store();
    return;
  }
  text_ = json_text({reinterpret_cast<const char*>(file_->bytes().data()), file_->bytes().size()},
                    source_);
  index();
}

SavedDocument::SavedDocument(const std::vector<std::string>& paths) : source_(paths.front()) {
  TensorFile all;
  for (const std::string& path : paths) {
    TensorFile file = read_array_file(path);
    for (StoredTensor& tensor : file.tensors) {
      const auto same = [&](const StoredTensor& other) { return other.name == tensor.name; };
      if (std::any_of(all.tensors.begin(), all.tensors.end(), same)) {
        throw FormatError(
            path + ": another file of the same iteration also holds '" + tensor.name + "'.",
            "Outputs of one iteration must have different names.");
      }
      all.tensors.push_back(std::move(tensor));
    }
  }
  store_.emplace(std::move(all), source_);
  kind_ = Kind::kFeeds;
}

SavedDocument::SavedDocument(std::string_view text, std::string source)
    : text_(text), source_(std::move(source)) {
  index();
}

void SavedDocument::index_store() {
  store_.emplace(read_tensor_file(file_), source_);
  kind_ = store_->holds_results() ? Kind::kResults : Kind::kFeeds;
  for (const ResultStore::Runner& runner : store_->runners()) {
    runners_.push_back({runner.name, {}});
    runners_.back().iterations.resize(runner.runtimes.size());
  }
}

void SavedDocument::take_as_outputs(const std::string& runner) {
  kind_ = Kind::kResults;
  runners_ = {{runner, {0}}};
}

OrderedMap<SavedArray> SavedDocument::saved_arrays(const std::vector<StoredTensor>& tensors) const {
  OrderedMap<SavedArray> arrays;
  for (const StoredTensor& tensor : tensors) {
    SavedArray array;
    array.what = source_ + ": '" + tensor.name + "'";
    array.stored = tensor.load;
    arrays.set(tensor.name, std::move(array));
  }
  return arrays;
}

void SavedDocument::index() {
  try {
    JsonReader json = reader(0);
    switch (json.peek()) {
      case Type::kArray:
        index_feeds(json);
        break;
      case Type::kObject:
        index_object(json);
        break;
      default:
        json.skip_value();
        break;
    }
    json.finish();
  } catch (const FormatError& error) {
    if (!error.hint().empty()) throw;
    throw FormatError(kNoSavedTensors, error.what(), "Expected a file of saved inputs or outputs.");
  }
}

void SavedDocument::index_feeds(JsonReader& json) {
  kind_ = Kind::kFeeds;
  const size_t start = json.offset();
  json.enter_array();
  while (json.next_element()) {
    const Type type = json.peek();
    // [[1, 2]]: one tensor, not a list of feeds.
    if (feeds_.empty()) bare_ = type == Type::kArray || type == Type::kNumber;
    feeds_.push_back(json.offset());
    json.skip_value();
    passed(json.offset());
  }
  if (bare_) feeds_ = {start};
}

// Pages of a map count as memory in use as long as they are mapped in: a file may be larger than
// what there is.
void SavedDocument::passed(size_t offset) {
  if (offset - released_ < kLarge) return;
  release();
  released_ = offset;
}

void SavedDocument::found_arrays_in(size_t bytes) const {
  unreleased_ += bytes;
  if (unreleased_ >= kLarge) release();
}

void SavedDocument::release() const {
  unreleased_ = 0;
  if (!file_ || file_->fd() < 0) return;  // other processes cannot change bytes in memory
  drop_pages(file_->bytes());
}

void SavedDocument::index_object(JsonReader& json) {
  json.peek();
  const size_t start = json.offset();
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, marker_)) continue;
    if (key == "lst" && type == Type::kArray) {
      index_list(json);
    } else {
      json.skip_value();
    }
  }
  if (marker_.empty()) {
    kind_ = Kind::kFeeds;
    feeds_.push_back(start);
  } else if (marker_ == "RunResults") {
    kind_ = Kind::kResults;
  } else if (marker_ == "AccuracyResults") {
    kind_ = Kind::kAccuracy;
  }
}

// Of results: [[name, [iteration, …]], …]. Of anything else: passed over.
void SavedDocument::index_list(JsonReader& json) {
  list_ = json.offset();
  json.enter_array();
  while (json.next_element()) {
    if (json.peek() == Type::kArray) {
      index_runner(json);
    } else {
      json.skip_value();
    }
  }
}

void SavedDocument::index_runner(JsonReader& json) {
  Runner runner;
  json.enter_array();
  for (size_t i = 0; json.next_element(); ++i) {
    const Type type = json.peek();
    if (i == 0 && type == Type::kString) {
      runner.name = json.read_string();
    } else if (i == 1 && type == Type::kArray) {
      json.enter_array();
      while (json.next_element()) {
        json.peek();
        runner.iterations.push_back(json.offset());
        json.skip_value();
        passed(json.offset());
      }
    } else {
      json.skip_value();
    }
  }
  runners_.push_back(std::move(runner));
}

OrderedMap<SavedArray> SavedDocument::arrays_of(JsonReader& json) const {
  OrderedMap<SavedArray> tensors = read_tensors(json);
  if (!torch_) return tensors;
  for (auto& [name, array] : tensors) {
    if (!array.torch) continue;
    array.stored = [read = torch_, text = array.payload, what = array.what] {
      return read(text, what);
    };
  }
  return tensors;
}

OrderedMap<SavedArray> SavedDocument::feed(size_t index) const {
  if (store_) return saved_arrays(store_->feed(index));
  JsonReader json = reader(feeds_[index]);
  if (bare_) return {{"", read_saved_array(json, "")}};
  if (json.peek() != Type::kObject) {
    fail_feed(source_ + ": element " + std::to_string(index) +
              " of the list, which is not an object");
  }
  OrderedMap<SavedArray> tensors = arrays_of(json);
  found_arrays_in(json.offset() - feeds_[index]);
  return tensors;
}

SavedIteration SavedDocument::iteration(size_t runner, size_t index) const {
  if (store_) {
    const bool known = store_->holds_results();
    return {saved_arrays(store_->outputs(runner, index)),
            known ? store_->runners()[runner].runtimes[index] : std::nullopt,
            runners_[runner].name};
  }
  JsonReader json = reader(runners_[runner].iterations[index]);
  SavedIteration result;
  result.runner_name = runners_[runner].name;
  std::string marker;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, marker)) continue;
    if (key == "outputs" && type == Type::kObject) {
      result.outputs = arrays_of(json);
    } else if (key == "runtime" && type == Type::kNumber) {
      result.runtime = json.read_number();
    } else if (key == "runner_name" && type == Type::kString) {
      result.runner_name = json.read_string();
    } else {
      json.skip_value();
    }
  }
  if (marker != "IterationResult") {
    json.fail_at(runners_[runner].iterations[index], "expected an IterationResult.");
  }
  found_arrays_in(json.offset() - runners_[runner].iterations[index]);
  return result;
}

// The object in a few words: the original prints all of it.
std::string SavedDocument::describe() const {
  switch (kind_) {
    case Kind::kFeeds:
      return source_ + ": " + counted(feed_count(), "feed");
    case Kind::kResults:
      return source_ + ": results of " + counted(runners_.size(), "runner");
    default:
      break;
  }
  return source_ + (marker_.empty() ? ": not an object" : ": an object of class " + marker_);
}

void SavedDocument::require_feeds() const {
  if (kind_ == Kind::kFeeds) return;
  fail_feed(
      describe(),
      kind_ == Kind::kResults
          ? "Hint: This is a `RunResults` object (e.g. generated with `--save-outputs`). Use the "
            "`data merge` tool to convert it to a feed_dict-compatible format."
          : "");
}

void SavedDocument::refuse(std::string_view wanted, ErrorCode code, const std::string& hint) const {
  if (store_) throw Error(code, describe() + ", but not " + std::string(wanted) + ".", hint);
  std::string type = "object";
  if (kind_ == Kind::kFeeds) {
    const bool list = text_[text_.find_first_not_of(" \t\r\n")] == '[';
    type = list ? "list" : "collections.OrderedDict";
  } else if (!marker_.empty()) {
    type = marker_;
  }
  throw Error(code,
              "Provided JSON cannot be decoded into a " + std::string(wanted) +
                  ".\nNote: JSON was decoded into a <class '" + type + "'>:\n" + describe(),
              hint);
}

void SavedDocument::require_results() const {
  if (kind_ == Kind::kResults) return;
  const bool inputs = kind_ == Kind::kFeeds;
  refuse("RunResults", inputs ? kSavedInputs : ErrorCode{},
         inputs ? "This looks like inputs." : "");
}

void SavedDocument::require_accuracy() const {
  if (kind_ == Kind::kAccuracy) return;
  refuse("AccuracyResults", kNoAccuracyResults, "Expected a JSON file of saved accuracy results.");
}

}  // namespace polygraphy
