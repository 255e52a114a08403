// The network that a library which compiles models makes of one.
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

// In order; a name may come twice.
using NamedTensors = std::vector<std::pair<std::string, TensorInfo>>;

// What a layer has beside its tensors.
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
    std::string name;  // of a loop, a conditional, a plugin
  };
  // A list without a shape of its own.
  struct Weights {
    DataType dtype = DataType::kUndefined;
    int64_t count = 0;
    Array values = {};  // empty: they were not asked for
  };

  std::string name;  // as TensorRT's Python module calls it: "kernel_size_nd"
  std::variant<int64_t, double, bool, std::string, Enumerator, Dims, Permutation,
               std::vector<double>, Object, Weights>
      value;
};

// A layer of a network, in its order.
struct NetworkLayer {
  std::string name, type;        // "CONVOLUTION"
  std::string op;                // "LayerType.CONVOLUTION", "ActivationType.RELU"
  NamedTensors inputs, outputs;  // what is left out is not listed
  std::vector<LayerAttribute> attributes;
  bool executed = true;  // every output is made by the execution: none is a shape only
};

struct NetworkDescription {
  std::string name;
  std::vector<std::string> flags;  // "STRONGLY_TYPED"
  // Layers can be told in which precision to compute; else types come from the model.
  bool layer_precisions = false;
  Metadata inputs, outputs;
  std::vector<NetworkLayer> layers;
};

// Throws what build_engine() throws. `weights`: with the values of weights, in a file without a
// name that lives as long as one of them.
NetworkDescription describe_network(const EngineJob& job, Logger& log, bool weights = false);

}  // namespace polygraphy
