#include "polygraphy/data/results/result_store.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/ordered_map.h"
#include "base/text.h"
#include "formats/element_codes.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "formats/npy.h"
#include "formats/safetensors.h"

namespace polygraphy {
namespace {

constexpr std::string_view kInputs = "Inputs", kResults = "RunResults";
constexpr int64_t kVersion = 1;

struct StoredType {
  DataType type;
  Shape shape;
};

struct Description {
  std::string what;  // the class
  size_t iterations = 0;
  std::vector<ResultStore::Runner> runners;
  OrderedMap<StoredType> types;
};

ResultStore::Runner read_runner(JsonReader& json) {
  ResultStore::Runner runner;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "name") {
      runner.name = json.read_string();
    } else if (key == "runtimes") {
      json.enter_array();
      while (json.next_element()) {
        const bool known = json.peek() != JsonReader::Type::kNull;
        if (!known) json.read_null();
        runner.runtimes.push_back(known ? std::optional(json.read_number()) : std::nullopt);
      }
    } else {
      json.skip_value();
    }
  }
  return runner;
}

StoredType read_type(JsonReader& json) {
  StoredType result{DataType::kUndefined, {}};
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "dtype") {
      const std::string name = json.read_string();
      result.type = parse_data_type(name).value_or(DataType::kUndefined);
      if (result.type == DataType::kUndefined) json.fail("unknown data type '" + name + "'.");
    } else if (key == "shape") {
      json.enter_array();
      while (json.next_element()) result.shape.push_back(json.read_integer());
    } else {
      json.skip_value();
    }
  }
  return result;
}

Description read_description(const std::string& text, const std::string& path, size_t arrays) {
  JsonReader json(text, path + " (metadata)");
  Description result;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "class") {
      result.what = json.read_string();
    } else if (key == "version") {
      const int64_t version = json.read_integer();
      if (version != kVersion) {
        throw FormatError(path + ": version " + std::to_string(version) +
                              " of polygraphy's binary files, which this version cannot read.",
                          "Use the version of polygraphy that wrote it, or a newer one.");
      }
    } else if (key == "iterations") {
      const int64_t iterations = json.read_integer();
      // Iterations without arrays are rare, and take memory here but none in the file.
      if (iterations < 0 || static_cast<uint64_t>(iterations) > arrays + 4096) {
        json.fail(std::to_string(iterations) + " iterations of " + std::to_string(arrays) +
                  " arrays.");
      }
      result.iterations = static_cast<size_t>(iterations);
    } else if (key == "runners") {
      json.enter_array();
      while (json.next_element()) result.runners.push_back(read_runner(json));
    } else if (key == "types") {
      json.enter_object();
      for (std::string name; json.next_key(name);) result.types.set(name, read_type(json));
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return result;
}

// The number in front of a slash, which `text` loses with it.
std::optional<size_t> pop_number(std::string_view& text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto length = static_cast<size_t>(end - text.data());
  if (error != std::errc{} || length == text.size() || *end != '/') return std::nullopt;
  text.remove_prefix(length + 1);
  return value;
}

std::function<Array()> with_type(std::function<Array()> load, StoredType type, std::string what) {
  return [load = std::move(load), type = std::move(type), what = std::move(what)] {
    const Array stored = load();
    // Types that a format lacks are stored as codes, element by element, or as bytes
    // (tensor_format.h). If both have the same form, they are equal.
    const bool bytes = is_packed(type.type) && kind_of(type.type) == Kind::kSigned &&
                       stored.dtype() == DataType::kUint8;
    const bool codes = stored.shape() == type.shape && !numpy_has(type.type) && !bytes;
    return codes ? from_codes(stored, type.type, what)
                 : from_bytes(stored, type.type, type.shape, what);
  };
}

}  // namespace

bool is_store_target(std::string_view path) {
  const TensorFormat* format = format_of_extension(path);
  return format != nullptr && format->write != nullptr;
}

ResultStore::ResultStore(TensorFile file, const std::string& path) : named_(file.named) {
  if (file.metadata.empty()) {
    slots_.emplace_back().push_back(std::move(file.tensors));
    made_elsewhere_ = true;
    return;
  }
  place(std::move(file), path);
}

void ResultStore::place(TensorFile file, const std::string& path) {
  Description description = read_description(file.metadata, path, file.tensors.size());
  results_ = description.what == kResults;
  if (!results_ && description.what != kInputs) {
    throw FormatError(path + ": neither inputs nor results, but '" + description.what + "'.");
  }
  runners_ = std::move(description.runners);
  slots_.resize(results_ ? runners_.size() : 1);
  for (size_t i = 0; i < runners_.size() && results_; ++i) {
    slots_[i].resize(runners_[i].runtimes.size());
  }
  if (!results_) slots_.front().resize(description.iterations);
  for (StoredTensor& tensor : file.tensors) {
    std::string_view name = tensor.name;
    const auto iteration = pop_number(name);
    const auto runner = results_ ? pop_number(name) : std::optional<size_t>(0);
    if (!iteration || !runner || *runner >= slots_.size() || *iteration >= slots_[*runner].size()) {
      throw FormatError(path + ": array '" + tensor.name +
                        "' does not belong to an iteration in the metadata.");
    }
    if (const StoredType* type = description.types.find(tensor.name)) {
      tensor.load = with_type(std::move(tensor.load), *type, path + ": '" + tensor.name + "'");
    }
    tensor.name.erase(0, tensor.name.size() - name.size());
    slots_[*runner][*iteration].push_back(std::move(tensor));
  }
}

StoreWriter::StoreWriter(const std::string& path,
                         std::optional<std::vector<std::string>> runner_names)
    : results_(runner_names.has_value()) {
  for (std::string& name : runner_names.value_or(std::vector<std::string>{})) {
    runners_.push_back({std::move(name), {}});
  }
  assert(is_store_target(path));
  file_ = format_of_extension(path)->write(path);
}

StoreWriter::~StoreWriter() = default;

void StoreWriter::expect(size_t arrays) {
  // Room for several iterations; a file of more has its arrays moved back once, at the end.
  constexpr size_t kIterations = 8;
  const size_t tracks = std::max<size_t>(runners_.size(), 1);
  if (!expected_) file_->expect(arrays * tracks * kIterations);
  expected_ = true;
}

void StoreWriter::begin_feed(size_t arrays) {
  expect(arrays);
  prefix_ = std::to_string(iterations_++) + "/";
}

void StoreWriter::begin_result(size_t runner, std::optional<double> runtime, size_t arrays) {
  expect(arrays);
  auto& runtimes = runners_[runner].runtimes;
  prefix_ = std::to_string(runtimes.size()) + "/" + std::to_string(runner) + "/";
  runtimes.push_back(runtime);
}

void StoreWriter::resume_result(size_t runner, size_t iteration, std::optional<double> runtime,
                                size_t arrays) {
  expect(arrays);
  auto& runtimes = runners_[runner].runtimes;
  if (runtimes.size() <= iteration) {
    runtimes.resize(iteration + 1);
    runtimes[iteration] = runtime;
  }
  prefix_ = std::to_string(iteration) + "/" + std::to_string(runner) + "/";
}

void StoreWriter::add(std::string_view name, const Array& array) {
  const std::string key = prefix_ + std::string(name);
  if (!file_->add(key, array)) {
    types_ += (types_.empty() ? "" : ", ") + json_quoted(key) + R"(: {"dtype": ")" +
              std::string(name_of(array.dtype())) + R"(", "shape": [)";
    for (size_t i = 0; i < array.shape().size(); ++i) {
      types_ += (i > 0 ? ", " : "") + std::to_string(array.shape()[i]);
    }
    types_ += "]}";
  }
}

std::string StoreWriter::metadata() const {
  StringSink text;
  text.write("{\"class\": \"" + std::string(results_ ? kResults : kInputs) +
             "\", \"version\": " + std::to_string(kVersion));
  if (!results_) text.write(", \"iterations\": " + std::to_string(iterations_));
  if (results_) {
    text.write(", \"runners\": [");
    for (size_t i = 0; i < runners_.size(); ++i) {
      text.write((i > 0 ? ", {\"name\": " : "{\"name\": ") + json_quoted(runners_[i].name) +
                 ", \"runtimes\": [");
      for (size_t j = 0; j < runners_[i].runtimes.size(); ++j) {
        if (j > 0) text.write(", ");
        JsonWriter json(text);
        const auto& runtime = runners_[i].runtimes[j];
        if (runtime) {
          json.number(*runtime);
        } else {
          json.null();
        }
      }
      text.write("]}");
    }
    text.write("]");
  }
  text.write(", \"types\": {" + types_ + "}}");
  return text.text();
}

void StoreWriter::finish() {
  file_->finish(metadata());
}

}  // namespace polygraphy
