// Mixtures of experts (MoE and QMoE of com.microsoft): one node has up to three weights.
#pragma once

#include <cstddef>
#include <optional>

#include "graphsurgeon/ir/node.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"

namespace polygraphy {

// fc1, fc2 and fc3, counted from 1; each is [experts, outputs, inputs].
inline constexpr size_t kExpertParts = 3;

bool has_experts(const graphsurgeon::Node& node);            // MoE
bool has_quantized_experts(const graphsurgeon::Node& node);  // QMoE

// Where a MoE has the weight of a part.
size_t expert_slot(size_t part);
// The constant with the quantised values that a QMoE has of a part; null: none.
const graphsurgeon::Tensor* stored_experts(const graphsurgeon::Node& qmoe, size_t part);

// The weight of a part, in integers of 4 or 8 bits with a scale and a zero point for each block of
// inputs of each output of each expert. nullopt: no constants, another format or layout, or shapes
// that do not belong together. O(elements).
std::optional<QuantizedWeight> quantized_experts(const graphsurgeon::Node& qmoe, size_t part);

// A QMoE becomes a MoE, whose weights are `weights`, and keeps its name and its output. False, and
// no change: a weight is missing, or it weights experts by other numbers than those that choose
// them, as no MoE does.
bool becomes_moe(graphsurgeon::Node& qmoe, const graphsurgeon::TensorRef (&weights)[kExpertParts]);

}  // namespace polygraphy
