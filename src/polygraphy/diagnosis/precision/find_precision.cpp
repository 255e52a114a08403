#include "polygraphy/diagnosis/precision/find_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/debug_loop/rounds.h"
#include "polygraphy/diagnosis/precision/engine_rounds.h"
#include "polygraphy/diagnosis/precision/layer_rounds.h"
#include "polygraphy/diagnosis/precision/mixed_model.h"
#include "polygraphy/diagnosis/search/fewest_kept.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kDebugPrecision;

namespace fs = std::filesystem;

constexpr size_t kShown = 100;  // nodes, in the log

// Options that types of the model take the place of, and those that do not go together with them.
constexpr std::string_view kImplied[] = {"fp16", "precision_constraints"};
constexpr std::string_view kContrary[] = {"bf16", "fp8", "int8", "layer_precisions"};

// For candidates, whose types are the network's.
EngineJob typed_job(const EngineJob& job) {
  EngineJob typed = job;
  BackendOptions& options = typed.runner.session.options;
  std::erase_if(options, [](const auto& option) {
    return std::find(std::begin(kImplied), std::end(kImplied), option.first) != std::end(kImplied);
  });
  for (const auto& [key, values] : options) {
    if (std::find(std::begin(kContrary), std::end(kContrary), key) == std::end(kContrary)) continue;
    throw Error(kTypesOfModel,
                "The search for nodes that need float32 uses a network with the model's types, and "
                "does not support " +
                    key,
                "Leave it out.");
  }
  options.emplace_back("strongly_typed", std::vector<std::string>{});
  typed.model = {};
  return typed;
}

class NodeRounds {
 public:
  NodeRounds(const PrecisionJob& job, const Model& model, DebugLoop& loop, Rounds& rounds,
             Logger& log)
      : job_(typed_job(job.engine)),
        saving_(job.output),
        mixed_(model, log),
        loop_(loop),
        rounds_(rounds),
        log_(log),
        folder_((fs::absolute(loop.artifact()).parent_path() / ".polygraphy-precision-").string()) {
  }

  PrecisionResult run() {
    if (mixed_.size() == 0) {
      throw Error(kNothingInFloat16, "No node of the model can compute in float16",
                  "Is the model already in float16?");
    }
    log_.start(kDebugPrecision, "Searching for nodes that need float32, among " +
                                    std::to_string(mixed_.size()) + " that can compute in float16");
    loop_.begin();
    PrecisionResult result{.mode = PrecisionMode::kAuto};
    try {
      search();
    } catch (const Interrupted&) {
      result.interrupted = true;
    }
    rounds_.stop();
    loop_.finish();
    if (best_) report(result);
    return result;
  }

 private:
  void search() {
    if (passes({}, {})) return;
    Part all(mixed_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    if (!passes(all, {})) {
      if (!rounds_.made()) {
        throw Error(
            "The build also fails with all nodes in float32, so precision is not the cause; no "
            "model was written",
            "See the messages of the build.");
      }
      throw Error(kFailsInFloat32,
                  "The check also fails with all nodes in float32, so precision is not the cause; "
                  "no model was written",
                  "Does the check read the written file? Does it compare with the correct values, "
                  "and are its tolerances wide enough?");
    }
    fewest_kept(mixed_.operators(), [this](const Part& part, const Upcoming<Part>& next) {
      return passes(part, next);
    });
  }

  bool passes(const Part& in_float32, const Upcoming<Part>& next) {
    OrderedMap<int64_t> state;
    state.set("float32_nodes", static_cast<int64_t>(in_float32.size()));
    const auto later = made_of<RoundWork, Part>(
        next, [this](const Part& part) { return std::optional(work_of(part)); });
    const bool passed = rounds_.run(work_of(in_float32), later, {}, state);
    if (passed && (!best_ || in_float32.size() < best_->size())) best_ = in_float32;
    return passed;
  }

  RoundWork work_of(const Part& in_float32) {
    const auto make = [this, in_float32](const RoundFiles& files, Logger& log, CancelToken cancel) {
      log.info(kDebugPrecision, "Keeping " + of_all(in_float32) + " in float32");
      EngineJob job = job_;
      const std::string engine = files.path(loop_.artifact());
      job.model.path = folder_ / (fs::path(engine).filename().string() + ".onnx");
      save(in_float32, job.model.path);
      return build_for_round(job, loop_.artifact(), files, kDebugPrecision, log, cancel);
    };
    return {.key = to_text(in_float32), .make = make};
  }

  void save(const Part& in_float32, const std::string& path) {
    const std::lock_guard lock(making_);
    Logger silent;
    OnnxSaving saving{.path = path};
    saving.options.durability = Durability::kNone;
    save_onnx(mixed_.make(in_float32, silent), saving, silent);
  }

  std::string of_all(const Part& part) const {
    return std::to_string(part.size()) + " of " + std::to_string(mixed_.size()) + " nodes";
  }

  void report(PrecisionResult& result) {
    for (const size_t position : *best_) result.nodes.push_back(mixed_.node(position));
    result.share = mixed_.share(*best_);
    if (result.interrupted)
      log_.warning(kDebugPrecision, "Interrupted: this is the best result so far.");
    if (best_->empty()) {
      log_.finish(kDebugPrecision, "All nodes can compute in float16: no node needs float32");
    } else {
      std::string text = "To achieve acceptable accuracy, keep " + of_all(*best_) + " in float32:";
      for (size_t i = 0; i < std::min(kShown, result.nodes.size()); ++i)
        text += fmt::format("\n    '{}' ({})", result.nodes[i].name, result.nodes[i].op);
      if (result.nodes.size() > kShown)
        text += fmt::format("\n    and {} more", result.nodes.size() - kShown);
      log_.finish(kDebugPrecision, text);
    }
    if (result.share) {
      log_.info(kDebugPrecision, fmt::format("Computed in float32: {:.2f}% of the multiplications "
                                             "in MatMul, Gemm, Conv and ConvTranspose nodes",
                                             *result.share * 100));
    }
    if (!saving_.path.empty()) save_onnx(mixed_.make(*best_, log_), saving_, log_);
  }

  EngineJob job_;
  const OnnxSaving& saving_;
  const MixedModel mixed_;
  DebugLoop& loop_;
  Rounds& rounds_;
  Logger& log_;
  const ScratchFolder folder_;  // of candidates, on the disk that the engine goes to
  std::optional<Part> best_;
  std::mutex making_;  // a model is copied by one thread at a time
};

// Keeps nodes of the ONNX model in float32, and converts the rest to float16: find_precision() of
// kAuto.
PrecisionResult run_node_rounds(const PrecisionJob& job, DebugLoop& loop, Rounds& rounds,
                                Logger& log) {
  if (job.precision != DataType::kFloat32) {
    throw Error(kNodesInFloat32, "Only float32 is supported as the higher precision of nodes");
  }
  const std::unique_ptr<Model> model = load_onnx(job.engine.model, log);
  return NodeRounds(job, *model, loop, rounds, log).run();
}

}  // namespace

std::string_view name_of(PrecisionMode mode) {
  constexpr std::string_view kNames[] = {"bisect", "linear", "auto"};
  return kNames[static_cast<size_t>(mode)];
}

PrecisionResult find_precision(const PrecisionJob& job, Logger& log) {
  const EngineRounds how = engine_rounds(job.engine, job.loop, job.check, job.jobs);
  DebugLoop loop(how.loop, log);
  const auto run_nodes = [&] {
    Rounds rounds(loop, how.rounds, log);
    return run_node_rounds(job, loop, rounds, log);
  };
  if (job.mode == PrecisionMode::kAuto) return run_nodes();
  const NetworkDescription network = describe_network(job.engine, log);
  if (!network.layer_precisions) {
    if (!job.mode && job.engine.model.format == kOnnxFormat) return run_nodes();
    throw Error(
        kNoLayerPrecisions,
        "The network takes its types from the model, so its layers have no separate precision",
        "Change the types in the model.");
  }
  check_precisions(job, log);
  PrecisionResult result{.mode = job.mode.value_or(PrecisionMode::kBisect)};
  try {
    Rounds rounds(loop, how.rounds, log);
    result.layers = run_layer_rounds(job, network, loop, rounds, log);
  } catch (const Interrupted&) {
    result.interrupted = true;
    loop.finish();
  }
  return result;
}

}  // namespace polygraphy
