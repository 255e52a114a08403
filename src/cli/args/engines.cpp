// Stands where the back ends' own groups of options come in a command.
#include "cli/args/engines.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace polygraphy::cli {

constinit const ArgGroup args_engines = {
    .title = {}, .summary = {}, .options = {}, .from_backends = FromBackends::kOptions};

std::string library_option(const pgb_backend_options& backend) {
  if (!backend.library_option) return {};
  return std::string(split(backend.library_option, ' ').front());
}

BackendOptions resolve_backend_options(const ParsedArgs& args, const Environment& env,
                                       const pgb_backend_options& backend) {
  BackendOptions result;
  for (const auto& entry : args.syntax().entries()) {
    if (args.syntax().sections()[entry.section].backend != &backend || !entry.backend) continue;
    const pgb_option_spec& spec = *entry.backend;
    auto occurrences = args.all(entry.key());
    if (occurrences.empty() && spec.required) {
      throw Error(std::string(split(backend.flags, ' ').front()) + " needs " + entry.display());
    }
    if (!spec.repeats && occurrences.size() > 1) {
      occurrences.erase(occurrences.begin(), occurrences.end() - 1);
    }
    for (std::vector<std::string>& values : occurrences) {
      if (spec.type == PGB_PATH || spec.type == PGB_FOLDER) {
        for (std::string& value : values) value = env.path(value);
      }
      result.emplace_back(spec.key, std::move(values));
    }
  }
  return result;
}

}  // namespace polygraphy::cli
