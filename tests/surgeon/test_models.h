// The models of the onnx package's test data, the inputs that lie beside them, and what ONNX
// Runtime makes of both.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"

namespace polygraphy {

struct TestModel {
  std::string name;  // "node/test_abs"
  std::string path;
  size_t nodes = 0;
  ValueMap feed;
  ArrayMap outputs;     // flattened; the runtime's results for the model
  bool checks = false;  // the checker has nothing against it
};

// Those that the runtime runs, in order of name. Left out: inputs that are not tensors, outputs
// that differ each time, and the weights' giants (their test data is a formula). Slow: keep the
// result.
std::vector<TestModel> runnable_models(BundledRuntime& runtime);

// How an edited model compares with what it was: empty when it runs, gives the same outputs and
// passes the checker as before. `bit_equal`: else rounding is allowed.
std::string worse_than_before(BundledRuntime& runtime, const TestModel& before,
                              const graphsurgeon::Model& after, bool bit_equal = true);

// Tests on all of them. They are run once for all tests of the process.
class OnTestModels : public testing::Test {
 protected:
  enum class Which { kAll, kGraphs };  // kGraphs: small ones of several nodes
  enum class Exactly { kBits, kRounded };

  static BundledRuntime& runtime();
  static const std::vector<TestModel>& models();

  static bool is_small_graph(const TestModel& model);

  // Fails the test for each model that is worse after `edit`.
  static void expect_unchanged(Which which,
                               const std::function<graphsurgeon::Model(const TestModel&)>& edit,
                               Exactly exactly = Exactly::kBits);
};

}  // namespace polygraphy
