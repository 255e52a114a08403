#include "tensorrt/api/running/engine.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "tensorrt/api/option_text.h"
#include "tensorrt/api/running/callbacks.h"
#include "tensorrt/api/running/plan.h"
#include "tensorrt/api/running/weight_streaming.h"
#include "tensorrt/api/tensor_layout.h"
#include "tensorrt/driver.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

using pgb::Port;

class LoadedEngine final : public Engine {
 public:
  LoadedEngine(const Library& library, Logger& logger, const pgb_model& plan,
               const pgb::Options& options)
      : logger_(logger),
        driver_(Driver::open(options.value("trt_driver").value_or(""))),
        plan_(library, logger_, plan, options),
        engine_(&plan_.engine()) {
    set_weight_streaming(*engine_, library, logger_, options);
    make_context(library, options);
    for (int32_t i = 0; i < engine_->getNbIOTensors(); ++i) add_port(engine_->getIOTensorName(i));
    timed_ = options.session().profile;
    if (timed_) context_->setProfiler(&times_);
    const bool unfused = options.has("mark_unfused_tensors_as_debug_tensors");
    if (unfused || options.has("mark_debug")) listen(unfused);
  }

  const pgb::Host& host() const override { return logger_.host(); }
  const std::deque<Port>& inputs() const override { return inputs_; }
  const std::deque<Port>& outputs() const override { return outputs_; }

  void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
             void* context) override {
    times_.clear();
    if (debug_) debug_->clear();
    require_all(feeds, count);
    for (size_t i = 0; i < count; ++i) set_input(feeds[i].name, *feeds[i].value);
    for (auto& [name, memory] : memories_) {
      memory.reset();
      if (!context_->setOutputAllocator(name.c_str(), &memory))
        throw logger_.failure("TensorRT rejected the memory for output " + name);
    }
    give_activation_memory();
    if (!context_->enqueueV3(static_cast<cudaStream_t>(driver_->stream()))) {
      for (auto& each : memories_) {
        if (const auto failure = each.second.take_failure()) std::rethrow_exception(failure);
      }
      if (debug_) {
        if (const auto failure = debug_->take_failure()) std::rethrow_exception(failure);
      }
      throw logger_.failure("`execute_async_v3()` failed");
    }
    driver_->synchronize();
    for (const Port& port : outputs_) {
      if (!deliver_output(port, deliver, context)) return;
    }
    if (!debug_) return;
    if (const auto failure = debug_->take_failure()) std::rethrow_exception(failure);
    deliver_debug_tensors(deliver, context);
  }

  void profile(pgb_node_time_fn row, void* context) override {
    if (!timed_) throw pgb::Failure("the session was loaded without the option 'profile'");
    for (const auto& [layer, milliseconds] : times_.all()) {
      pgb::deliver_time(row, context, layer.c_str(), "", nullptr, milliseconds * 1000.0);
    }
  }

 private:
  void make_context(const Library& library, const pgb::Options& options) {
    strategy_ = options.value("allocation_strategy").value_or("static");
    if (strategy_ != "static") require_version(100100, "--allocation-strategy", library);
    using Strategy = nv::ExecutionContextAllocationStrategy;
    context_.reset(engine_->createExecutionContext(
        strategy_ == "static" ? Strategy::kSTATIC : Strategy::kUSER_MANAGED));
    if (!context_)
      throw logger_.failure("TensorRT cannot create an execution context for this engine");
    profile_ = options.integer("optimization_profile", "--optimization-profile", 0).value_or(0);
    if (profile_ >= engine_->getNbOptimizationProfiles()) {
      throw pgb::bad_option("--optimization-profile " + std::to_string(profile_) +
                            ": the engine has " +
                            std::to_string(engine_->getNbOptimizationProfiles()) + " profile(s)");
    }
    if (profile_ == 0) return;
    if (!context_->setOptimizationProfileAsync(profile_,
                                               static_cast<cudaStream_t>(driver_->stream()))) {
      throw logger_.failure("Profile " + std::to_string(profile_) + " cannot be used");
    }
    driver_->synchronize();
  }

  void add_port(const char* name) {
    const bool input = engine_->getTensorIOMode(name) == nv::TensorIOMode::kINPUT;
    std::deque<Port>& ports = input ? inputs_ : outputs_;
    Port& port = ports.emplace_back();
    port.name = name;
    port.dims = to_vector(engine_->getTensorShape(name));
    port.info.kind = PGB_TENSOR;
    port.info.dtype = onnx_type(engine_->getTensorDataType(name));
    port.info.rank = static_cast<int32_t>(port.dims.size());
    port.finish();
    input ? void(buffers_.emplace(name, DeviceBuffer(*driver_)))
          : void(memories_.try_emplace(name, *driver_));
  }

  void listen(bool unfused) {
    debug_ = std::make_unique<DebugTensors>(*driver_);
    const bool listening = context_->setDebugListener(debug_.get()) &&
                           context_->setAllTensorsDebugState(true) &&
                           (!unfused || context_->setUnfusedTensorsDebugState(true));
    if (!listening)
      throw logger_.failure("TensorRT cannot report the debug tensors of this engine");
  }

  // The context keeps the settings of an earlier run, so that TensorRT would not notice.
  void require_all(const pgb_named_value* feeds, size_t count) const {
    for (const Port& input : inputs_) {
      const bool fed = std::any_of(feeds, feeds + count,
                                   [&](const auto& feed) { return input.name == feed.name; });
      if (!fed) throw pgb::Failure("the feed has no value for input " + input.name);
    }
  }

  void set_input(const char* name, const pgb_value& value) {
    const nv::Dims shape = to_dims({value.shape, value.shape + value.rank});
    if (!context_->setInputShape(name, shape)) throw wrong_shape(name, shape);
    bool set = false;
    if (engine_->getTensorLocation(name) == nv::TensorLocation::kHOST) {
      set = context_->setInputTensorAddress(name, value.data);
    } else {
      const TensorLayout layout(*engine_, *context_, name, shape, profile_);
      DeviceBuffer& buffer = buffers_.at(name);
      void* memory = buffer.reserve(layout.bytes());
      if (layout.linear()) {
        driver_->copy_to_device(memory, value.data, value.bytes);
      } else {
        std::vector<char>& staged = staged_[name];
        staged.resize(layout.bytes());
        layout.from_linear(value.data, staged.data());
        driver_->copy_to_device(memory, staged.data(), staged.size());
      }
      set = context_->setInputTensorAddress(name, memory);
    }
    if (!set) throw logger_.failure("TensorRT rejected the data of input " + std::string(name));
  }

  pgb::Failure wrong_shape(const char* name, const nv::Dims& shape) {
    const auto bound = [&](nv::OptProfileSelector which) {
      return shape_text(engine_->getProfileShape(name, profile_, which));
    };
    return logger_.failure("input " + std::string(name) + " has shape " + shape_text(shape) +
                               ", but profile " + std::to_string(profile_) + " takes " +
                               bound(nv::OptProfileSelector::kMIN) + " to " +
                               bound(nv::OptProfileSelector::kMAX),
                           "Give other --input-shapes, or build with other --trt-min-shapes and "
                           "--trt-max-shapes.");
  }

  // For the strategies that do not take it once and for all.
  void give_activation_memory() {
    if (strategy_ == "static") return;
    const int64_t bytes = strategy_ == "profile"
                              ? engine_->getDeviceMemorySizeForProfileV2(profile_)
                              : static_cast<int64_t>(context_->updateDeviceMemorySizeForShapes());
    if (bytes <= 0) throw logger_.failure("TensorRT did not report the memory that it needs");
    context_->setDeviceMemoryV2(activations_.reserve(static_cast<size_t>(bytes)), bytes);
  }

  bool deliver_output(const Port& port, pgb_output_fn deliver, void* context) {
    const OutputMemory& memory = memories_.at(port.name);
    const nv::Dims shape =
        memory.shape().nbDims >= 0 ? memory.shape() : context_->getTensorShape(port.name.c_str());
    const nv::DataType type = engine_->getTensorDataType(port.name.c_str());
    const TensorLayout layout(*engine_, *context_, port.name.c_str(), shape, profile_);
    std::vector<char> bytes(layout.bytes());
    driver_->copy_to_host(bytes.data(), memory.memory(), bytes.size());
    driver_->synchronize();
    if (!layout.linear()) {
      std::vector<char> linear(bytes_of(type, volume(shape)));
      layout.to_linear(bytes.data(), linear.data());
      bytes.swap(linear);
    }
    return give(port.name, type, shape, bytes, deliver, context);
  }

  void deliver_debug_tensors(pgb_output_fn deliver, void* context) {
    for (const DebugTensors::Tensor& tensor : debug_->take()) {
      const bool is_output = std::any_of(outputs_.begin(), outputs_.end(), [&](const Port& port) {
        return port.name == tensor.name;
      });
      if (!is_output &&
          !give(tensor.name, tensor.type, tensor.shape, tensor.bytes, deliver, context))
        return;
    }
  }

  static bool give(const std::string& name, nv::DataType type, const nv::Dims& shape,
                   const std::vector<char>& bytes, pgb_output_fn deliver, void* context) {
    const std::vector<int64_t> dims = to_vector(shape);
    pgb_value value = pgb::empty_value(PGB_TENSOR);
    value.dtype = onnx_type(type);
    value.rank = shape.nbDims;
    value.shape = dims.data();
    value.data = bytes.data();
    value.bytes = bytes.size();
    return deliver(context, name.c_str(), &value) == 0;
  }

  // Destroyed in the reverse order: contexts before engines before runtimes, and all of them before
  // the memory that they use.
  Logger& logger_;
  std::shared_ptr<Driver> driver_;
  DeviceBuffer activations_{*driver_};
  std::map<std::string, DeviceBuffer> buffers_;   // of inputs
  std::map<std::string, OutputMemory> memories_;  // of outputs
  std::map<std::string, std::vector<char>> staged_;
  std::unique_ptr<DebugTensors> debug_;
  LayerTimes times_;
  bool timed_ = false;
  Plan plan_;
  nv::ICudaEngine* engine_;
  Owned<nv::IExecutionContext> context_;
  std::string strategy_;
  int32_t profile_ = 0;
  std::deque<Port> inputs_, outputs_;
};

}  // namespace

std::unique_ptr<Engine> load_engine(const Library& library, Logger& logger, const pgb_model& plan,
                                    const pgb::Options& options) {
  return std::make_unique<LoadedEngine>(library, logger, plan, options);
}

}  // namespace tensorrt::TENSORRT_FAMILY
