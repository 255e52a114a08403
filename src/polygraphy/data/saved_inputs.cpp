#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "polygraphy/data/array_json.h"
#include "polygraphy/data/iteration_files.h"
#include "polygraphy/data/plain_json.h"
#include "polygraphy/data/saved_document.h"
#include "polygraphy/data/saved_files.h"

namespace polygraphy {
namespace {

constexpr std::string_view kSaved = "inference input data", kLoaded = "input data";

void write_feed(JsonWriter& json, const TensorMap& feed) {
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

// A file being written as JSON.
struct JsonFile {
  explicit JsonFile(const std::string& path, Durability durability)
      : file(path, durability), sink(file), json(sink) {}
  AtomicFile file;
  AtomicFileSink sink;
  JsonWriter json;
};

}  // namespace

struct InputWriter::State {
  std::string path;
  Logger& log;
  std::optional<JsonFile> single;  // none: a directory
  int64_t written = 0;
};

InputWriter::InputWriter(std::string path, Logger& log)
    : state_(new State{std::move(path), log, {}}) {
  const bool directory = is_directory_target(state_->path);
  announce_saving(log, kSaved, state_->path, directory);
  if (directory) {
    prepare_directory(state_->path, kSaved);
    return;
  }
  state_->single.emplace(state_->path, Durability::kFsync);
  state_->single->json.begin_array();
}

InputWriter::~InputWriter() = default;

void InputWriter::add(const TensorMap& feed) {
  if (state_->single) {
    write_feed(state_->single->json, feed);
  } else {
    const std::string path = iteration_file(state_->path, state_->written);
    announce_file(state_->log, kSaved, path);
    JsonFile file(path, Durability::kNone);
    write_feed(file.json, feed);
    file.file.commit();
  }
  ++state_->written;
}

void InputWriter::finish() {
  if (!state_->single) return;
  announce_file(state_->log, kSaved, state_->path);
  state_->single->json.end_array();
  state_->single->file.commit();
  state_->single.reset();
}

struct InputReader::State {
  std::vector<std::string> paths;
  Logger& log;
  size_t next_path = 0;
  std::vector<std::string> files;  // of the present path
  size_t next_file = 0;
  std::optional<SavedDocument> document;
  size_t next_feed = 0;

  // False after the last file.
  bool open_next() {
    while (next_file == files.size()) {
      if (next_path == paths.size()) return false;
      const std::string& path = paths[next_path++];
      files = is_existing_directory(path) ? list_iteration_files(path) : std::vector{path};
      next_file = 0;
    }
    const std::string& file = files[next_file++];
    announce_loading(log, kLoaded, file);
    document.emplace(file);
    document->require_feeds();
    next_feed = 0;
    return true;
  }
};

InputReader::InputReader(std::vector<std::string> paths, Logger& log)
    : state_(new State{std::move(paths), log, 0, {}, 0, {}, 0}) {}

InputReader::~InputReader() = default;

std::optional<TensorMap> InputReader::next(const Metadata& inputs) {
  while (!state_->document || state_->next_feed == state_->document->feed_count()) {
    if (!state_->open_next()) return std::nullopt;
  }
  TensorMap feed;
  for (const auto& [name, array] : state_->document->feed(state_->next_feed++)) {
    const std::string& input = name.empty() ? only_input(inputs, array.what) : name;
    const TensorInfo* info = array.plain ? inputs.find(input) : nullptr;
    feed.set(input, info ? with_type_of_input(array.load(), info->dtype) : array.load());
  }
  state_->document->release();
  return feed;
}

std::vector<TensorMap> load_feeds(const std::string& path, Logger& log) {
  InputReader reader({path}, log);
  std::vector<TensorMap> feeds;
  while (auto feed = reader.next()) feeds.push_back(std::move(*feed));
  return feeds;
}

}  // namespace polygraphy
