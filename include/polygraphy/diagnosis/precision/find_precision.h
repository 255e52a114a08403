// The job behind `debug precision`: which layers or nodes of a model need a higher precision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/dtype.h"
#include "base/error.h"
#include "base/log.h"
#include "base/record.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// Layers of this network have no individual precision: types come from the model.
inline constexpr ErrorCode kNoLayerPrecisions{"no-layer-precisions"};
// The options of the engine allow no precision below float32, or not the requested one.
inline constexpr ErrorCode kNoLowerPrecision{"no-lower-precision"};
inline constexpr ErrorCode kHigherPrecisionOff{"higher-precision-off"};
// Only float32 is supported for kept nodes, and only with types from the model.
inline constexpr ErrorCode kNodesInFloat32{"nodes-in-float32"};
inline constexpr ErrorCode kTypesOfModel{"types-of-the-model"};
// The check fails on the model in float32; the model has no nodes to convert to float16.
inline constexpr ErrorCode kFailsInFloat32{"fails-in-float32"};
inline constexpr ErrorCode kNothingInFloat16{"nothing-in-float16"};

enum class PrecisionMode : uint8_t {
  kBisect,  // the fewest layers from one end of the network, by bisection
  kLinear,  // the fewest layers from one end, with one more layer each time
  kAuto,    // the fewest nodes of the ONNX model, wherever they stand
};
// "bisect", "linear", "auto".
std::string_view name_of(PrecisionMode mode);
constexpr auto all_of(RecordOf<PrecisionMode>) {
  return values_up_to<PrecisionMode::kAuto>();
}

struct PrecisionJob {
  EngineJob engine = {};
  // nullopt: kBisect if layers of the network have precisions, else kAuto.
  std::optional<PrecisionMode> mode = {};
  // For the first two modes: start at the network's end instead of its beginning; the higher
  // precision, float32 or float16. The builder obeys precision constraints unless the engine's
  // options set another rule.
  bool reverse = false;
  DataType precision = DataType::kFloat32;
  OnnxSaving output = {};  // for kAuto: the passing model
  LoopOptions loop = {};   // artifact: the engine
  MakeCheck check = {};    // checks the engine
  // Engines that are checked at a time; 0: one per core. Builds take turns on the engine's device.
  int jobs = 1;
};

struct PreciseNode {
  std::string name, op;
};
constexpr auto record_of(RecordOf<PreciseNode>) {
  using Of = PreciseNode;
  return record<Of>("PreciseNode", "A node that must stay in float32.",
                    member("name", &Of::name, "Its name, or the name of its first output."),
                    member("op", &Of::op, "Its operator.").python("op_type"));
}

struct PrecisionResult {
  PrecisionMode mode = PrecisionMode::kBisect;
  bool interrupted = false;  // interrupted; the result is the best so far
  std::optional<int64_t> layers = {};
  std::vector<PreciseNode> nodes = {};
  std::optional<double> share = {};

  bool passed() const { return mode == PrecisionMode::kAuto || layers; }
};
constexpr auto record_of(RecordOf<PrecisionResult>) {
  using Of = PrecisionResult;
  return record<Of>(
      "PrecisionFigures", "The parts of a model that need a higher precision.",
      member("mode", &Of::mode, "How they were searched."),
      member("layers", &Of::layers,
             "Of \"bisect\" and \"linear\": the number of layers at the chosen end of the network; "
             "null: the check fails even with all layers."),
      member("nodes", &Of::nodes, "Of \"auto\"; empty: float16 suffices for all nodes."),
      member(
          "share", &Of::share,
          "Of \"auto\": the share of multiplications in float32 among MatMul, Gemm, Conv and "
          "ConvTranspose nodes of the main graph; open dimensions count as 1. Null: there are no "
          "such nodes."));
}

// Builds an engine in each round, and checks it. The first two modes constrain the precision of
// layers. kAuto converts the model to float16 except for some nodes, which stay in float32 between
// Casts; TensorRT keeps the types of such a model. A failed build is a failed round. Throws the
// errors of the engine's job and of the check, and Error with the codes above.
PrecisionResult find_precision(const PrecisionJob& job, Logger& log);

}  // namespace polygraphy
