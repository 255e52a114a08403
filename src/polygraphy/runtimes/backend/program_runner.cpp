#include "polygraphy/runtimes/backend/program_runner.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/files/file_access.h"
#include "base/os/mapped_file.h"
#include "base/os/scratch_folder.h"
#include "base/os/system_error.h"
#include "base/size_text.h"
#include "base/text.h"
#include "formats/plain_json.h"
#include "formats/plain_json_writer.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/data/results/saved_document.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/data/tensors/tensor_file.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/session_runner.h"

namespace polygraphy {
namespace {

constexpr size_t kMostOutput = size_t{256} << 20;
constexpr size_t kKeptOfStandardError = 64 << 10;

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw IoError("cannot write to " + path + ": " + system_reason(errno));
}

// The end of the JSON value that begins at `begin`; npos unless the value ends its line.
size_t end_of_document(std::string_view text, size_t begin) {
  try {
    JsonReader json(text, "", begin);
    json.skip_value();
    const size_t end = json.offset();
    const size_t line = std::min(text.find('\n', end), text.size());
    return strip(text.substr(end, line - end)).empty() ? end : std::string_view::npos;
  } catch (const FormatError&) {
    return std::string_view::npos;
  }
}

ArrayMap loaded(const OrderedMap<SavedArray>& saved, const Metadata& types) {
  ArrayMap tensors;
  for (const auto& [name, array] : saved) {
    const TensorInfo* info = types.find(name);
    const bool typed = array.plain && info && info->dtype != DataType::kUndefined;
    tensors.set(name, typed ? with_type_of_input(array.load(), info->dtype) : array.load());
  }
  return tensors;
}

ArrayMap outputs_in(std::string_view text, const std::string& source,
                    const std::string& only_output, const Metadata& types, std::string& other) {
  size_t begin = std::string_view::npos, end = 0;
  for (size_t at = 0; at < text.size();) {
    size_t next = std::min(text.find('\n', at), text.size()) + 1;
    const size_t first = text.find_first_not_of(" \t\r", at);
    if (first < text.size() && (text[first] == '{' || text[first] == '[')) {
      const size_t stop = end_of_document(text, first);
      if (stop != std::string_view::npos) {
        begin = first;
        end = stop;
        next = stop;
      }
    }
    at = next;
  }
  if (begin == std::string_view::npos)
    throw FormatError(source + " contains no JSON document",
                      "Expected {\"<output>\": [[1.0, 2.0], …], …}: see docs/model-runner.md.");
  other = std::string(text.substr(0, begin)) + std::string(text.substr(end));
  const SavedDocument document(text.substr(begin, end - begin), source);
  if (document.kind() == SavedDocument::Kind::kResults && !document.runners().empty() &&
      !document.runners().front().iterations.empty()) {
    return document.iteration(0, 0).load().outputs;
  }
  document.require_feeds();
  if (document.feed_count() != 1)
    throw FormatError(fmt::format("{} has the tensors of {} iterations instead of one", source,
                                  document.feed_count()));
  OrderedMap<SavedArray> saved = document.feed(0);
  if (const SavedArray* bare = saved.find("")) {
    if (only_output.empty())
      throw FormatError(source + " is a list without a name, but there are several outputs",
                        "Print an object: {\"<output>\": [[1.0, 2.0], …], …}");
    saved = OrderedMap<SavedArray>({{only_output, SavedArray(*bare)}});
  }
  return loaded(saved, types);
}

// Where the program may have written its outputs: some libraries, NumPy's among them, add the
// format's extension to a name that has none.
std::vector<std::string> output_files(const std::string& path) {
  std::vector<std::string> files{path};
  for (const TensorFormat* format : listed_tensor_formats()) {
    if (format->read == nullptr) continue;
    for (const auto extension : split(format->extensions, ' ')) {
      files.push_back(path + std::string(extension));
    }
  }
  return files;
}

class ProgramRunner final : public Runner {
 public:
  ProgramRunner(std::string name, PluginHost& host, ProgramOptions options, Logger& log)
      : Runner(std::move(name), &log), host_(host), options_(std::move(options)), log_(log) {
    if (options_.program.ends_with(".py")) argv_ = {options_.python};
    // A file of the current folder, where the system would look for a name in PATH.
    const bool plain = argv_.empty() && options_.program.find('/') == std::string::npos &&
                       is_there(options_.program);
    argv_.push_back((plain ? "./" : "") + options_.program);
  }
  ~ProgramRunner() override {
    if (active()) deactivate();
  }

 private:
  void activate_impl() override {
    const graphsurgeon::Model model = graphsurgeon::load_model(
        options_.model.path, {.external_data_dir = {}, .ignore_external_data = true});
    inputs_ = metadata_of_variables(model.graph->inputs());
    outputs_ = metadata_of_variables(model.graph->outputs());
    folder_.emplace(temporary_folder() + "/polygraphy-model-runner.");
  }

  void deactivate_impl() noexcept override { folder_.reset(); }

  Metadata input_metadata_impl() override { return inputs_; }

  Inference infer_impl(const ValueMap& feeds) override {
    const std::string input = *folder_ / "inputs.json", output = *folder_ / "outputs";
    const std::string text = plain_json(flatten(feeds));
    write_text(input, text);
    std::error_code ignored;
    for (const std::string& file : output_files(output)) std::filesystem::remove(file, ignored);
    ChildOptions start{.argv = argv_};
    start.argv.insert(start.argv.end(), {"--input-file", input, "--output-file", output});
    start.environment = {{"POLYGRAPHY_INPUT_FILE", input},
                         {"POLYGRAPHY_OUTPUT_FILE", output},
                         {"POLYGRAPHY_MODEL", options_.model.path}};
    start.in = ChildStream::of_text(text);
    start.out = ChildStream::capture(kMostOutput, ChildStream::Keep::kAll);
    start.err = ChildStream::capture(kKeptOfStandardError, ChildStream::Keep::kLast);

    const double begin = seconds_now();
    ChildProcess child = started(start);
    const auto status = child.wait(options_.timeout, host_.cancel_token());
    const double seconds = seconds_now() - begin;
    if (!status) {
      child.kill(0.5);
      fail(fmt::format("exceeded {} s, and was killed", *options_.timeout), child);
    }
    if (child.out().dropped > 0) {
      throw RunnerFailure(
          fmt::format("{} | {} printed more than {} on standard output, and was killed", name(),
                      options_.program, size_text(kMostOutput)),
          "Write the outputs to --output-file instead.");
    }
    if (!status->success()) fail(to_text(*status), child);
    show("standard error", child.err().text);
    return {unflatten(outputs_of(child, output), outputs_), seconds};
  }

  // One that cannot be started has failed as one that crashes: the other runners go on.
  ChildProcess started(const ChildOptions& start) const {
    try {
      return ChildProcess(start);
    } catch (const Error& error) {
      throw RunnerFailure(fmt::format("{} | {}", name(), error.what()), error.hint());
    }
  }

  [[noreturn]] void fail(const std::string& what, const ChildProcess& child) const {
    throw RunnerFailure(fmt::format("{} | {} {}", name(), options_.program, what),
                        std::string(strip(child.err().text)));
  }

  void show(std::string_view where, std::string_view text) {
    if (strip(text).empty()) return;
    log_.verbose(log_modules::kProgramRunner, fmt::format("{} | {} printed on {}:\n{}", name(),
                                                          options_.program, where, strip(text)));
  }

  ArrayMap outputs_of(const ChildProcess& child, const std::string& file) {
    try {
      for (const std::string& written : output_files(file)) {
        std::error_code none;
        if (std::filesystem::file_size(written, none) == 0 || none) continue;
        show("standard output", child.out().text);
        return outputs_of_file(written);
      }
      if (strip(child.out().text).empty())
        throw Error("it wrote neither to standard output nor to --output-file",
                    "See docs/model-runner.md for the protocol.");
      std::string other;
      ArrayMap outputs =
          outputs_in(child.out().text, "its standard output", only_output(), outputs_, other);
      show("standard output", other);
      return outputs;
    } catch (const Error& error) {
      throw RunnerFailure(
          fmt::format("{} | {} returned no outputs: {}", name(), options_.program, error.what()),
          error.hint());
    }
  }

  ArrayMap outputs_of_file(const std::string& path) {
    const auto file = MappedFile::open(path, AccessPattern::kSequential);
    const auto bytes = file->bytes();
    const TensorFormat* format = format_of(bytes, path);
    if (format != nullptr && format->read != nullptr) {
      const TensorFile stored = read_tensor_file(file);
      ArrayMap outputs;
      for (const StoredTensor& tensor : stored.tensors) {
        const bool nameless = !stored.named || tensor.name == "arr_0";
        const bool only = nameless && stored.tensors.size() == 1 && !only_output().empty();
        outputs.set(only ? only_output() : tensor.name, tensor.load().clone());
      }
      return outputs;
    }
    std::string other;
    ArrayMap outputs = outputs_in({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                  "its output file", only_output(), outputs_, other);
    return outputs;
  }

  std::string only_output() const {
    return outputs_.size() == 1 ? outputs_.at_index(0).first : std::string();
  }

  PluginHost& host_;
  ProgramOptions options_;
  Logger& log_;
  std::vector<std::string> argv_;
  Metadata inputs_, outputs_;
  std::optional<ScratchFolder> folder_;
};

}  // namespace

ArrayMap outputs_in_text(std::string_view text, const std::string& source,
                         const std::string& only_output, std::string& other) {
  return outputs_in(text, source, only_output, {}, other);
}

std::string program_runner_prefix(const std::string& program) {
  return std::filesystem::path(program).stem().string() + "-runner";
}

std::unique_ptr<Runner> make_program_runner(PluginHost& host, ProgramOptions options, Logger& log) {
  std::string name = options.name.empty()
                         ? next_runner_name(host, program_runner_prefix(options.program))
                         : options.name;
  return std::make_unique<ProgramRunner>(std::move(name), host, std::move(options), log);
}

}  // namespace polygraphy
