#include "cli/jobs/page_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/metric.h"

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

// "onnxrt 1.22.0", with the options of the runner.
std::string engine_text(RunnerSpec spec, const std::string& version) {
  if (spec.backend.empty()) return spec.label();
  spec.name.clear();
  spec.library.clear();
  spec.session.inputs = {};
  return spec.backend + (version.empty() ? "" : " " + version) +
         spec.text().substr(spec.backend.size());
}

// Of the comparison functions: "simple: atol 1e-05, rtol 1e-05".
std::string tolerances(Session& session) {
  const ParsedArgs& args = session.args();
  if (!args.syntax().find("--noise-floor") || args.has("--noise-floor") || args.has("--metric") ||
      args.has("--validate") || (args.has("--benchmark") && !args.has("--compare")))
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

PageEngines::~PageEngines() {
  if (!page_) return;
  std::vector<std::string> texts;
  for (const RunnerSpec& spec : specs_) texts.push_back(engine_text(spec, factory_.version(spec)));
  if (!texts.empty())
    page_->about.emplace_back("Engines", join(std::span<const std::string>(texts), ", "));
}

void identify(Session& session, ReportPage& page) {
  const std::vector<std::string> models = models_of(session.args());
  // The command has added its engines.
  const auto add = [&](const char* name, const auto& text_of, size_t place) {
    try {
      if (std::string text = text_of(); !text.empty())
        page.about.emplace(page.about.begin() + place, name, std::move(text));
    } catch (const Error&) {  // It has ended the command already.
    }
  };
  if (!models.empty()) page.file = models.front();
  const char* what = session.args().syntax().find("path") ? "Results" : "Model";
  add(
      models.size() > 1 ? "Models" : what,
      [&] { return join(std::span<const std::string>(models), ", "); }, 0);
  add("Tolerances", [&] { return tolerances(session); }, page.about.size());
  add("Date", [&] { return date(session.env()); }, page.about.size());
}

}  // namespace polygraphy::cli
