// The results of many models on several engines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ordered_map.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// How far an engine gets with a model, worst first.
enum class ZooOutcome : uint8_t {
  kCrashed,      // its process ended
  kTooSlow,      // it was killed after the time limit
  kNotLoaded,    // it refused the model
  kNotRun,       // it could not run it
  kOtherShape,   // an output has another shape than the reference's
  kDiffers,      // an output differs by more than the noise
  kTooCoarse,    // the precision is too low to judge
  kNotFinite,    // an output has no finite number, so there is nothing to compare
  kKilled,       // a signal from outside ended a process, each time it was tried: no verdict
  kNotCompared,  // there was nothing to compare, or nothing to compare it with
  kPassed,       // it runs, and agrees with the reference; the reference itself: it runs
};

// "crashed", "too slow", "not loaded", "not run", "other shape", "differs", "precision too low",
// "not finite", "killed", "not compared", "passed".
std::string_view name_of(ZooOutcome outcome);
// The outcome of this name; nullopt: none.
std::optional<ZooOutcome> parse_zoo_outcome(std::string_view name);
// Not counted as a failure: kKilled and what is worse are.
inline bool passed(ZooOutcome outcome) {
  return outcome >= ZooOutcome::kNotCompared;
}

// The steps of a model on an engine, in their order. kDone: none of them failed.
enum class ZooStage : uint8_t { kSetup, kLoad, kRun, kCompare, kDone };
inline constexpr size_t kZooStages = 5;

// "setup" (the model is read, and its inputs made), "load" (the engine imports and compiles it),
// "run", "compare", "done".
std::string_view name_of(ZooStage stage);
// The stage of this name; nullopt: none.
std::optional<ZooStage> parse_zoo_stage(std::string_view name);

// Figures that differ from run to run; nullopt: not known. They are in zoo_times.h's JSON only.
struct ZooCost {
  std::optional<double> load_seconds = {}, run_seconds = {};  // of one load and one inference
  std::optional<int64_t> peak_bytes = {};  // memory of the engine's processes meanwhile
};

// The smallest model that still crashes the engine.
struct ReducedModel {
  int64_t nodes = 0;
  std::string onnx = {};  // a file's bytes
};
inline constexpr size_t kMostReducedBytes = size_t{1} << 20;

struct ZooEngineResult {
  std::string engine;
  ZooOutcome outcome = ZooOutcome::kNotCompared;
  ZooStage stage = ZooStage::kDone;      // the one that failed
  std::string reason = {};               // a sentence; may be empty
  std::string details = {};              // the whole text of a failure; empty: the reason is
  std::vector<JudgedUnit> outputs = {};  // in their order; empty: not compared, or of equal bytes
  std::optional<double> excess = {};     // the largest error in parts of what is allowed
  std::vector<std::string> guilty = {};  // nodes, each with its operator: "Relu_3 (Relu)"
  std::optional<ReducedModel> reduced = {};  // of a crash; nullopt: none was found in time
  ZooCost cost = {};
};

struct ZooModelResult {
  std::string model;         // the path, from the folder of the zoo
  std::string problem = {};  // why it cannot be loaded or fed; then no engine was tried
  int64_t nodes = 0;
  // Shapes of generated inputs whose dimensions the model leaves open: "image:[1,3,32,32]".
  std::vector<std::string> inputs = {};
  std::string reference = {};  // the first engine that ran it; empty: none did
  std::vector<ZooEngineResult> engines = {};

  // The worst of all; kNotLoaded with a problem.
  ZooOutcome outcome() const;
  // The reason for it in a few words: "openvino cannot load it"; empty if the model passes.
  std::string account() const;
};

// In place of the engines' results, where the model has a problem.
ZooEngineResult not_set_up(const ZooModelResult& model);

struct ZooResult {
  std::vector<std::string> engines = {};
  OrderedMap<std::string> versions = {};
  std::vector<ZooModelResult> models = {};

  // The worst of all models; kNotCompared without any.
  ZooOutcome outcome() const;
  // A process was killed, so that running again may give another result.
  bool was_killed() const;
  // Units are models; those are compared of which all engines have returned outputs.
  Verdict verdict() const;
};

// How many models end in each stage on an engine.
struct ZooStageCounts {
  std::string engine;
  std::array<int64_t, kZooStages> ended = {};

  // Models that come to the stage, and those that pass it.
  int64_t reached(ZooStage stage) const;
  int64_t passed(ZooStage stage) const;
};
// Of each engine, in their order.
std::vector<ZooStageCounts> stage_counts(const ZooResult& result);

// Appends the models of a later part of the same zoo. Throws Error (kOtherRun) for other engines.
void append(ZooResult& whole, ZooResult part);

// A model that is worse than it was: an engine has a worse outcome, or the model is new and fails.
struct ZooChange {
  std::string model, engine;
  std::optional<ZooOutcome> before;  // nullopt: it was not there
  ZooOutcome now;
};
std::vector<ZooChange> worse_than(const ZooResult& result, const ZooResult& baseline);

}  // namespace polygraphy
