// A model with a planted fault, reduced in process.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "built_runtime.h"
#include "graphsurgeon/ir/graph.h"
#include "models_with_faults.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"

namespace polygraphy {

// Where a fault is planted, one after the other.
constexpr int kPositions = 20;

// Operators of all graphs and functions.
std::multiset<std::string> operators_of(const graphsurgeon::Model& model);

// How a model fails; empty: it does not.
using Fault = std::function<std::string(const graphsurgeon::Model&)>;

// Has all of these operators. Where one is missing, others may fail differently.
Fault needs(std::vector<std::string> wanted, const std::string& other = "");

// The result of a reduction: its model, its operators, the number of checks.
struct Left {
  graphsurgeon::Model model;
  int asked = 0;
  std::vector<std::string> ops;
};

class PlantedFaults : public testing::Test {
 protected:
  PlantedFaults();
  ~PlantedFaults() override;

  Left reduce(const std::string& text, const Fault& fault, int samples = 1);

  // Runs the model, as `polygraphy run --validate` would.
  Fault gives_nan();
  // The same where a body of such a node has the root.
  Fault gives_nan_within(const std::string& op);

  // One operator is at fault, at each position of a model of this number of nodes.
  void one_everywhere(int nodes, const std::function<Planted(int)>& plant, int most_checks);

  static int bound(int nodes, int constant) {
    return static_cast<int>(4 * std::log2(nodes)) + constant;
  }

 private:
  const std::filesystem::path folder_;
  Logger log_;
  BundledRuntime runtime_{built_paths(), log_};
};

}  // namespace polygraphy
