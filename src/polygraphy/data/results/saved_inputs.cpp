#include "polygraphy/data/results/saved_inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "formats/array_json.h"
#include "formats/plain_json.h"
#include "polygraphy/data/results/input_files.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/results/saved_document.h"

namespace polygraphy {
namespace {

constexpr std::string_view kSaved = "inference input data", kLoaded = "input data";

void write_feed(JsonWriter& json, const ArrayMap& feed) {
  json.begin_object();
  for (const auto& [name, array] : feed) {
    json.key(name);
    write_array(json, array);
  }
  json.end_object();
}

// The name of an input that the file does not name.
const std::string& only_input(const Metadata& inputs, const std::string& what) {
  static const std::string kNone;
  if (inputs.empty()) return kNone;
  if (inputs.size() == 1) return inputs.at_index(0).first;
  throw Error(what + " is an array without a name, but the model has " +
                  std::to_string(inputs.size()) + " inputs.",
              "Name them: {\"" + inputs.at_index(0).first + "\": [...], \"" +
                  inputs.at_index(1).first + "\": [...]}.");
}

std::deque<InputFile> files_of(const std::vector<std::string>& paths) {
  std::deque<InputFile> all;
  for (const std::string& path : paths) {
    for (InputFile& file : list_input_files(path)) all.push_back(std::move(file));
  }
  return all;
}

// Each sample in separate files.
bool are_samples(const std::deque<InputFile>& files) {
  return !files.empty() && files.front().first &&
         std::ranges::all_of(files, [](const InputFile& file) { return file.part; });
}

void add_feed(StoreWriter& store, const ArrayMap& feed) {
  store.begin_feed(feed.size());
  for (const auto& [name, array] : feed) store.add(name, array);
}

}  // namespace

struct InputWriter::State {
  std::string path;
  Logger& log;
  std::optional<JsonFile> single;    // neither: a directory
  std::optional<StoreWriter> store;  // a binary file
  int64_t written = 0;
};

InputWriter::InputWriter(std::string path, Logger& log)
    : state_(new State{std::move(path), log, {}, {}}) {
  const bool directory = is_directory_target(state_->path);
  announce_saving(log, kSaved, state_->path, directory);
  if (directory) {
    prepare_directory(state_->path, kSaved);
    return;
  }
  if (is_store_target(state_->path)) {
    state_->store.emplace(state_->path, std::nullopt);
    return;
  }
  state_->single.emplace(state_->path);
  state_->single->json.begin_array();
}

InputWriter::~InputWriter() = default;

void InputWriter::add(const ArrayMap& feed) {
  if (state_->store) {
    add_feed(*state_->store, feed);
  } else if (state_->single) {
    write_feed(state_->single->json, feed);
  } else {
    const std::string path = iteration_file(state_->path, state_->written);
    announce_file(state_->log, kSaved, path);
    if (is_store_target(path)) {
      StoreWriter store(path, std::nullopt);
      add_feed(store, feed);
      store.finish();
    } else {
      JsonFile file(path, Durability::kNone);
      write_feed(file.json, feed);
      file.file.commit();
    }
  }
  ++state_->written;
}

void InputWriter::finish() {
  if (!state_->single && !state_->store) return;
  announce_file(state_->log, kSaved, state_->path);
  if (state_->store) {
    state_->store->finish();
    state_->store.reset();
    return;
  }
  state_->single->json.end_array();
  state_->single->file.commit();
  state_->single.reset();
}

struct InputReader::State {
  std::vector<std::string> paths;
  Logger& log;
  TorchReader torch;
  size_t next_path = 0;
  std::deque<InputFile> files = {};  // that are to be read, of the present path
  std::optional<SavedDocument> document = {};
  size_t next_feed = 0;
  std::string file = {};  // that was read last

  // False after the last file.
  bool look_for_files() {
    while (files.empty()) {
      if (next_path == paths.size()) return false;
      files = list_input_files(paths[next_path++]);
    }
    return true;
  }

  std::optional<ArrayMap> next_of_document(const Metadata& inputs) {
    if (!document || next_feed == document->feed_count()) return std::nullopt;
    ArrayMap feed;
    const size_t place = order.empty() ? next_feed : static_cast<size_t>(order[next_feed]);
    for (const auto& [name, array] : document->feed(place)) {
      const std::string input = name.empty() ? only_input(inputs, array.what)
                                             : input_name_for(name, !document->named(), inputs);
      const TensorInfo* info = array.plain ? inputs.find(input) : nullptr;
      const Array loaded = array.load();
      feed.set(input, info ? with_type_of_input(loaded, info->dtype) : loaded);
    }
    ++next_feed;
    document->release();
    return feed;
  }

  void open(const std::string& path) {
    announce_loading(log, kLoaded, path);
    file = path;
    document.emplace(path);
    document->read_torch_with(torch);
    document->require_feeds();
    next_feed = 0;
  }

  // The arrays of a file that has a part of an iteration.
  ArrayMap read_part(const InputFile& read, const Metadata& inputs) {
    if (!read.raw) {
      open(read.path);
      ArrayMap part = next_of_document(inputs).value_or(ArrayMap{});
      document.reset();
      return part;
    }
    announce_loading(log, kLoaded, read.path);
    file = read.path;
    RawInput raw = read.raw_input;
    raw.name = input_name_for(raw.name, true, inputs);
    if (const TensorInfo* known = inputs.find(raw.name)) {
      if (raw.info.dtype == DataType::kUndefined) raw.info.dtype = known->dtype;
      if (!raw.info.shape) raw.info.shape = known->shape;
    }
    ArrayMap part;
    part.set(raw.name, read_raw_input(raw));
    return part;
  }

  // Parts make one iteration as long as they are of different inputs.
  ArrayMap next_of_parts(const Metadata& inputs) {
    ArrayMap feed;
    while (look_for_files() && files.front().part) {
      if (files.front().first && !feed.empty()) break;
      ArrayMap part = waiting ? std::move(*waiting) : read_part(files.front(), inputs);
      waiting.reset();
      for (const auto& [name, array] : part) {
        if (!feed.contains(name)) continue;
        waiting = std::move(part);  // of the next iteration
        return feed;
      }
      for (auto& [name, array] : part) feed.set(name, std::move(array));
      files.pop_front();
      ++files_read;
    }
    return feed;
  }

  // Samples of several files are put into order at once, feeds of one file when they are read.
  void reorder(std::vector<int64_t> wanted) {
    files = files_of(paths);
    next_path = paths.size();
    if (files.size() == 1) {
      order = std::move(wanted);
      return;
    }
    std::vector<std::deque<InputFile>> samples;
    for (InputFile& part : files) {
      if (part.first || !part.part) samples.emplace_back();
      samples.back().push_back(std::move(part));
    }
    files.clear();
    for (const int64_t sample : wanted) {
      for (InputFile& part : samples[static_cast<size_t>(sample)]) files.push_back(std::move(part));
    }
  }

  std::vector<int64_t> order = {};       // of the feeds of one file
  std::optional<ArrayMap> waiting = {};  // the part at the front of `files`, read already
  size_t files_read = 0, delivered = 0;
};

InputReader::InputReader(std::vector<std::string> paths, Logger& log, TorchReader torch)
    : state_(new State{std::move(paths), log, std::move(torch)}) {}

InputReader::~InputReader() = default;

std::optional<ArrayMap> InputReader::next(const Metadata& inputs) {
  State& state = *state_;
  while (true) {
    if (auto feed = state.next_of_document(inputs)) {
      ++state.delivered;
      return feed;
    }
    if (!state.look_for_files()) return std::nullopt;
    if (state.files.front().part) {
      state.document.reset();
      ++state.delivered;
      return state.next_of_parts(inputs);
    }
    state.open(state.files.front().path);
    state.files.pop_front();
    ++state.files_read;
  }
}

void InputReader::reorder(std::vector<int64_t> order) {
  state_->reorder(std::move(order));
}

const std::string& InputReader::file() const {
  return state_->file;
}

std::optional<int64_t> InputReader::total() const {
  const State& state = *state_;
  if (state.next_path < state.paths.size() || state.files_read == 0) return std::nullopt;
  const size_t rest = state.document ? state.document->feed_count() - state.next_feed : 0;
  const double per_file =
      static_cast<double>(state.delivered + rest) / static_cast<double>(state.files_read);
  return static_cast<int64_t>(state.delivered + rest) +
         std::llround(per_file * static_cast<double>(state.files.size()));
}

std::optional<int64_t> count_saved_feeds(const std::vector<std::string>& paths) {
  const std::deque<InputFile> files = files_of(paths);
  if (are_samples(files)) return std::ranges::count_if(files, &InputFile::first);
  if (std::ranges::any_of(files, &InputFile::part)) return std::nullopt;
  for (const InputFile& file : files) {
    const SavedDocument document(file.path);
    document.require_feeds();
    const auto count = static_cast<int64_t>(document.feed_count());
    if (files.size() == 1) return count;
    if (count != 1) return std::nullopt;
  }
  return static_cast<int64_t>(files.size());
}

std::vector<ArrayMap> load_feeds(const std::string& path, Logger& log) {
  InputReader reader({path}, log);
  std::vector<ArrayMap> feeds;
  while (auto feed = reader.next()) feeds.push_back(std::move(*feed));
  return feeds;
}

}  // namespace polygraphy
