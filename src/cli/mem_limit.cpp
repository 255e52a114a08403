#include "cli/mem_limit.h"

#include <algorithm>

#include "base/error.h"
#include "cli/args/onnx_loading.h"
#include "cli/plugin_paths.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/tensors/graph_metadata.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModule = "tools/run/run.py";

// What the process and an engine take before any tensor is there.
constexpr uint64_t kProcess = uint64_t{64} << 20, kEngine = uint64_t{96} << 20;

// How often a runner has its outputs in memory: engines take memory in steps of up to twice of what
// they need; an isolated one has them in its own memory, if it cannot put them straight into what
// it shares with us, and there, which counts for both.
constexpr uint64_t kTimesHere = 2, kTimesApart = 4;
// Tensors that live while the model runs, whatever its outputs; what a comparison takes.
constexpr uint64_t kTensorsAlive = 3;
// How often an engine has the weights: as they come and as it likes them.
constexpr uint64_t kTimesWeights = 2;

std::string text_of(uint64_t bytes) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB";
}

uint64_t weight_bytes(const graphsurgeon::Model& model) {
  uint64_t bytes = 0;
  for (const auto& [name, tensor] : model.graph->tensor_map()) {
    if (tensor->payload()) bytes += static_cast<uint64_t>(tensor->payload()->nbytes());
  }
  return bytes;
}

}  // namespace

uint64_t memory_limit(const Session& session) {
  const auto typed = session.args().text("--mem-limit");
  return typed ? static_cast<uint64_t>(std::max<int64_t>(parse_bytes(*typed), 0)) : 0;
}

std::optional<OutputGroups> plan_output_groups(
    Session& session, const ModelSource& source, size_t runners, bool isolated,
    const std::function<std::optional<TensorMap>(const Metadata&)>& first_feed) {
  const auto typed = session.args().text("--mem-limit");
  if (!typed || runners == 0) return std::nullopt;
  const uint64_t limit = memory_limit(session);
  Logger quiet;
  const auto model = load_onnx(source, quiet);
  const uint64_t weights = weight_bytes(*model);
  const auto feed = first_feed(metadata_of_variables(model->graph->inputs()));
  if (!feed) return std::nullopt;
  const std::vector<OutputSize> sizes = output_sizes(*model, *feed);
  const OutputGroups whole(sizes, 0);
  const uint64_t times = isolated ? kTimesApart : kTimesHere;
  const uint64_t fixed =
      kProcess + runners * (kEngine + kTimesWeights * weights + kTensorsAlive * whole.largest());
  const uint64_t least = fixed + runners * times * whole.largest();
  if (limit < least) {
    throw Error("--mem-limit " + *typed + " is too little for this model: its weights take " +
                    text_of(weights) + ", its largest output " + text_of(whole.largest()) +
                    ", and " + std::to_string(runners) + " runner(s) need about " + text_of(least),
                "Raise the limit, select fewer outputs, or run one runner at a time, with "
                "--save-outputs and --load-outputs.");
  }
  const uint64_t budget = (limit - fixed) / (runners * times);
  if (whole.all_known() && whole.known_bytes() <= budget) return std::nullopt;
  session.log().info(kModule, "Memory limit: " + text_of(limit) + " | " +
                                  std::to_string(sizes.size()) + " outputs of " +
                                  text_of(whole.known_bytes()) +
                                  (whole.all_known() ? "" : " or more") +
                                  " are run in groups of up to " + text_of(budget));
  return OutputGroups(sizes, budget);
}

std::function<std::vector<std::unique_ptr<Runner>>(const std::vector<std::string>&)>
runners_of_groups(Session& session, const ModelArgs& model, const ModelSource& source,
                  RunnerSettings settings) {
  // A host of its own for each group: engines let go of what they keep beside their sessions.
  const auto host = std::make_shared<std::unique_ptr<PluginHost>>();
  return [&session, &model, &source, settings = std::move(settings),
          host](const std::vector<std::string>& outputs) {
    ModelSource part = source;
    part.outputs = outputs;
    part.exclude_outputs.clear();
    part.outputs_by_type.clear();
    part.also_outputs.clear();
    part.tidy = true;  // engines run nodes that nothing depends on
    *host = std::make_unique<PluginHost>(resolve_plugin_paths(session.env()), session.log());
    if (const Interrupts* interrupts = session.env().interrupts)
      (*host)->cancel_on(interrupts->requested);
    return make_runners(session, model, part, **host, settings);
  };
}

}  // namespace polygraphy::cli
