#include "polygraphy/runtimes/contract/workbench.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/session_runner.h"

namespace polygraphy::contract {

std::string encode(std::string_view onnx_text) {
  return graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(onnx_text));
}

const Value& value(const ValueMap& outputs, std::string_view name) {
  if (const Value* found = outputs.find(name)) return *found;
  std::string names;
  for (const auto& entry : outputs) names += (names.empty() ? "" : ", ") + entry.first;
  throw CaseFailed(fmt::format("no output {}; outputs: {}", name, names));
}

const Array& tensor(const ValueMap& outputs, std::string_view name) {
  const Value& found = value(outputs, name);
  if (!found.as_tensor()) throw CaseFailed(fmt::format("output {} is not a tensor", name));
  return found.tensor();
}

double element(const Array& array, int64_t index) {
  if (index >= 0 && index < array.size() && array.dtype() != DataType::kString)
    return array.get_double(index);
  throw CaseFailed(fmt::format("an output has no number at {}: {}", index, describe(array)));
}

double number(const ValueMap& outputs, std::string_view name, int64_t index) {
  return element(tensor(outputs, name), index);
}

CaseLog::CaseLog() {
  log_.set_sink([this](Severity, std::string_view text) { messages_.emplace_back(text); });
  log_.set_severity(Severity::kInfo);
}

bool CaseLog::has(std::string_view text) const {
  for (const std::string& message : messages_) {
    if (message.find(text) != std::string::npos) return true;
  }
  return false;
}

Workbench::Workbench(const PluginPaths& paths, std::string runtime)
    : runtime_(std::move(runtime)), folder_(temporary_folder() + "/.polygraphy-case-") {
  host_ = std::make_unique<PluginHost>(paths, log_.log());
  host_->cancel_on(stop);
}

const pgb_backend_options& Workbench::options() {
  return *host_->catalog().get(runtime_).options;
}

std::string Workbench::file_of_bytes(const std::string& bytes, const std::string& name) {
  const std::string path = folder_ / name;
  write_file(path, bytes);
  return path;
}

std::string Workbench::file(std::string_view onnx_text, const std::string& name) {
  return file_of_bytes(encode(onnx_text), name);
}

std::unique_ptr<Runner> Workbench::runner(ModelSource source, BackendOptions options) {
  return make_runner(*host_, this->options(), std::move(source), {.options = std::move(options)},
                     {}, log_.log());
}

ValueMap Workbench::run(std::string_view onnx_text, const ValueMap& feeds, BackendOptions options) {
  const std::unique_ptr<Runner> made = runner({.path = file(onnx_text)}, std::move(options));
  ActiveRunner active(*made);
  return active.infer(feeds);
}

std::unique_ptr<BackendSession> Workbench::session_of_bytes(const std::string& bytes,
                                                            BackendOptions options, bool profile) {
  ModelBlob blob;
  blob.bytes = bytes;
  return host_->open(runtime_)->load(blob, {.options = std::move(options), .profile = profile});
}

std::unique_ptr<BackendSession> Workbench::session(std::string_view onnx_text,
                                                   BackendOptions options, bool profile) {
  return session_of_bytes(encode(onnx_text), std::move(options), profile);
}

void Workbench::use_model(std::string path, std::string format) {
  model_ = {.path = std::move(path), .format = std::move(format)};
}

std::unique_ptr<BackendSession> Workbench::session_of_model() {
  const std::shared_ptr<BackendInstance> instance = host_->open(runtime_);
  if (!instance->builds(model_.format)) return instance->load(model_, {});
  const BackendInstance::Artefact built = instance->build(model_, {});
  return instance->load({.bytes = built.bytes, .format = built.format}, {});
}

std::string contents_of(const std::string& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Interrupted&) {
    return "interrupted";
  } catch (const Error& error) {
    return error.hint().empty() ? error.what() : std::string(error.what()) + "\n" + error.hint();
  }
  return "no error";
}

}  // namespace polygraphy::contract
