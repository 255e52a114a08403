// An engine that gets nodes wrong: ONNX Runtime, on a model in which faults are planted. It can
// compute in another format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

struct Fault {
  enum class Kind {
    kScale,       // results are too large, by a part
    kSaturates,   // results larger than half of the largest one become that half
    kTile,        // the first four results are 0
    kNan,         // the first result is NaN
    kTruncates,   // results are multiples of 1/64 of the largest, rounded down
    kEpsilon,     // of a normalization, 100 times as large and at least 0.1
    kAxis,        // of a Softmax, the one before
    kNoBias,      // of Conv and Gemm
    kTransposed,  // square weights of MatMul and Gemm
    kOverflows,   // a sum of squares is computed in float16
    kSometimes,   // 1.5 times too large where the largest result is more than `limit`
  };
  std::string node = {};
  Kind kind = Kind::kScale;
  double limit = 0;
};

const char* name_of(Fault::Kind kind);

// Changes the node of that name in any graph; false: the node is missing, or cannot have this
// fault.
bool plant(graphsurgeon::Model& model, const Fault& fault);

// Of the tree that the tests are built in.
PluginPaths built_paths();

// The model of the source, with the faults in it, in ONNX Runtime. Without a format: in the model's
// own types.
std::shared_ptr<Runner> faulty_engine(const ModelSource& source, std::vector<Fault> faults,
                                      std::optional<NumberFormat> format);

}  // namespace polygraphy
