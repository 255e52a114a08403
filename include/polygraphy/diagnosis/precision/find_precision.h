// What of a model has to be computed in a higher precision: what `debug precision` does, as a call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/dtype.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// Layers of this network have no precision of their own: it takes types from the model.
inline constexpr ErrorCode kNoLayerPrecisions{"no-layer-precisions"};
// The options of the engine allow nothing below float32, or not the precision that is looked for.
inline constexpr ErrorCode kNoLowerPrecision{"no-lower-precision"};
inline constexpr ErrorCode kHigherPrecisionOff{"higher-precision-off"};
// Nodes are kept in float32, in no other type; and types come from the model then.
inline constexpr ErrorCode kNodesInFloat32{"nodes-in-float32"};
inline constexpr ErrorCode kTypesOfModel{"types-of-the-model"};
// The check fails with the model as it is; the model has nothing that would work in float16.
inline constexpr ErrorCode kFailsInFloat32{"fails-in-float32"};
inline constexpr ErrorCode kNothingInFloat16{"nothing-in-float16"};

enum class PrecisionMode {
  kBisect,  // the fewest layers from one end of the network: halves their number each time
  kLinear,  // the same, one layer more each time
  kAuto,    // the fewest nodes of the ONNX model, wherever they stand
};

struct PrecisionJob {
  EngineJob engine = {};
  // None: kBisect where layers of the network have precisions, else kAuto.
  std::optional<PrecisionMode> mode = {};
  // Of the first two modes: the layers before the network's end instead of those behind its
  // beginning, and the higher precision, float32 or float16. Constraints of precisions are obeyed,
  // where the engine's options say nothing of them.
  bool reverse = false;
  DataType precision = DataType::kFloat32;
  OnnxSaving output = {};  // of kAuto: the model that passes
  LoopOptions loop = {};   // artifact: the engine
  MakeCheck check = {};    // of the engine; called once
};

// A node that has to stay in float32; one without a name is called as its first output.
struct PreciseNode {
  std::string name, op;
};

struct PrecisionResult {
  PrecisionMode mode = PrecisionMode::kBisect;
  bool interrupted = false;  // it is the best that was found until then
  // Of the first two modes: how many layers at the end that was asked for; none: not even all.
  std::optional<int64_t> layers = {};
  // Of kAuto; none: float16 will do everywhere.
  std::vector<PreciseNode> nodes = {};
  // Of kAuto: the share of multiplications that is left in float32, in the MatMul, Gemm, Conv and
  // ConvTranspose nodes of the main graph; open dimensions count as 1. None: there are none.
  std::optional<double> share = {};
};

// Builds an engine in each round, and checks it. The first two modes constrain the precision of
// layers. kAuto converts the model to float16, but for some nodes, which stay in float32 between
// Casts; TensorRT takes the types of such a model as they are. A build that fails is a round that
// fails. Throws Error: what the engine's job and the check throw, and as the codes above say.
PrecisionResult find_precision(const PrecisionJob& job, Logger& log);

}  // namespace polygraphy
