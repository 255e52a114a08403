// Checks a model against the ONNX standard: the checker of the onnx library, on a copy without
// payloads.
#pragma once

#include <string>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct CheckOptions {
  // Also infer types and shapes strictly, and compare them with those that the model declares.
  bool shapes = false;
  // Require known operators in domains other than the standard's, too.
  bool custom_domains = false;
  // Also check the payloads, which the copy lacks: every payload has the size of its type and
  // shape, and external data exists and is long enough.
  bool payloads = true;
};

// Throws Error with the first problem found and, where known, its node: `m.onnx: node 'conv1'
// (Conv): …`.
void check_model(const Model& model, const CheckOptions& options = {});

// The complaint of the onnx library's checker about the structure, in its words; empty: the model
// is valid. A graph output without a shape is accepted.
std::string checker_complaint(const Model& model);

}  // namespace graphsurgeon
