#include "cli/mem_limit.h"

#include <algorithm>
#include <memory>

#include "cli/args/onnx_loading.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy::cli {

std::optional<MemoryLimit> resolve_memory_limit(Session& session, const ModelArgs& model,
                                                const ModelSource& source,
                                                const RunnerSettings& settings) {
  const auto typed = session.args().text("--mem-limit");
  if (!typed) return std::nullopt;
  MemoryLimit limit;
  limit.bytes = static_cast<uint64_t>(std::max<int64_t>(parse_bytes(*typed), 0));
  limit.text = "--mem-limit " + *typed;
  limit.isolated = settings.isolation.has_value();
  limit.load_model = [&source] {
    Logger quiet;
    return load_onnx(source, quiet);
  };
  // A host of its own for each group: runtimes let go of what they keep beside their sessions.
  const auto host = std::make_shared<std::unique_ptr<PluginHost>>();
  limit.make_runners = [&session, &model, &source, settings, host](
                           const std::vector<std::string>& names,
                           const std::vector<std::string>& outputs) {
    ModelSource part = source;
    part.outputs = outputs;
    part.exclude_outputs.clear();
    part.outputs_by_type.clear();
    part.also_outputs.clear();
    part.tidy = true;  // runtimes run nodes that no output depends on, too
    *host = std::make_unique<PluginHost>(resolve_plugin_paths(session.env()), session.log());
    (*host)->cancel_on(cancel_token(session.env()));
    RunnerSettings named = settings;
    named.names = names;
    return make_runners(session, model, part, **host, named);
  };
  return limit;
}

}  // namespace polygraphy::cli
