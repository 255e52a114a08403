// The functions of one family for the plugin.
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>

#include "common/files.h"
#include "tensorrt/api/building/calibration.h"
#include "tensorrt/api/building/config.h"
#include "tensorrt/api/building/network.h"
#include "tensorrt/api/building/tactic_selector.h"
#include "tensorrt/api/building/timing_cache.h"
#include "tensorrt/api/describing/descriptions.h"
#include "tensorrt/api/logger.h"
#include "tensorrt/api/running/engine.h"
#include "tensorrt/api/running/weight_streaming.h"
#include "tensorrt/family.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", seconds);
  return text;
}

class FamilyApi final : public Api {
 public:
  explicit FamilyApi(const Library& library) : library_(library) {}

  void build(const pgb::Host& host, const pgb_model& model, const pgb::Options& options,
             pgb_bytes_fn deliver, void* context) override {
    // A build may take hours, so errors of later options are reported before it.
    options.integer("optimization_profile", "--optimization-profile", 0);
    if (const auto budget = options.value("weight_streaming_budget")) weight_budget(*budget);
    for (const char* key : {"save_tactics", "save_timing_cache"}) {
      if (const auto path = options.value(key)) pgb::check_writable(*path);
    }
    Logger& logger = logger_of(host);
    Network network(library_, logger, model, options);
    host.throw_if_cancelled();
    const Configuration made = make_config(network, library_, logger, options);
    host.log(
        pgb::kStart, kLoaderModule,
        "Building engine with configuration:\n" + config_text(*made.config, network.network()));
    const auto start = std::chrono::steady_clock::now();
    const Owned<nv::IHostMemory> plan(
        network.builder().buildSerializedNetwork(network.network(), *made.config));
    if (made.calibration) made.calibration->rethrow_failure();
    if (made.tactics) made.tactics->rethrow_failure();
    if (!plan || plan->size() == 0) {
      throw logger.failure("Invalid Engine. Please ensure the engine was built correctly",
                           made.calibration ? made.calibration->hint() : "");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    host.log(pgb::kFinish, kLoaderModule,
             "Finished engine building in " + seconds_text(took.count()) + " seconds");
    // First, and each by itself: a file that cannot be written loses nothing else.
    deliver(context, plan->data(), plan->size());
    std::exception_ptr failure;
    const auto attempt = [&](auto&& save) {
      try {
        save();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    };
    attempt([&] {
      if (made.tactics) made.tactics->save();
    });
    attempt([&] { save_timing_cache(*made.config, logger, options); });
    if (failure) std::rethrow_exception(failure);
  }

  std::string network(const pgb::Host& host, const pgb_model& model,
                      const pgb::Options& options) override {
    Logger& logger = logger_of(host);
    return network_json(library_, logger, model, options);
  }

  void network_with_weights(const pgb::Host& host, const pgb_model& model,
                            const pgb::Options& options, pgb_bytes_fn deliver,
                            void* context) override {
    Logger logger(host);
    deliver_network(library_, logger, model, options, deliver, context);
  }

  std::string capability(const pgb::Host& host, const pgb_model& model,
                         const pgb::Options& options) override {
    Logger& logger = logger_of(host);
    return capability_json(library_, logger, model, options);
  }

  std::string engine(const pgb::Host& host, const pgb_model& plan,
                     const pgb::Options& options) override {
    Logger logger(host);
    return engine_json(library_, logger, plan, options);
  }

  std::unique_ptr<Engine> load(const pgb::Host& host, const pgb_model& plan,
                               const pgb::Options& options) override {
    if (plan.format == std::string_view("engine"))
      return load_engine(library_, logger_of(host), plan, options);
    // A host that did not check the engine first.
    std::string built;
    const auto take = [](void* context, const void* bytes, size_t count) -> int {
      static_cast<std::string*>(context)->assign(static_cast<const char*>(bytes), count);
      return 0;
    };
    build(host, plan, options, take, &built);
    pgb_model engine{};
    engine.struct_size = sizeof(engine);
    engine.bytes = built.data();
    engine.byte_count = built.size();
    return load_engine(library_, logger_of(host), engine, options);
  }

 private:
  // One for all calls: libraries of plugins keep the first that they are given.
  Logger& logger_of(const pgb::Host& host) {
    if (!logger_) logger_.emplace(host);
    logger_->take_error();
    return *logger_;
  }

  const Library& library_;
  std::optional<Logger> logger_;
};

}  // namespace

std::unique_ptr<Api> make_api(const Library& library) {
  return std::make_unique<FamilyApi>(library);
}

}  // namespace tensorrt::TENSORRT_FAMILY
