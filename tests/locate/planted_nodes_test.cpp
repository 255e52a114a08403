// A node that an engine gets wrong is named first.
//
// Cases are made by a rule: each kind of fault in a node of each network that can have it. Half of
// them, by their names, were looked at while thresholds were chosen ("tuned"); the other half was
// not ("held out").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/fingerprint.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "locate_bench.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;

struct Case {
  std::string name;
  const SmallNetwork* network = nullptr;
  std::vector<Fault> faults;
  NumberFormat format = NumberFormat::kFloat32;
  int64_t samples = 1;
  bool held_out() const { return fingerprint(name).low % 2 == 1; }
};

std::vector<std::string> node_names(const Model& model) {
  std::vector<std::string> names;
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const auto& node : graph->nodes()) {
      if (!node->has_subgraphs() && !node->name().empty()) names.emplace_back(node->name());
    }
  }
  return names;
}

// The reference's values of all tensors of the main graph.
ArrayMap values_of_all(const Model& model, const ArrayMap& sample) {
  Model marked = graphsurgeon::copy(model);
  for (const auto& node : marked.graph->nodes()) {
    for (graphsurgeon::Tensor* output : node->outputs()) {
      if (!output->is_empty()) marked.graph->mutable_outputs().emplace_back(output);
    }
  }
  auto& outputs = marked.graph->mutable_outputs();
  std::vector<graphsurgeon::TensorRef> once;
  for (const auto& output : outputs) {
    if (std::find(once.begin(), once.end(), output) == once.end()) once.push_back(output);
  }
  outputs = once;
  const auto runner = faulty_engine({.path = "all", .model = &marked}, {}, {});
  const ActiveRunner active(*runner);
  ArrayMap values = tensors_of(runner->infer(values_of(sample)));
  for (const auto& [name, array] : sample) values.set(name, array);
  return values;
}

// A fault counts if the node's error is five times that of a correct one of the format; smaller
// ones look like noise.
bool is_decidable(const Model& model, const Case& one, const Fault& fault) {
  const auto& nodes = model.graph->nodes();
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const auto& node) { return node->name() == fault.node; });
  if (found == nodes.end()) return true;  // in a body: these faults are large
  bool any = false;
  for (int64_t i = 0; i < one.samples; ++i) {
    const ArrayMap values = values_of_all(model, one.network->feed(i));
    const ExplodedModel alone = explode(model, {{static_cast<size_t>(found - nodes.begin())}},
                                        [&](const std::string& name) { return values.find(name); });
    ValueMap feed;
    for (const std::string& input : alone.inputs) feed.set(input, *values.find(input));
    const auto run = [&](std::vector<Fault> faults) {
      const auto runner =
          faulty_engine({.path = "alone", .model = &alone.model}, faults, one.format);
      const ActiveRunner active(*runner);
      return runner->infer(feed).at_index(0).second.tensor().clone();
    };
    const Array& right = *values.find(alone.outputs.front().tensor);
    const TensorError noise = measure_error(right, run({}));
    const TensorError error = measure_error(right, run({fault}));
    const double unit = std::ldexp(1.0, 3 - significant_digits(one.format));
    any |= error.non_finite_mismatches > 0 ||
           error.norm > 5 * std::max(noise.norm, unit * noise.reference_norm) ||
           error.largest > 10 * std::max(noise.largest, unit * noise.magnitude());
  }
  return any;
}

double limit_of(Fault::Kind kind, NumberFormat format) {
  if (kind != Fault::Kind::kScale) return 0;
  return 64 * std::ldexp(1.0, -significant_digits(format) + 1);
}

void add_cases(const SmallNetwork& network, std::vector<Case>& cases) {
  const Model model = network.make();
  const std::vector<std::string> names = node_names(model);
  constexpr NumberFormat kFormats[] = {NumberFormat::kFloat32, NumberFormat::kFloat16,
                                       NumberFormat::kBfloat16};
  for (int kind = 0; kind <= static_cast<int>(Fault::Kind::kOverflows); ++kind) {
    const std::string stem =
        std::string(network.name) + "_" + name_of(static_cast<Fault::Kind>(kind));
    const uint64_t seed = fingerprint(stem).low;
    const NumberFormat format = kFormats[seed % 3];
    Case one{.name = stem + "_" + std::string(name_of(format)),
             .network = &network,
             .faults = {},
             .format = format};
    // The first that can have it, from a place on that follows from the name.
    for (size_t i = 0; i < names.size() && one.faults.empty(); ++i) {
      Fault fault{.node = names[(seed / 3 + i) % names.size()],
                  .kind = static_cast<Fault::Kind>(kind),
                  .limit = limit_of(static_cast<Fault::Kind>(kind), format)};
      Model copy = graphsurgeon::copy(model);
      try {
        if (!plant(copy, fault)) continue;
        const auto runner = faulty_engine({.path = "planted", .model = &model}, {fault}, format);
        const ActiveRunner active(*runner);
        static_cast<void>(runner->infer(values_of(network.feed(0))));
        if (is_decidable(model, one, fault)) one.faults.push_back(fault);
      } catch (const Error&) {
        // The fault makes no sense here: a result that is not a float, or too small.
      }
    }
    if (!one.faults.empty()) cases.push_back(std::move(one));
  }
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made;
    for (const SmallNetwork& network : small_networks()) add_cases(network, made);
    // Two at once.
    const size_t single = made.size();
    for (size_t i = 0; i + 1 < single; ++i) {
      if (made[i].network != made[i + 1].network || made[i].format != made[i + 1].format) continue;
      if (made[i].faults[0].node == made[i + 1].faults[0].node) continue;
      Case both = made[i];
      both.name += "_and_" + std::string(name_of(made[i + 1].faults[0].kind));
      both.faults.push_back(made[i + 1].faults[0]);
      made.push_back(std::move(both));
    }
    return made;
  }();
  return cases;
}

void find_planted(const Case& one) {
  const Model model = one.network->make();
  std::vector<ArrayMap> samples;
  for (int64_t i = 0; i < one.samples; ++i) samples.push_back(one.network->feed(i));
  Logger log;
  const LocateResult result = locate(faulty_job(model, samples, one.faults, one.format), log);
  std::vector<std::string> planted;
  for (const Fault& fault : one.faults) planted.push_back(fault.node);
  SCOPED_TRACE(one.name + " in " + testing::PrintToString(planted) + "\n" + locate_summary(result) +
               "\n" + locate_table(result, 5));
  std::vector<std::string> first;
  for (size_t i = 0; i < planted.size() && i < result.nodes.size(); ++i) {
    EXPECT_TRUE(is_guilty(result.nodes[i].verdict) ||
                result.nodes[i].verdict == NodeVerdict::kOverflows);
    first.push_back(result.nodes[i].node);
  }
  EXPECT_THAT(first, testing::UnorderedElementsAreArray(planted));
}

void find_all(bool held_out) {
  size_t count = 0;
  for (const Case& one : all_cases()) {
    if (one.held_out() != held_out) continue;
    ++count;
    find_planted(one);
  }
  testing::Test::RecordProperty("cases", static_cast<int>(count));
  std::printf("%zu cases\n", count);
}

TEST(PlantedNodesTest, Tuned) {
  find_all(false);
}

TEST(PlantedNodesTest, HeldOut) {
  find_all(true);
}

TEST(PlantedNodesTest, InOneOfThreeSamples) {
  for (const SmallNetwork& network : small_networks()) {
    if (std::string(network.name) == "embedding") continue;
    const Model model = network.make();
    // The samples grow; the fault shows in the last one.
    for (const auto& node : model.graph->nodes()) {
      if (node->op() != "Gemm" && node->op() != "Conv" && node->op() != "Mul") continue;
      std::vector<double> largest;
      for (int64_t i = 0; i < 3; ++i) {
        const ArrayMap values = values_of_all(model, network.feed(i));
        largest.push_back(measure_error(*values.find(node->outputs()[0]->name()),
                                        *values.find(node->outputs()[0]->name()))
                              .largest_number);
      }
      if (largest[2] < 1.05 * std::max(largest[0], largest[1])) continue;
      Case one{.name = std::string(network.name) + "_sometimes",
               .network = &network,
               .faults = {{.node = std::string(node->name()),
                           .kind = Fault::Kind::kSometimes,
                           .limit = 0.98 * largest[2]}},
               .format = NumberFormat::kBfloat16,
               .samples = 3};
      if (!is_decidable(model, one, one.faults[0])) continue;
      find_planted(one);
      break;
    }
  }
}

}  // namespace
}  // namespace polygraphy
