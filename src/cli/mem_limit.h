// --mem-limit: outputs in groups, so that all of them can be compared in little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "cli/args/model.h"
#include "cli/make_runners.h"
#include "cli/session.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/compare/grouped_run.h"
#include "polygraphy/run/output_groups.h"

namespace polygraphy::cli {

// Of --mem-limit, in bytes; 0 without one.
uint64_t memory_limit(const Session& session);

// nullopt: without a limit, or when all outputs fit. `isolated`: runners have processes of their
// own. `first_feed` makes the inputs of the first
// iteration for a model with these. Throws Error for a limit that is too small for the model as
// such.
std::optional<OutputGroups> plan_output_groups(
    Session& session, const ModelSource& source, size_t runners, bool isolated,
    const std::function<std::optional<TensorMap>(const Metadata&)>& first_feed);

// Makes the runners that the command line asks for, of a model with other outputs. They are gone
// before the next are made. `settings.names`: what they are called in every group.
std::function<std::vector<std::unique_ptr<Runner>>(const std::vector<std::string>&)>
runners_of_groups(Session& session, const ModelArgs& model, const ModelSource& source,
                  RunnerSettings settings);

}  // namespace polygraphy::cli
