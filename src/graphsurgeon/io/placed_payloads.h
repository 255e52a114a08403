// Encoding a model beside its weights, some of which are elsewhere.
#pragma once

#include <string>
#include <unordered_map>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/io/tensor_encoder.h"

namespace graphsurgeon {

using PlacedPayloads = std::unordered_map<const Payload*, Place>;

// As the function of that name in save.h, but payloads of `placed` go where that says.
std::string encode_beside_weights(const Model& model, const std::string& location,
                                  int64_t threshold, const PlacedPayloads& placed);

}  // namespace graphsurgeon
