// Weights inside bodies and functions, which cannot use links.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "graphsurgeon/io/placed_payloads.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Runtimes refuse files of several names for them (ONNX Runtime: "multiple hard links, indicating a
// potential hardlink attack"). Small ones go into the model, each large one into a separate file,
// once.
class BodyWeights {
 public:
  // `folder`: the folder of the models.
  explicit BodyWeights(std::string folder) : folder_(std::move(folder)) {}

  // Places the weights of all graphs but the main one. Valid until the next call. O(structure), and
  // the bytes of new large weights. Throws Error, IoError.
  const graphsurgeon::PlacedPayloads& place(const graphsurgeon::Model& model);

 private:
  void place(const graphsurgeon::PayloadPtr& values, std::string_view name);

  std::string folder_;
  graphsurgeon::PlacedPayloads placed_;
  struct File {
    graphsurgeon::PayloadPtr values;  // kept, so that no other payload gets its address
    std::string location;
  };
  std::unordered_map<const graphsurgeon::Payload*, File> files_;
};

}  // namespace polygraphy
