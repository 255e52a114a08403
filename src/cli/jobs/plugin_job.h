// Common parts of the `plugin` commands.
#pragma once

#include <string>
#include <string_view>

#include "cli/session/session.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/plugin_patterns/match_plugins.h"

namespace polygraphy::cli {

struct PluginJob {
  MatchOptions match;
  Metadata shapes;     // of the model's inputs
  std::string folder;  // where files go that no option names: the model's, or the current one for a
                       // model that comes from a pipe
};

// The model's options, and what --plugin-dir, --include and --exclude say; where the command has
// none of the latter two, all plugins. Throws Error.
PluginJob resolve_plugin_job(Session& session);

// The option's file, else the file `name` in the folder of the job.
struct NamedFile {
  std::string typed;  // as messages show it
  std::string path;
};
NamedFile file_of_job(Session& session, const PluginJob& job, std::string_view option,
                      const std::string& name);
// The same for a file that is written. Throws IoError where the latter is a link.
NamedFile output_of_job(Session& session, const PluginJob& job, std::string_view option,
                        const std::string& name);

}  // namespace polygraphy::cli
