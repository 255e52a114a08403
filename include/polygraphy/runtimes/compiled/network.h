// The network that a compiling library makes of a model.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/arrays/array.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// In order; names may repeat.
using NamedTensors = std::vector<std::pair<std::string, TensorInfo>>;

// An attribute of a layer.
struct LayerAttribute {
  struct Enumerator {
    std::string type, name;  // "ElementWiseOperation", "SUM"
  };
  struct Dims {
    std::vector<int64_t> sizes;
  };
  struct Permutation {
    std::vector<int64_t> order;
  };
  struct Object {
    std::string name;  // the name of a loop, a conditional, a plugin
  };
  // Weights without a shape.
  struct Weights {
    DataType dtype = DataType::kUndefined;
    int64_t count = 0;
    Array values = {};  // empty: not requested
  };

  std::string name;  // its name in TensorRT's Python module: "kernel_size_nd"
  std::variant<int64_t, double, bool, std::string, Enumerator, Dims, Permutation,
               std::vector<double>, Object, Weights>
      value;
};

// A layer of a network, in its order.
struct NetworkLayer {
  std::string name, type;        // "CONVOLUTION"
  std::string op;                // "LayerType.CONVOLUTION", "ActivationType.RELU"
  NamedTensors inputs, outputs;  // without omitted tensors
  std::vector<LayerAttribute> attributes;
  // the execution computes every output; false: one is known before it, as a shape
  bool executed = true;
};

struct NetworkDescription {
  std::string name;
  std::vector<std::string> flags;  // "STRONGLY_TYPED"
  // Layers have settable precisions; else types come from the model.
  bool layer_precisions = false;
  Metadata inputs, outputs;
  std::vector<NetworkLayer> layers;
};

// Throws the errors of build_engine(). `weights`: include the values of weights, in an unnamed file
// that lives as long as one of them.
NetworkDescription describe_network(const EngineJob& job, Logger& log, bool weights = false);

}  // namespace polygraphy
