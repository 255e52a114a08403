#include "polygraphy/model_tools/inspect/inspect_tactics.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTacticReplay = "tactic replay file";

using Algorithms = std::vector<TacticAlgorithm>;

bool contains(const Algorithms* algorithms, const TacticAlgorithm& wanted) {
  return algorithms &&
         std::find(algorithms->begin(), algorithms->end(), wanted) != algorithms->end();
}

// Sorted; `path` itself if it is not a folder. Skips entries other than regular files, because a
// pipe may have no end.
std::vector<std::string> files_below(const std::string& path) {
  try {
    if (fs::exists(path) && !fs::is_directory(path)) return {path};
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      std::error_code dangling;
      if (entry.is_regular_file(dangling) || dangling) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
  } catch (const fs::filesystem_error& error) {
    throw IoError("cannot search for tactic replays in '" + path + "': " + error.code().message(),
                  "Give a folder of good replays and a folder of bad ones, or two files.");
  }
}

// Every algorithm of every layer, once. `optional`: a missing path has no replays.
SuspectTactics load_tactics(const std::string& path, std::string_view which, bool optional,
                            Logger& log) {
  SuspectTactics tactics;
  std::vector<std::string> replays;
  std::error_code ignored;
  const bool missing = optional && !fs::exists(path, ignored);
  for (const std::string& file : missing ? std::vector<std::string>() : files_below(path)) {
    announce_loading(log, kTacticReplay, file);
    TacticReplay replay;
    try {
      replay = load_tactic_replay(file);
    } catch (const Error& error) {
      log.verbose(log_modules::kDiffTactics,
                  file + " does not look like a tactic replay file, skipping.");
      // In a folder there may be others. This one was meant.
      if (file == path) log.warning(log_modules::kDiffTactics, error.what());
      continue;
    }
    replays.push_back(file);
    for (const auto& [layer, algorithm] : replay) {
      Algorithms& known = tactics[layer];
      if (!contains(&known, algorithm)) known.push_back(algorithm);
    }
  }
  if (replays.empty()) {
    log.warning(log_modules::kDiffTactics,
                "No tactic replays in '" + path + "': " +
                    (which == "good" ? "all tactics of the bad replays are suspect."
                                     : "no tactics are suspect."));
  }
  log.info(log_modules::kDiffTactics, "Loaded " + std::to_string(replays.size()) + " " +
                                          std::string(which) + " tactic replays.");
  log.verbose(log_modules::kDiffTactics, (which == "good" ? "Good" : "Bad") +
                                             std::string(" tactic replays: ") +
                                             py_list_repr(std::span<const std::string>(replays)));
  return tactics;
}

void show(const SuspectTactics& suspects, Logger& log) {
  if (suspects.empty()) {
    log.info(log_modules::kDiffTactics,
             "Could not determine potentially bad tactics. Try providing more tactic replay files "
             "if possible.");
    return;
  }
  log.info(log_modules::kDiffTactics, "Found potentially bad tactics:");
  for (const auto& [layer, algorithms] : suspects) {
    std::vector<std::string> texts;
    for (const TacticAlgorithm& algorithm : algorithms) texts.push_back(to_text(algorithm));
    log.info(log_modules::kDiffTactics, "Layer: " + layer + "\n    Algorithms: " +
                                            py_list_repr(std::span<const std::string>(texts)));
  }
}

}  // namespace

TacticReplay inspect_tactics(const std::string& path, Logger& log) {
  announce_loading(log, kTacticReplay, path);
  TacticReplay replay = load_tactic_replay(path);
  std::string text;
  for (const auto& [layer, algorithm] : replay) {
    text +=
        (text.empty() ? "Layer: " : "\nLayer: ") + layer + "\n    Algorithm: " + to_text(algorithm);
  }
  log.info(log_modules::kTactics, text);
  return replay;
}

SuspectTactics diff_tactics(const DiffTactics& options, Logger& log) {
  std::error_code ignored;
  const bool any = options.one_may_miss &&
                   (fs::exists(options.good, ignored) || fs::exists(options.bad, ignored));
  const SuspectTactics good = load_tactics(options.good, "good", any, log);
  SuspectTactics suspects;
  for (const auto& [layer, algorithms] : load_tactics(options.bad, "bad", any, log)) {
    Algorithms left;
    for (const TacticAlgorithm& algorithm : algorithms) {
      if (!contains(good.find(layer), algorithm)) left.push_back(algorithm);
    }
    if (!left.empty()) suspects.set(layer, std::move(left));
  }
  show(suspects, log);
  return suspects;
}

}  // namespace polygraphy
