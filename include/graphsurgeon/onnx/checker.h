// Checks a model against the ONNX standard: the checker of the onnx library, on a copy without
// payloads.
#pragma once

#include <string>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct CheckOptions {
  // Also infer types and shapes strictly, and compare them with those that the model declares.
  bool shapes = false;
  // Operators of domains other than the standard's must be known, too.
  bool custom_domains = false;
  // Also look at what was left out of the copy: every payload has the size that its type and shape
  // ask for, external data is there and long enough.
  bool payloads = true;
};

// Throws Error with the first problem found and, where known, its node: `m.onnx: node 'conv1'
// (Conv): …`.
void check_model(const Model& model, const CheckOptions& options = {});

// What the onnx library's checker says of the structure, in its own words; empty: nothing. A
// graph's output without a shape is no fault here.
std::string checker_complaint(const Model& model);

}  // namespace graphsurgeon
