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
#include "base/record.h"
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
constexpr auto all_of(RecordOf<ZooOutcome>) {
  return values_up_to<ZooOutcome::kPassed>();
}
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
constexpr auto all_of(RecordOf<ZooStage>) {
  return values_up_to<ZooStage::kDone>();
}

// Figures that differ from run to run; nullopt: not known. Files of results lack them.
struct ZooCost {
  std::optional<double> load_seconds = {}, run_seconds = {};  // of one load and one inference
  std::optional<int64_t> peak_bytes = {};  // memory of the engine's processes meanwhile
};

struct ReducedModel {
  int64_t nodes = 0;
  std::string onnx = {};
};
inline constexpr size_t kMostReducedBytes = size_t{1} << 20;

constexpr auto record_of(RecordOf<ReducedModel>) {
  return record<ReducedModel>(
      "ReducedModel", "The smallest model that still crashes the engine.",
      count("nodes", &ReducedModel::nodes, "How many it has."),
      member("onnx", &ReducedModel::onnx, "The bytes of its file.").base64());
}

struct ZooEngineResult {
  std::string engine;
  ZooOutcome outcome = ZooOutcome::kNotCompared;
  ZooStage stage = ZooStage::kDone;
  std::string reason = {}, details = {};
  std::vector<JudgedUnit> outputs = {};
  std::optional<double> excess = {};
  std::vector<std::string> guilty = {};
  std::optional<ReducedModel> reduced = {};
  ZooCost cost = {};
};

constexpr auto record_of(RecordOf<ZooEngineResult>) {
  using Of = ZooEngineResult;
  return record<Of>(
      "ZooEngine", "How far an engine gets with a model.",
      member("engine", &Of::engine, "Its name."),
      member("outcome", &Of::outcome,
             "\"killed\" (from outside) and \"not compared\" are not verdicts."),
      member("stage", &Of::stage, "The step that failed; \"done\" if no step did."),
      member("reason", &Of::reason, "A sentence.").if_set(),
      member("details", &Of::details,
             "The whole text of a failure; missing if the reason is all of it.")
          .if_set(),
      member("excess", &Of::excess,
             "The largest error as a multiple of the limit; null: not known."),
      member("reduced", &Of::reduced,
             "The smallest model that still crashes the engine, if one was found in time.")
          .if_set(),
      member("outputs", &Of::outputs,
             "Missing: not compared, or all have the same bytes as the reference's.")
          .if_set(),
      member("guilty", &Of::guilty,
             "Nodes that make the outputs differ, each with its operator: \"Relu_3 (Relu)\"."),
      member(
          "load_seconds", [](auto& of) -> auto& { return of.cost.load_seconds; },
          "Of one load. These three are in the documents of a single run only.")
          .if_set(),
      member(
          "run_seconds", [](auto& of) -> auto& { return of.cost.run_seconds; }, "Of one inference.")
          .if_set(),
      member(
          "peak_bytes", [](auto& of) -> auto& { return of.cost.peak_bytes; },
          "Memory of the engine's processes meanwhile.")
          .if_set());
}

struct ZooModelResult {
  std::string model;
  std::string problem = {};
  int64_t nodes = 0;
  std::vector<std::string> inputs = {};
  std::string reference = {};
  std::vector<ZooEngineResult> engines = {};

  // The worst of all; kNotLoaded with a problem.
  ZooOutcome outcome() const;
  // The reason for it in a few words: "openvino cannot load it"; empty if the model passes.
  std::string account() const;
};

constexpr auto record_of(RecordOf<ZooModelResult>) {
  using Of = ZooModelResult;
  return record<Of>(
      "ZooModel", "A model on all engines.",
      member("model", &Of::model, "Its path, from the folder of the zoo."),
      derived("outcome", &Of::outcome, "The worst of all engines; \"not loaded\" with a problem."),
      derived(
          "stage",
          [](const Of& of) {
            return of.problem.empty() ? std::nullopt : std::optional(ZooStage::kSetup);
          },
          "With a problem.")
          .if_set()
          .json_only(),
      member("problem", &Of::problem,
             "Why it cannot be read or has no inputs; then no engine was tried.")
          .if_set(),
      count("nodes", &Of::nodes, "How many it has."),
      member("inputs", &Of::inputs,
             "Shapes of generated inputs with dimensions that the model leaves open: "
             "\"image:[1,3,32,32]\".")
          .if_set(),
      member("reference", &Of::reference, "The first engine that ran it, or \"\"."),
      member("engines", &Of::engines, "In their order."));
}

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

constexpr auto record_of(RecordOf<ZooResult>) {
  using Of = ZooResult;
  return record<Of>("ZooFigures", "The results of many models on several engines.",
                    form("polygraphy_zoo", 1), derived("answer", &Of::verdict, "On all models."),
                    member("engines", &Of::engines, "Their names.").json_only(),
                    member("versions", &Of::versions, "Of the engines, by name."),
                    member("models", &Of::models, "In their order."));
}

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
