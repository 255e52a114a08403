#include "tensorrt/api/running/plan.h"

#include <unistd.h>

#include <string>

#include "common/files.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/plugins.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

template <typename Runtime>
void set_dla_workspace(Runtime& runtime, const Library& library, const pgb::Options& options) {
  const auto name = options.value("dla_workspace_allocation_strategy");
  if (!name) return;
  constexpr int32_t kFirst = 110300;  // TensorRT 11.3
  if constexpr (requires { runtime.getDLAWorkspaceAllocationStrategy(); }) {
    using Strategy = decltype(runtime.getDLAWorkspaceAllocationStrategy());
    if (library.version_number() >= kFirst) {
      if (*name == "static" || *name == "0") {
        runtime.setDLAWorkspaceAllocationStrategy(static_cast<Strategy>(0));
      } else {
        runtime.setDLAWorkspaceAllocationStrategy(static_cast<Strategy>(1));
      }
      return;
    }
  }
  throw not_available("--dla-workspace-allocation-strategy", library,
                      "It needs TensorRT 11.3 or newer.");
}

// An ONNX model begins with its IR version: field 1, a small number. Engines begin with letters.
const char* hint_for(const pgb::FileBytes& bytes) {
  const auto* at = static_cast<const unsigned char*>(bytes.data());
  if (bytes.size() > 2 && at[0] == 0x08 && at[1] < 0x20)
    return "The file looks like an ONNX model: try --model-type onnx.";
  return "An engine runs with the TensorRT version and the kind of GPU that it was built with. "
         "Build it again from the model.";
}

}  // namespace

Plan::Plan(const Library& library, Logger& logger, const pgb_model& plan,
           const pgb::Options& options) {
  load_plugins(library, logger, options);
  runtime_.reset(valid<nv::IRuntime>(library.create_runtime(&logger, NV_TENSORRT_VERSION)));
  if (!runtime_) throw logger.failure(library.name() + " cannot create a runtime");
  // Engines that are to run with other versions bring code of the host along.
  runtime_->setEngineHostCodeAllowed(true);
  set_dla_workspace(*runtime_, library, options);
  if (const auto path = options.value("load_runtime")) {
    if (access(path->c_str(), F_OK) != 0)
      logger.host().log(pgb::kWarning, kLoaderModule, "Runtime path does not exist: " + *path);
    lean_.reset(valid<nv::IRuntime>(runtime_->loadRuntime(path->c_str())));
    if (!lean_)
      throw logger.failure("--load-runtime: " + *path + " is not a runtime library of TensorRT");
    lean_->setEngineHostCodeAllowed(true);
  }
  if (!plan.bytes && !options.has("unnamed_engine"))
    logger.host().log(pgb::kInfo, kLoaderModule, "Loading bytes from " + std::string(plan.path));
  const pgb::FileBytes bytes =
      plan.bytes ? pgb::FileBytes(plan.bytes, plan.byte_count) : pgb::FileBytes(plan.path);
  nv::IRuntime& runtime = lean_ ? *lean_ : *runtime_;
  engine_.reset(valid<nv::ICudaEngine>(runtime.deserializeCudaEngine(bytes.data(), bytes.size())));
  if (engine_) return;
  throw logger.failure("Could not deserialize engine", hint_for(bytes));
}

}  // namespace tensorrt::TENSORRT_FAMILY
