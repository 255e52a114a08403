// Files of tactics: which algorithm was chosen for each layer, in the original's JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tensorrt {

// An input or output of a layer as an algorithm takes it.
struct TacticTensor {
  std::string dtype;  // as TensorRT's Python prints it: "DataType.FLOAT"
  std::vector<int64_t> strides;
  int64_t vectorized_dim = -1, components_per_element = 1;

  bool operator==(const TacticTensor&) const = default;
};

struct TacticAlgorithm {
  int64_t implementation = 0, tactic = 0;
  std::vector<TacticTensor> inputs, outputs;

  bool operator==(const TacticAlgorithm&) const = default;
};

// By the layers' names, in the builder's order.
using Tactics = std::vector<std::pair<std::string, TacticAlgorithm>>;

// "(Implementation: 1, Tactic: 2)", for messages.
std::string to_text(const TacticAlgorithm& algorithm);
// Of the same implementation and tactic, whatever their inputs and outputs.
bool same_variant(const TacticAlgorithm& a, const TacticAlgorithm& b);
// The inputs and outputs that differ, both ways: "input 0 as (...), now as (...)".
std::vector<std::string> tensor_differences(const TacticAlgorithm& recorded,
                                            const TacticAlgorithm& offered);
// Null: the layer is not among them.
const TacticAlgorithm* find(const Tactics& tactics, const std::string& layer);

// Throws pgb::Failure: no such file, one of another kind, or a damaged one, with layer and key.
Tactics read_tactics(const std::string& path);
// Atomically. Throws pgb::Failure.
void write_tactics(const std::string& path, const Tactics& tactics);

}  // namespace tensorrt
