#include "cli/jobs/page_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/jobs/runner_specs.h"
#include "cli/session/plugin_paths.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy::cli {
namespace {

std::vector<std::string> models_of(const ParsedArgs& args) {
  std::vector<std::string> models;
  for (const char* key : {"model_file", "models", "path"}) {
    if (!args.syntax().find(key)) continue;
    for (const std::string& model : args.list(key)) models.push_back(model);
  }
  return models;
}

std::string file_name(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.has_filename() ? file : file.parent_path()).filename().string();
}

const pgb_backend_options* find_backend(PluginHost& host, std::string_view name) {
  for (const pgb_backend_options* backend : host.catalog().tables()) {
    if (backend->name == name) return backend;
  }
  return nullptr;
}

// The library is opened where the runner had it: one in a separate process may crash, or clash with
// another. Packages of the user's Python are in another process anyway.
std::string version_of(PluginHost& host, const pgb_backend_options& backend, const RunnerSpec& spec,
                       const std::string& program) {
  constexpr double kSeconds = 10;
  try {
    if (runs_in_python(backend) || !(spec.isolated || spec.timeout))
      return host.open(spec.backend, spec.library)->info().library_version;
    return isolated_library_version(host, backend, spec.library, {program, kSeconds});
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {  // The run has said why the library is missing.
    return {};
  }
}

// "onnxrt 1.22.0", with the options of the runner.
std::string engine_text(PluginHost& host, const RunnerSpec& given, const std::string& program) {
  const pgb_backend_options* backend = find_backend(host, given.backend);
  if (!backend) return given.label();
  RunnerSpec spec = given;
  spec.name.clear();
  spec.library.clear();
  const std::string version = version_of(host, *backend, given, program);
  return spec.backend + (version.empty() ? "" : " " + version) +
         spec.text().substr(spec.backend.size());
}

std::string engines(Session& session) {
  const ParsedArgs& args = session.args();
  Logger silent;
  const PluginPaths paths = resolve_plugin_paths(session.env());
  PluginHost host(paths, silent);
  RunnerFactory factory({.paths = paths}, silent);
  std::vector<std::string> texts;
  for (const RunnerSpec& spec :
       factory.complete(resolve_runner_specs(args, session.env(), Metadata())))
    texts.push_back(engine_text(host, spec, session.env().executable));
  if (args.syntax().find("--check-run")) {
    for (const std::string& word : args.list("--check-run")) {
      if (find_backend(host, word)) {
        texts.push_back(
            engine_text(host, {.backend = word, .isolated = true}, session.env().executable));
      }
    }
  }
  return join(std::span<const std::string>(texts), ", ");
}

// Of the comparison functions: "simple: atol 1e-05, rtol 1e-05".
std::string tolerances(Session& session) {
  const ParsedArgs& args = session.args();
  if (!args.syntax().find("--noise-floor") || args.has("--noise-floor") || args.has("--validate") ||
      (args.has("--benchmark") && !args.has("--compare")))
    return {};
  CompareOptions comparison;
  resolve_functions(args, session.env(), comparison);
  std::string text;
  for (const Metric* metric : comparison.metrics) {
    if (metric->figures.empty()) continue;
    const Threshold threshold = make_function(*metric, comparison.metric_options)->threshold({});
    const auto names = split(metric->limits, ' ');
    std::string limits;
    for (size_t i = 0; i < std::min(names.size(), threshold.limits.size()); ++i) {
      limits +=
          fmt::format("{}{} {}", limits.empty() ? "" : ", ", names[i], threshold.limits[i].repr());
    }
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", metric->label, limits);
  }
  return text;
}

std::string date(const Environment& env) {
  std::time_t now = std::time(nullptr);
  const std::string epoch(env.variable("SOURCE_DATE_EPOCH"));
  if (!epoch.empty()) now = static_cast<std::time_t>(std::strtoll(epoch.c_str(), nullptr, 10));
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc)};
}

}  // namespace

std::string page_title(const ParsedArgs& args, std::string_view what) {
  std::string title(what);
  const char* link = " of ";
  for (const std::string& model : models_of(args)) {
    title += link + file_name(model);
    link = " and ";
  }
  return title;
}

void identify(Session& session, ReportPage& page) {
  const std::vector<std::string> models = models_of(session.args());
  const auto add = [&](const char* name, const auto& text_of) {
    try {
      if (std::string text = text_of(); !text.empty())
        page.about.emplace_back(name, std::move(text));
    } catch (const Error&) {  // It has ended the command already.
    }
  };
  const char* what = session.args().syntax().find("path") ? "Results" : "Model";
  add(models.size() > 1 ? "Models" : what,
      [&] { return join(std::span<const std::string>(models), ", "); });
  add("Engines", [&] { return engines(session); });
  add("Tolerances", [&] { return tolerances(session); });
  add("Date", [&] { return date(session.env()); });
}

}  // namespace polygraphy::cli
