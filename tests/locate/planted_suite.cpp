#include "planted_suite.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fingerprint.h"
#include "faulty_engine.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

class OneFeed : public FeedSource {
 public:
  explicit OneFeed(ArrayMap feed) : feed_(std::move(feed)) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (std::exchange(done_, true)) return std::nullopt;
    return values_of(feed_);
  }

 private:
  ArrayMap feed_;
  bool done_ = false;
};

RunnerTools tools() {
  RunnerTools tools{.paths = built_paths()};
  tools.paths.plugin_dirs.emplace_back(PG_FUSING_BACKEND);
  return tools;
}

RunnerSpec fusing(const std::vector<Fault>& faults, NumberFormat format) {
  RunnerSpec spec{.backend = "fusing", .name = "target"};
  for (const Fault& fault : faults) spec.session.options.push_back({"fault", {text_of(fault)}});
  if (format != NumberFormat::kFloat32)
    spec.session.options.push_back({"precision", {std::string(name_of(format))}});
  return spec;
}

// Chains of `length` nodes, each of which reads the one before.
std::vector<std::vector<std::string>> kernels(const Model& model, size_t length) {
  std::vector<std::vector<std::string>> found;
  for (const auto& last : model.graph->nodes()) {
    std::vector<std::string> names;
    const Node* node = last.get();
    while (node && !node->has_subgraphs()) {
      names.insert(names.begin(), std::string(node->name()));
      if (names.size() == length) break;
      const Node* before = nullptr;
      for (const Tensor* input : node->inputs()) {
        if (!before) before = input->producer();
      }
      node = before;
    }
    if (names.size() == length) found.push_back(std::move(names));
  }
  return found;
}

constexpr Fault::Kind kKinds[] = {
    Fault::Kind::kScale, Fault::Kind::kTile,      Fault::Kind::kTruncates, Fault::Kind::kPlusOne,
    Fault::Kind::kFlips, Fault::Kind::kDropsTerm, Fault::Kind::kNoZero,    Fault::Kind::kNoBias};

bool shows(const PlantedCase& one) {
  const auto run = [&](const std::vector<Fault>& faults) {
    PlantedJob job(one.network, faults, one.format);
    const auto runner =
        job.factory.make(std::get<RunnerSpec>(job.job.target), job.job.model, job.log);
    const ActiveRunner active(*runner);
    const ValueMap outputs = runner->infer(values_of(one.network.feed(0)));
    ArrayMap copies;
    for (const auto& [name, array] : tensors_of(outputs)) copies.set(name, array.clone());
    return copies;
  };
  try {
    const ArrayMap right = run({}), wrong = run({one.fault});
    const double unit = std::ldexp(1.0, 8 - significant_digits(one.format));
    for (const auto& [name, array] : right) {
      const TensorError error = measure_error(array, *wrong.find(name));
      if (error.relative() > unit || !error.incomparable.empty()) return true;
    }
  } catch (const Error&) {
    // The fault makes no sense here: a result that is not a float, or too small.
  }
  return false;
}

struct Wanted {
  bool held_out;
  std::string_view part;
};

// The first of the kinds, from a place on that follows from the name, that shows.
void add_case(const SmallNetwork& network, const Model& model, const std::string& stem,
              const std::vector<std::string>& fused, const std::vector<std::string>& nodes,
              const Wanted& wanted, std::vector<PlantedCase>& cases,
              std::optional<Fault::Kind> only = {}) {
  PlantedCase one{.name = stem, .network = network};
  if (one.held_out() != wanted.held_out || stem.find(wanted.part) == std::string::npos) return;
  const uint64_t seed = fingerprint(stem).low;
  constexpr NumberFormat kFormats[] = {NumberFormat::kFloat32, NumberFormat::kFloat32,
                                       NumberFormat::kFloat16, NumberFormat::kBfloat16};
  one.format = kFormats[(seed >> 8) % 4];
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t k = 0; k < std::size(kKinds); ++k) {
      one.fault = {.node = nodes[((seed >> 16) + i) % nodes.size()],
                   .kind = only.value_or(kKinds[((seed >> 24) + k) % std::size(kKinds)]),
                   .fused = fused};
      if (one.fault.kind == Fault::Kind::kScale)
        one.fault.limit = 64 * std::ldexp(1.0, 1 - significant_digits(one.format));
      Model copy = graphsurgeon::copy(model);
      if (!plant(copy, one.fault) || !shows(one)) continue;
      one.name += " " + text_of(one.fault) + " " + std::string(name_of(one.format));
      cases.push_back(std::move(one));
      return;
    }
  }
}

}  // namespace

bool PlantedCase::held_out() const {
  return fingerprint(name.substr(0, name.find(' '))).low % 2 == 1;
}

std::vector<PlantedCase> planted_cases(bool held_out, std::string_view part) {
  const Wanted wanted{held_out, part};
  std::vector<PlantedCase> cases;
  for (const SmallNetwork& network : all_networks()) {
    const Model model = network.make();
    const std::string name = network.name;
    std::vector<std::string> nodes;
    for (const auto& node : model.graph->nodes()) {
      if (!node->has_subgraphs() && !node->name().empty()) nodes.emplace_back(node->name());
    }
    for (const char* number : {"/one", "/another", "/third"})
      add_case(network, model, name + number, {}, nodes, wanted, cases);
    for (const auto& node : model.graph->nodes()) {
      if (node->op() == "ArgMax" || node->op() == "TopK")
        add_case(network, model, name + "/ties", {}, {std::string(node->name())}, wanted, cases,
                 Fault::Kind::kOtherTies);
    }
    for (size_t length = 2; length <= 4; ++length) {
      const auto all = kernels(model, length);
      for (int time = 0; time < 2 && !all.empty(); ++time) {
        const std::string stem = name + "/fused" + std::to_string(length) + (time == 0 ? "a" : "b");
        const auto& fused = all[(fingerprint(stem).low >> 32) % all.size()];
        add_case(network, model, stem, fused, fused, wanted, cases);
      }
    }
  }
  return cases;
}

PlantedJob::PlantedJob(const SmallNetwork& network, const std::vector<Fault>& faults,
                       NumberFormat format)
    : factory(tools(), log), model(network.make()) {
  job.model.model = &model;
  job.model.path = "network";
  job.reference = RunnerSpec{.backend = "onnxrt", .bundled = true, .name = "reference"};
  job.target = fusing(faults, format);
  job.ask_format = true;
  job.make_feeds = [&network] { return std::make_unique<OneFeed>(network.feed(0)); };
}

LocateResult PlantedJob::locate() {
  return polygraphy::locate(job, factory, log);
}

bool is_accused(const LocateResult& result, const NodeFinding& finding) {
  if (finding.verdict != NodeVerdict::kOverflows) return is_guilty(finding.verdict);
  return std::ranges::find_first_of(finding.makes, result.outputs) == finding.makes.end();
}

Answered locate_planted(const PlantedCase& one) {
  try {
    PlantedJob job(one.network, {one.fault}, one.format);
    Answered answered{.result = job.locate()};
    const LocateResult& result = answered.result;
    const NodeFinding* guilty = result.guilty();
    answered.answer = !guilty                          ? Answer::kMissed
                      : guilty->node == one.fault.node ? Answer::kRight
                                                       : Answer::kWrong;
    for (const NodeFinding& finding : result.nodes) {
      const bool in_kernel =
          std::ranges::find(one.fault.fused, finding.node) != one.fault.fused.end();
      answered.innocents +=
          is_accused(result, finding) && finding.node != one.fault.node && !in_kernel;
    }
    answered.text = locate_summary(result) + "\n" + locate_table(result, 6);
    return answered;
  } catch (const Error& error) {
    return {.answer = Answer::kFailed, .text = error.what()};
  }
}

}  // namespace polygraphy
