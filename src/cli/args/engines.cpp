// Stands where the back ends' own groups of options come in a command.
#include "cli/args/engines.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy::cli {
namespace {

// "x:[n,3]" -> "x:[-1,3]".
void resolve_shapes(std::vector<std::string>& values) {
  std::vector<std::string> resolved;
  for (const auto& [name, info] : parse_metadata(values, {.shape = true, .dtype = false})) {
    if (!info.shape) continue;  // "x:auto"
    std::string text;
    for (const Dim& dim : *info.shape) {
      text += (text.empty() ? "" : ",") + std::to_string(dim.is_static() ? dim.value() : -1);
    }
    resolved.push_back(name + ":[" + text + "]");
  }
  values = std::move(resolved);
}

// "workspace:1G" -> "workspace:1073741824".
void resolve_sizes(std::vector<std::string>& values) {
  for (std::string& value : values) {
    const size_t bytes = value.rfind(':') + 1;
    value = value.substr(0, bytes) + std::to_string(parse_bytes(value.substr(bytes)));
  }
}

void resolve(std::vector<std::string>& values, int32_t type, const Environment& env) {
  switch (type) {
    case PGB_PATH:
    case PGB_FOLDER:
    case PGB_WRITTEN_FILE:
    case PGB_UPDATED_FILE:
    case PGB_WRITTEN_FOLDER:
      for (std::string& value : values) value = env.path(value);
      break;
    case PGB_SHAPE:
      resolve_shapes(values);
      break;
    case PGB_SIZE:
      resolve_sizes(values);
      break;
    default:
      break;
  }
}

}  // namespace

extern constinit const ArgGroup args_engines = {
    .title = {}, .summary = {}, .options = {}, .from_backends = FromBackends::kOptions};

std::string library_option(const pgb_backend_options& backend) {
  if (!backend.library_option) return {};
  return std::string(split(backend.library_option, ' ').front());
}

BackendOptions resolve_backend_options(const ParsedArgs& args, const Environment& env,
                                       const pgb_backend_options& backend) {
  BackendOptions result;
  for (const auto& entry : args.syntax().entries()) {
    if (args.syntax().section_of(entry).backend != &backend || !entry.backend) continue;
    const pgb_option_spec& spec = *entry.backend;
    auto occurrences = args.all(entry.key());
    if (occurrences.empty() && spec.required) {
      throw Error(std::string(split(backend.flags, ' ').front()) + " needs " + entry.display());
    }
    if (!spec.repeats && occurrences.size() > 1) {
      occurrences.erase(occurrences.begin(), occurrences.end() - 1);
    }
    for (std::vector<std::string>& values : occurrences) {
      resolve(values, spec.type, env);
      result.emplace_back(spec.key, std::move(values));
    }
  }
  return result;
}

RunnerSpec resolve_backend_spec(const ParsedArgs& args, const Environment& env,
                                const pgb_backend_options& backend) {
  RunnerSpec spec{.backend = backend.name,
                  .session = {.options = resolve_backend_options(args, env, backend)}};
  if (const std::string option = library_option(backend); args.syntax().find(option))
    spec.library = env.path(args.text(option).value_or(""));
  return spec;
}

}  // namespace polygraphy::cli
