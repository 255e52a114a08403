#include "polygraphy/runtimes/backend/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>
#include <span>

#include "base/near_names.h"
#include "base/os/atomic_file.h"
#include "base/os/crash_message.h"
#include "base/os/mapped_file.h"
#include "base/text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/backend/host_side.h"
#include "polygraphy/runtimes/backend/values.h"

namespace polygraphy {
namespace {

// Otherwise a misspelled key would have no effect, without any message.
void check_options(const pgb_backend_options& backend, const SessionOptions& options) {
  const std::span specs(backend.options, backend.option_count);
  for (const auto& option : options.options) {
    const auto& key = option.first;
    if (std::any_of(specs.begin(), specs.end(), [&](const auto& spec) { return key == spec.key; }))
      continue;
    std::vector<std::string_view> keys;
    for (const pgb_option_spec& spec : specs) keys.emplace_back(spec.key);
    throw OptionError(fmt::format("{} has no option '{}'", backend.name, key),
                      unknown_name_hint(key, keys, "Options"));
  }
}

const pgb_build* builder_of(const pgb_backend& backend) {
  return static_cast<const pgb_build*>(backend.extension ? backend.extension(PGB_BUILD) : nullptr);
}

// The file that the user wants the artefact in; empty: none.
std::string save_path(const pgb_build& builder, const SessionOptions& options) {
  constexpr size_t kEnd = offsetof(pgb_build, save_option) + sizeof(builder.save_option);
  std::string path;
  if (builder.struct_size < kEnd || !builder.save_option) return path;
  for (const auto& [key, values] : options.options) {
    if (key == builder.save_option && !values.empty()) path = values.front();
  }
  return path;
}

void check_format(const pgb_backend_options& backend, const std::string& format) {
  if (takes_format(backend, format)) return;
  throw Error(fmt::format("{} does not support models of type {}", backend.name, format),
              fmt::format("Supported: {}", formats_text(backend)));
}

}  // namespace

BackendInstance::BackendInstance(const pgb_backend& backend, const std::string& library,
                                 const std::vector<std::string>& search, const std::string& hint,
                                 Logger& log, CancelToken cancel, const CallLimits& limits,
                                 SharedHeap* heap)
    : backend_(backend), host_(std::make_unique<HostSide>(log, cancel, limits, heap)) {
  const std::vector<const char*> candidates = pointers(search);
  const CrashContext context(backend.options->name, "opened its library");
  const pgb_status status = backend.open(&host_->raw, library.empty() ? nullptr : library.c_str(),
                                         candidates.data(), candidates.size(), &instance_);
  if (status == PGB_OK) return;
  host_->flush();
  if (status == PGB_CANCELLED && host_->is_cancelled()) throw Interrupted();
  if (host_->message.empty()) host_->message = "the plugin reported no reason";
  throw Error(kNotAvailable,
              fmt::format("{} is not available: {}", backend.options->name, host_->message),
              host_->hint.empty() ? hint : host_->hint);
}

BackendInstance::~BackendInstance() {
  if (!instance_) return;
  backend_.close(instance_);
  host_->flush_quietly();
}

void BackendInstance::finish(pgb_status status) {
  host_->flush();
  if (status == PGB_OK) return;
  if (status == PGB_CANCELLED && host_->is_cancelled()) throw Interrupted();
  if (status == PGB_CANCELLED) host_->check_limits();
  if (status == PGB_CANCELLED && host_->message.empty())
    host_->message = fmt::format("{} reported a cancellation that was not requested", name());
  if (host_->message.empty())
    host_->message = fmt::format("{} failed, and reported no reason", name());
  const std::string message = std::exchange(host_->message, {});
  const std::string hint = std::exchange(host_->hint, {});
  if (status == PGB_BAD_OPTION) throw OptionError(message, hint);
  throw Error(message, hint);
}

const BackendInstance::Info& BackendInstance::info() {
  if (info_) return *info_;
  pgb_instance_info raw{};
  raw.struct_size = sizeof(raw);
  host_->begin();
  finish(backend_.info(instance_, &raw));
  const auto text = [](const char* value) { return std::string(value ? value : ""); };
  info_ = std::make_unique<Info>();
  info_->library_version = text(raw.library_version);
  info_->library_path = text(raw.library_path);
  info_->devices = text(raw.devices);
  info_->max_ir_version = raw.max_ir_version;
  info_->max_opset = raw.max_opset;
  return *info_;
}

uint32_t BackendInstance::capabilities(const SessionOptions& options) {
  return backend_.capabilities(instance_, &RawOptions(options).value());
}

std::unique_ptr<BackendSession> BackendInstance::load(const ModelBlob& model,
                                                      const SessionOptions& options) {
  check_format(*backend_.options, model.format);
  check_options(*backend_.options, options);
  RawOptions raw_options(options);
  const bool names = backend_.capabilities(instance_, &raw_options.value()) & PGB_WANTS_NAMES;
  const RawModel raw_model(model, names);
  pgb_session* session = nullptr;
  host_->begin();
  const pgb_status status =
      backend_.load(instance_, &raw_model.value(), &raw_options.value(), &session);
  raw_options.rethrow_failure_of_batches();
  finish(status);
  return std::unique_ptr<BackendSession>(new BackendSession(shared_from_this(), session));
}

bool BackendInstance::builds(const std::string& format) const {
  const pgb_build* builder = builder_of(backend_);
  return builder && format != builder->format;
}

// Collects the bytes that a function of the plugin delivers in pieces.
std::string BackendInstance::deliver(Deliverer* from, const ModelBlob& model,
                                     const SessionOptions& options) {
  std::string bytes;
  deliver(from, model, options, bytes);
  return bytes;
}

void BackendInstance::deliver(Deliverer* from, const ModelBlob& model,
                              const SessionOptions& options, std::string& into) {
  check_format(*backend_.options, model.format);
  check_options(*backend_.options, options);
  struct Delivery {
    std::string& bytes;
    bool out_of_memory = false;
  } delivery{into};
  const auto take = [](void* context, const void* bytes, size_t count) -> int {
    auto& self = *static_cast<Delivery*>(context);
    // No exception may cross the plugin.
    try {
      self.bytes.append(static_cast<const char*>(bytes), count);
    } catch (const std::bad_alloc&) {
      self.out_of_memory = true;
      self.bytes.clear();
    }
    return self.out_of_memory;
  };
  host_->begin();
  RawOptions raw_options(options);
  const pgb_status status =
      from(instance_, &RawModel(model, false).value(), &raw_options.value(), take, &delivery);
  if (delivery.out_of_memory) throw std::bad_alloc();
  raw_options.rethrow_failure_of_batches();
  finish(status);
}

BackendInstance::Artefact BackendInstance::build(const ModelBlob& model,
                                                 const SessionOptions& options) {
  const pgb_build* builder = builder_of(backend_);
  if (!builder) throw Error(fmt::format("{} does not support compilation without loading", name()));
  Artefact built{.format = builder->format, .bytes = {}};
  try {
    deliver(builder->build, model, options, built.bytes);
  } catch (...) {
    if (built.bytes.empty()) throw;
    built.failure = std::current_exception();
  }
  try {
    if (const std::string path = save_path(*builder, options); !path.empty())
      write_file(path, built.bytes);
  } catch (const Error&) {
    built.failure = std::current_exception();
  }
  return built;
}

void BackendInstance::save_artefact(const ModelBlob& model, const SessionOptions& options) {
  const pgb_build* builder = builder_of(backend_);
  if (!builder || model.format != builder->format) return;
  const std::string path = save_path(*builder, options);
  if (path.empty()) return;
  if (!model.bytes.empty()) return write_file(path, model.bytes);
  write_file(path, MappedFile::open(model.path)->bytes());
}

std::string BackendInstance::describe_network(const ModelBlob& model,
                                              const SessionOptions& options) {
  return deliver(inspector().network, model, options);
}

std::string BackendInstance::describe_capability(const ModelBlob& model,
                                                 const SessionOptions& options) {
  return deliver(inspector().capability, model, options);
}

std::string BackendInstance::describe_network_with_weights(const ModelBlob& model,
                                                           const SessionOptions& options) {
  const pgb_inspect& inspect = inspector();
  constexpr size_t kSizeWithWeights =
      offsetof(pgb_inspect, network_with_weights) + sizeof(inspect.network_with_weights);
  if (inspect.struct_size < kSizeWithWeights || !inspect.network_with_weights)
    throw Error(fmt::format("{} does not report the weights of its networks", name()));
  return deliver(inspect.network_with_weights, model, options);
}

std::string BackendInstance::describe_engine(const ModelBlob& artefact,
                                             const SessionOptions& options) {
  const pgb_inspect& inspect = inspector();
  constexpr size_t kSizeWithEngine = offsetof(pgb_inspect, engine) + sizeof(inspect.engine);
  if (inspect.struct_size < kSizeWithEngine || !inspect.engine)
    throw Error(fmt::format("{} does not describe artefacts", name()));
  return deliver(inspect.engine, artefact, options);
}

const pgb_inspect& BackendInstance::inspector() const {
  const void* found = backend_.extension ? backend_.extension(PGB_INSPECT) : nullptr;
  if (!found) throw Error(fmt::format("{} does not describe its networks", name()));
  return *static_cast<const pgb_inspect*>(found);
}

Metadata metadata_of(const std::vector<ValueInfo>& values) {
  Metadata metadata;
  for (const ValueInfo& value : values) metadata.set(value.name, value.info);
  return metadata;
}

BackendSession::BackendSession(std::shared_ptr<BackendInstance> instance, pgb_session* session)
    : instance_(std::move(instance)),
      session_(session),
      inputs_(value_infos(session, instance_->backend_.inputs)),
      outputs_(value_infos(session, instance_->backend_.outputs)) {}

std::string BackendSession::precision() const {
  const pgb_backend& backend = instance_->backend_;
  const void* found = backend.extension ? backend.extension(PGB_PRECISION) : nullptr;
  if (!found) return {};
  const char* format = static_cast<const pgb_precision*>(found)->precision(session_);
  return format ? format : "";
}

BackendSession::~BackendSession() {
  instance_->host_->begin();
  instance_->backend_.unload(session_);
  instance_->host_->flush_quietly();
}

Inference BackendSession::infer(const ValueMap& feeds) {
  // Few inputs are sequences, so a look-up costs little whatever the number of inputs.
  std::vector<std::string_view> sequences;
  for (const ValueInfo& input : inputs_) {
    if (input.info.kind == ValueKind::kSequence) sequences.push_back(input.name);
  }
  FeedValues values;
  std::vector<pgb_named_value> raw;
  raw.reserve(feeds.size());
  for (const auto& [name, value] : feeds) {
    if (value.is_absent()) continue;
    const bool only_item =
        value.as_tensor() && std::find(sequences.begin(), sequences.end(), name) != sequences.end();
    raw.push_back({name.c_str(),
                   only_item ? &values.add(Value(Value::Sequence{value})) : &values.add(value)});
  }

  using Clock = std::chrono::steady_clock;
  struct Delivery {
    SharedHeap* heap;
    ValueMap outputs = {};
    std::string problem = {};
    Clock::time_point first{};
  } delivery{.heap = instance_->host_->heap()};
  const auto deliver = [](void* context, const char* name, const pgb_value* value) -> int {
    auto& self = *static_cast<Delivery*>(context);
    if (self.first == Clock::time_point{}) self.first = Clock::now();
    // No exception may cross the plugin.
    try {
      if (!name || !value) throw Error("the runtime returned an output without name or value");
      // A model may list a tensor twice among its outputs.
      if (!self.outputs.contains(name)) self.outputs.set(name, to_value(name, *value, self.heap));
      return 0;
    } catch (const std::exception& error) {
      self.problem = error.what();
      return 1;
    }
  };
  BackendInstance& instance = *instance_;
  instance.host_->begin();
  const Clock::time_point start = Clock::now();
  const pgb_status status =
      instance.backend_.infer(session_, raw.data(), raw.size(), deliver, &delivery);
  const Clock::time_point end =
      delivery.first == Clock::time_point{} ? Clock::now() : delivery.first;
  instance.finish(status);
  if (!delivery.problem.empty()) throw Error(delivery.problem);
  for (const ValueInfo& output : outputs_) {
    if (delivery.outputs.contains(output.name)) continue;
    throw Error(
        fmt::format("{} returned no value for its output '{}'", instance.name(), output.name));
  }
  return {std::move(delivery.outputs), std::chrono::duration<double>(end - start).count()};
}

std::vector<NodeTime> BackendSession::profile() {
  BackendInstance& instance = *instance_;
  if (!instance.backend_.profile)
    throw Error(fmt::format("{} cannot time single nodes", instance.name()));
  std::vector<NodeTime> rows;
  const auto row = [](void* context, const pgb_node_time* time) {
    const auto text = [](const char* value) { return std::string(value ? value : ""); };
    static_cast<std::vector<NodeTime>*>(context)->push_back(
        {text(time->node), text(time->op), text(time->kernel), time->microseconds});
  };
  instance.host_->begin();
  instance.finish(instance.backend_.profile(session_, row, &rows));
  return rows;
}

}  // namespace polygraphy
