#include "onnxrt/session.h"

#include <onnxruntime_session_options_config_keys.h>
#include <sched.h>

#include <utility>

#include "onnxrt/host_memory.h"
#include "onnxrt/providers.h"
#include "onnxrt/values.h"

namespace onnxrt {
namespace {

constexpr const char* kModule = "backend/onnxrt/loader.py";
// Threads that wait for work keep their processors busy this long, then sleep: enough for one
// operator after another, where the library's own choice is milliseconds. Versions that do not know
// the setting pass over it.
constexpr const char* kSpinMicroseconds = "50";

// As the original: one thread per processor that the process may use, in both pools.
int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return CPU_COUNT(&set);
}

struct OptimizationLevel {
  const char* name;
  GraphOptimizationLevel level;
};
constexpr OptimizationLevel kLevels[] = {
    {"ORT_DISABLE_ALL", ORT_DISABLE_ALL},
    {"ORT_ENABLE_BASIC", ORT_ENABLE_BASIC},
    {"ORT_ENABLE_EXTENDED", ORT_ENABLE_EXTENDED},
    {"ORT_ENABLE_LAYOUT", static_cast<GraphOptimizationLevel>(3)},
    {"ORT_ENABLE_ALL", ORT_ENABLE_ALL},
};

GraphOptimizationLevel optimization_level(const std::string& name) {
  std::vector<std::string> names;
  for (const OptimizationLevel& entry : kLevels) {
    if (name == entry.name) return entry.level;
    names.emplace_back(entry.name);
  }
  throw pgb::bad_option("--graph-optimization-level: unknown level '" + name + "'",
                        "Levels (letter case matters): " + pgb::list_text(names));
}

void describe_tensor(const Library& library, const OrtTensorTypeAndShapeInfo* tensor,
                     pgb::Port& port) {
  const OrtApi& api = library.api();
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  library.check(api.GetTensorElementType(tensor, &type));
  library.check(api.GetDimensionsCount(tensor, &rank));
  port.info.dtype = onnx_type(type);
#if ORT_API_VERSION >= 24
  // Older libraries do not distinguish a scalar from a tensor of unknown rank.
  if (library.api_version() >= 24 && !api.TensorTypeAndShape_HasShape(tensor)) {
    port.info.rank = -1;
    return;
  }
#endif
  port.dims.resize(rank);
  std::vector<const char*> names(rank);
  library.check(api.GetDimensions(tensor, port.dims.data(), rank));
  library.check(api.GetSymbolicDimensions(tensor, names.data(), rank));
  for (const char* name : names) port.dim_names.emplace_back(name ? name : "");
  port.info.rank = static_cast<int32_t>(rank);
}

// Kind of a sequence or optional and, where it holds tensors, their type and shape.
void describe_container(const Library& library, const OrtTypeInfo* type, ONNXType kind,
                        pgb::Port& port) {
  const OrtApi& api = library.api();
  port.info.rank = -1;
  OrtTypeInfo* element = nullptr;
  if (kind == ONNX_TYPE_SEQUENCE) {
    port.info.kind = PGB_SEQUENCE;
    const OrtSequenceTypeInfo* sequence = nullptr;
    library.check(api.CastTypeInfoToSequenceTypeInfo(type, &sequence));
    library.check(api.GetSequenceElementType(sequence, &element));
  } else if (kind == ONNX_TYPE_OPTIONAL) {
    port.info.kind = PGB_OPTIONAL;
    const OrtOptionalTypeInfo* optional = nullptr;
    library.check(api.CastTypeInfoToOptionalTypeInfo(type, &optional));
    library.check(api.GetOptionalContainedTypeInfo(optional, &element));
  } else {
    port.info.kind = kind == ONNX_TYPE_MAP ? PGB_MAP : 0;
    return;
  }
  const Owned<OrtTypeInfo> owned(element, api.ReleaseTypeInfo);
  ONNXType element_kind = ONNX_TYPE_UNKNOWN;
  library.check(api.GetOnnxTypeFromTypeInfo(element, &element_kind));
  if (element_kind != ONNX_TYPE_TENSOR) return;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  library.check(api.CastTypeInfoToTensorInfo(element, &tensor));
  describe_tensor(library, tensor, port);
  // Few containers hold scalars; see above.
  if (port.info.rank == 0 && library.api_version() < 24) port.info.rank = -1;
}

}  // namespace

Session::Session(Library& library, const pgb::Host& host, const pgb_model& model,
                 const pgb::Options& options)
    : library_(library),
      verbatim_(options.session().verbatim != 0),
      sink_(host, verbatim_),
      session_(nullptr, library.api().ReleaseSession),
      run_options_(nullptr, library.api().ReleaseRunOptions),
      watch_(host) {
  const OrtApi& api = library.api();
  OrtSessionOptions* raw = nullptr;
  library.check(api.CreateSessionOptions(&raw));
  const Owned<OrtSessionOptions> session_options(raw, api.ReleaseSessionOptions);

  std::vector<std::string> providers = options.values("providers");
  if (providers.empty()) providers = {"cpu"};
  providers = add_providers(library, raw, providers);
  host.log(pgb::kStart, kModule,
           "Creating ONNX-Runtime Inference Session with providers: " + pgb::list_text(providers));

  const int threads =
      options.integer("threads", "--onnxrt-threads", 1).value_or(usable_processors());
  library.check(api.SetIntraOpNumThreads(raw, threads));
  library.check(api.SetInterOpNumThreads(raw, threads));
  library.check(api.AddSessionConfigEntry(raw, kOrtSessionOptionsConfigIntraOpSpinDurationUs,
                                          kSpinMicroseconds));
  if (const auto level = options.value("graph_optimization_level")) {
    library.check(api.SetSessionGraphOptimizationLevel(raw, optimization_level(*level)));
  }
  if (const auto names = options.values("disable_optimizers"); !names.empty()) {
    std::string disabled;
    for (const std::string& name : names) disabled += (disabled.empty() ? "" : ";") + name;
    library.check(api.AddSessionConfigEntry(raw, kOrtSessionOptionsDisableSpecifiedOptimizers,
                                            disabled.c_str()));
  }
  if (const auto path = options.value("optimized_model")) {
    library.check(api.SetOptimizedModelFilePath(raw, path->c_str()));
    // Beside the file, since that cannot be larger than 2 GiB.
    const std::string data = path->substr(path->rfind('/') + 1) + ".data";
    library.check(api.AddSessionConfigEntry(
        raw, kOrtSessionOptionsOptimizedModelExternalInitializersFileName, data.c_str()));
  }
  // For a session that is run a few times at most: memory that the nodes have used goes back to the
  // system, and threads that wait do not keep a processor busy.
  if (options.session().single_run) {
    library.check(api.AddSessionConfigEntry(raw, "session.intra_op.allow_spinning", "0"));
    library.check(api.DisableCpuMemArena(raw));
    library.check(api.DisableMemPattern(raw));
  }
  if (host.raw().allocate) HostMemory::use_in(library, raw);
  library.check(api.SetUserLoggingFunction(raw, &LogSink::receive, &sink_));
  library.check(api.SetSessionLogSeverityLevel(raw, sink_.level()));
  if (options.session().profile) {
    profile_.emplace();
    // Newer libraries profile single runs; older ones profile everything until the profile is read.
    if (library.api_version() < 25) {
      library.check(api.EnableProfiling(raw, profile_->next_prefix().c_str()));
    }
  }
  create(model, raw);
  OrtRunOptions* run_options = nullptr;
  library.check(api.CreateRunOptions(&run_options));
  run_options_.reset(run_options);
  describe(inputs_, true);
  describe(outputs_, false);
  for (const pgb::Port& port : outputs_) output_names_.push_back(port.name.c_str());
}

void Session::create(const pgb_model& model, OrtSessionOptions* options) {
  const OrtApi& api = library_.api();
  OrtEnv* env = library_.env();
  OrtStatus* status = nullptr;
  OrtSession* session = nullptr;
  const auto cancel = [&] {
#if ORT_API_VERSION >= 22
    if (library_.api_version() >= 22) {
      if (OrtStatus* ignored = api.SessionOptionsSetLoadCancellationFlag(options, true)) {
        api.ReleaseStatus(ignored);
      }
    }
#endif
  };
  watch_.during(cancel, [&] {
    if (!model.bytes) {
      status = api.CreateSession(env, model.path, options, &session);
      return;
    }
    if (model.external_data && *model.external_data) {
      library_.check(api.AddSessionConfigEntry(
          options, kOrtSessionOptionsModelExternalInitializersFileFolderPath, model.external_data));
    }
    status = api.CreateSessionFromArray(env, model.bytes, model.byte_count, options, &session);
  });
  session_.reset(session);
  if (status && host().is_cancelled()) {
    api.ReleaseStatus(status);
    throw pgb::cancelled();
  }
  check(status);
}

void Session::check(OrtStatus* status) const {
  verbatim_ ? library_.check_verbatim(status) : library_.check(status);
}

void Session::describe(std::deque<pgb::Port>& ports, bool are_inputs) {
  const OrtApi& api = library_.api();
  OrtAllocator* allocator = nullptr;
  library_.check(api.GetAllocatorWithDefaultOptions(&allocator));
  size_t count = 0;
  library_.check(are_inputs ? api.SessionGetInputCount(session_.get(), &count)
                            : api.SessionGetOutputCount(session_.get(), &count));
  for (size_t i = 0; i < count; ++i) {
    pgb::Port& port = ports.emplace_back();
    char* name = nullptr;
    library_.check(are_inputs ? api.SessionGetInputName(session_.get(), i, allocator, &name)
                              : api.SessionGetOutputName(session_.get(), i, allocator, &name));
    port.name = name;
    allocator->Free(allocator, name);

    OrtTypeInfo* raw = nullptr;
    library_.check(are_inputs ? api.SessionGetInputTypeInfo(session_.get(), i, &raw)
                              : api.SessionGetOutputTypeInfo(session_.get(), i, &raw));
    const Owned<OrtTypeInfo> type(raw, api.ReleaseTypeInfo);
    ONNXType kind = ONNX_TYPE_UNKNOWN;
    library_.check(api.GetOnnxTypeFromTypeInfo(raw, &kind));
    if (kind == ONNX_TYPE_TENSOR) {
      const OrtTensorTypeAndShapeInfo* tensor = nullptr;
      library_.check(api.CastTypeInfoToTensorInfo(raw, &tensor));
      describe_tensor(library_, tensor, port);
      const bool strings = port.info.dtype == pgb::kOnnxString;
      port.info.kind = strings ? PGB_STRINGS : PGB_TENSOR;
    } else {
      describe_container(library_, raw, kind, port);
    }
    port.finish();
  }
}

void Session::infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
                    void* context) {
  const OrtApi& api = library_.api();
  std::vector<OwnedValue> inputs;
  std::vector<const OrtValue*> input_pointers;
  std::vector<const char*> input_names;
  for (size_t i = 0; i < count; ++i) {
    inputs.push_back(to_ort(library_, *feeds[i].value));
    input_pointers.push_back(inputs.back().get());
    input_names.push_back(feeds[i].name);
  }
  if (profile_ && library_.api_version() >= 25) {
#if ORT_API_VERSION >= 25
    library_.check(
        api.RunOptionsEnableProfiling(run_options_.get(), profile_->next_prefix().c_str()));
#endif
  }
  std::vector<OrtValue*> results(output_names_.size(), nullptr);
  OrtStatus* status = nullptr;
  const auto cancel = [&] {
    if (OrtStatus* ignored = api.RunOptionsSetTerminate(run_options_.get()))
      api.ReleaseStatus(ignored);
  };
  watch_.during(cancel, [&] {
    status = api.Run(session_.get(), run_options_.get(), input_names.data(), input_pointers.data(),
                     count, output_names_.data(), output_names_.size(), results.data());
  });
  std::vector<OwnedValue> outputs;
  outputs.reserve(results.size());
  for (OrtValue* result : results) outputs.emplace_back(result, api.ReleaseValue);
  if (status && host().is_cancelled()) {
    api.ReleaseStatus(status);
    library_.check(api.RunOptionsUnsetTerminate(run_options_.get()));
    throw pgb::cancelled();
  }
  check(status);
  const FedBytes fed({feeds, count});
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ValueView view(library_, std::move(outputs[i]), fed);
    if (deliver(context, output_names_[i], &view.value()) != 0) return;
  }
}

void Session::profile(pgb_node_time_fn row, void* context) {
  if (!profile_) throw pgb::Failure("the session was loaded without pgb_session_options.profile");
  if (library_.api_version() < 25) {
    if (std::exchange(profile_taken_, true)) {
      throw pgb::Failure("ONNX Runtime " + library_.version() +
                             " can profile a session only once: 1.25 or newer is needed",
                         {}, PGB_UNSUPPORTED);
    }
    OrtAllocator* allocator = nullptr;
    char* file = nullptr;
    library_.check(library_.api().GetAllocatorWithDefaultOptions(&allocator));
    library_.check(library_.api().SessionEndProfiling(session_.get(), allocator, &file));
    allocator->Free(allocator, file);
  }
  for (const KernelTime& kernel : last_run(profile_->newest())) {
    pgb::deliver_time(row, context, kernel.node.c_str(), kernel.op.c_str(), kernel.provider.c_str(),
                      kernel.microseconds);
  }
}

}  // namespace onnxrt
