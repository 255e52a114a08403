#include "polygraphy/inspect/data_text.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "base/array.h"
#include "base/error.h"
#include "base/numpy_text.h"
#include "base/text.h"
#include "polygraphy/compare/histogram.h"
#include "polygraphy/compare/statistics.h"
#include "polygraphy/data/iteration_files.h"
#include "polygraphy/data/metadata.h"
#include "polygraphy/data/saved_document.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "tools/inspect/subtool/data.py";

using Tensors = OrderedMap<SavedArray>;

// One iteration of a file: opened when its turn comes.
struct Place {
  size_t file, runner, iteration;  // runner: of results only
};

// A runner and where its iterations lie. Names may occur twice.
using RunnerPlaces = std::pair<std::string, std::vector<Place>>;

// The files of a path. The one used last stays open.
class Files {
 public:
  explicit Files(const std::string& path) : directory_(is_existing_directory(path)) {
    paths_ = directory_ ? list_iteration_files(path) : std::vector{path};
    open(0);
  }

  size_t size() const { return paths_.size(); }
  bool directory() const { return directory_; }
  const std::string& path(size_t file) const { return paths_[file]; }
  const SavedDocument& open(size_t file) {
    if (!document_ || opened_ != file) {
      document_.emplace(paths_[file]);
      opened_ = file;
    }
    return *document_;
  }

 private:
  std::vector<std::string> paths_;
  bool directory_;
  size_t opened_ = 0;
  std::optional<SavedDocument> document_;
};

class DataText {
 public:
  DataText(Files& files, const InspectDataOptions& options) : files_(files), options_(options) {}

  std::string feeds(const std::vector<Place>& places) {
    text_ = "==== Data (" + std::to_string(places.size()) + " iterations) ====\n";
    iterations(places, [this](const Place& p) { return files_.open(p.file).feed(p.iteration); });
    return finished();
  }

  std::string results(const std::vector<RunnerPlaces>& runners) {
    text_ = "==== Run Results (" + std::to_string(runners.size()) + " runners) ====\n\n";
    size_t width = 0;
    for (const auto& [name, places] : runners) width = std::max(width, code_points(name));
    for (const auto& [name, places] : runners) {
      text_ += "---- " + name + std::string(width - code_points(name), ' ') + " (" +
               std::to_string(places.size()) + " iterations) ----\n";
      iterations(places, [this](const Place& p) {
        return files_.open(p.file).iteration(p.runner, p.iteration).outputs;
      });
      text_ += '\n';
    }
    return finished();
  }

 private:
  void iterations(const std::vector<Place>& places,
                  const std::function<Tensors(const Place&)>& tensors) {
    const bool headed = options_.all && places.size() > 1;
    for (size_t i = 0; i < places.size() && (i == 0 || options_.all); ++i) {
      if (headed) text_ += "\n-- Iteration: " + std::to_string(i);
      for (const auto& [name, saved] : tensors(places[i]))
        tensor(name, saved.load(), headed ? 2 : 1);
      if (headed) text_ += '\n';
    }
  }

  void tensor(const std::string& name, const Array& array, int level) {
    text_ += indent("\n" + name + " " + brackets_text(info_of(array)) +
                        " | Stats: " + to_text(compute_statistics(array)),
                    level - 1);
    if (options_.histogram) text_ += "\n" + indent(histogram(array), level);
    if (options_.show_values) text_ += "\n" + indent(values(array), level);
  }

  static std::string histogram(const Array& array) {
    if (!has_lane(array.dtype())) return "";
    ArraySource source(array);
    return to_text(compute_histogram(source));
  }

  std::string values(const Array& array) const {
    NumpyPrintOptions options;
    if (options_.num_items == -1) {
      options.threshold = -1;
    } else {
      options.edge_items = options_.num_items;
    }
    options.line_width = options_.line_width;
    return numpy_str(array, options);
  }

  std::string finished() { return std::string(strip(indent(text_, 0))); }

  Files& files_;
  const InspectDataOptions& options_;
  std::string text_;
};

// One output's result in an accuracy file.
struct OutputResult {
  std::optional<bool> verdict;                          // stored
  std::vector<std::pair<std::string, double>> metrics;  // in the file's order
  OrderedMap<double> thresholds;                        // their numbers
  std::string error_stat;

  std::optional<double> metric(std::string_view name) const {
    for (const auto& [metric, value] : metrics) {
      if (metric == name) return value;
    }
    return std::nullopt;
  }

  // The verdict, from the metrics where it is not stored (delta §4.1, spec S3.2).
  bool passed() const {
    if (verdict) return *verdict;
    const auto within = [this](const std::string& difference, std::string_view tolerance) {
      const auto value = metric(error_stat + difference);
      const double* limit = thresholds.find(tolerance);
      return value && limit != nullptr && *value <= *limit;
    };
    if (!error_stat.empty()) return within("_absdiff", "atol") || within("_reldiff", "rtol");
    const double* threshold = thresholds.find("threshold");
    if (threshold == nullptr) return false;
    if (metrics.empty()) return is_lpips;  // could not be computed
    const auto& [name, value] = metrics.front();
    const bool higher_is_better = name == "cosine_similarity" || name == "psnr" || name == "snr";
    return higher_is_better ? value >= *threshold : value <= *threshold;
  }

  bool is_lpips = false;
};

// Reads the objects of an accuracy file (delta §6.3).
class AccuracyText {
 public:
  AccuracyText(JsonReader json, bool all) : json_(std::move(json)), all_(all) {}

  std::string text() {
    size_t comparisons = 0;
    std::string body;
    json_.enter_array();
    for (; json_.next_element(); ++comparisons) body += comparison();
    return std::string(strip(indent(
        "==== Accuracy Results (" + std::to_string(comparisons) + " comparison(s)) ====\n" + body,
        0)));
  }

 private:
  using Type = JsonReader::Type;
  using Iteration = std::vector<std::pair<std::string, OutputResult>>;

  // {"lst": [[[runner, runner], [iteration, …]], …], "aggregation": …}
  std::string comparison() {
    std::string aggregation, pairs, marker;
    json_.enter_object();
    for (std::string key; json_.next_key(key);) {
      const Type type = json_.peek();
      if (read_marker(json_, key, marker)) continue;
      if (key == "lst" && type == Type::kArray) {
        json_.enter_array();
        while (json_.next_element()) pairs += pair();
      } else if (key == "aggregation" && type == Type::kString) {
        aggregation = json_.read_string();
      } else {
        json_.skip_value();
      }
    }
    return "\n---- Aggregation: " + aggregation + " ----\n" + pairs;
  }

  std::string pair() {
    std::vector<std::string> runners;
    std::vector<Iteration> iterations;
    json_.enter_array();
    for (size_t i = 0; json_.next_element(); ++i) {
      if (i > 1) {
        json_.skip_value();
        continue;
      }
      json_.enter_array();
      while (json_.next_element()) {
        if (i == 0) {
          runners.push_back(json_.read_string());
        } else {
          iterations.push_back(iteration());
        }
      }
    }
    runners.resize(2);
    size_t matched = 0;
    std::string lines;
    for (size_t i = 0; i < iterations.size(); ++i) {
      matched += std::all_of(iterations[i].begin(), iterations[i].end(),
                             [](const auto& output) { return output.second.passed(); });
      if (i == 0 || all_) lines += iteration_lines(i, iterations[i]);
    }
    return indent("\n" + runners[0] + " vs. " + runners[1] + " | " + std::to_string(matched) + "/" +
                      std::to_string(iterations.size()) + " iteration(s) matched\n",
                  0) +
           lines + "\n";
  }

  static std::string iteration_lines(size_t index, const Iteration& outputs) {
    std::string lines = indent("\n-- Iteration: " + std::to_string(index), 1);
    for (const auto& [name, result] : outputs) {
      std::string line = "\n" + name + (result.passed() ? " | PASSED" : " | FAILED");
      for (size_t i = 0; i < result.metrics.size(); ++i) {
        line += (i == 0 ? " | " : ", ") + result.metrics[i].first + "=" +
                format_g(result.metrics[i].second, 5);
      }
      lines += indent(line, 2);
    }
    return lines;
  }

  Iteration iteration() {
    Iteration outputs;
    json_.enter_object();
    for (std::string name; json_.next_key(name);) {
      OutputResult result;
      if (json_.peek() == Type::kBool) {
        result.verdict = json_.read_bool();
      } else {
        read_result(result);
      }
      outputs.emplace_back(std::move(name), std::move(result));
    }
    return outputs;
  }

  void read_result(OutputResult& result) {
    std::string marker;
    json_.enter_object();
    for (std::string key; json_.next_key(key);) {
      const Type type = json_.peek();
      if (read_marker(json_, key, marker)) continue;
      if (type == Type::kNumber) {
        result.metrics.emplace_back(key, json_.read_number());
      } else if (key == "passed" && type == Type::kBool) {
        result.verdict = json_.read_bool();
      } else if (key == "thresholds" && type == Type::kObject) {
        read_thresholds(result);
      } else {
        json_.skip_value();
      }
    }
    result.is_lpips = marker == "PerceptualMetricsResult";
  }

  void read_thresholds(OutputResult& result) {
    json_.enter_object();
    for (std::string key; json_.next_key(key);) {
      const Type type = json_.peek();
      if (type == Type::kNumber) {
        result.thresholds.set(key, json_.read_number());
      } else if (key == "check_error_stat" && type == Type::kString) {
        result.error_stat = json_.read_string();
      } else {
        json_.skip_value();
      }
    }
  }

  JsonReader json_;
  bool all_;
};

// The files of a directory are of one run: a runner keeps its place among those of its name.
std::vector<RunnerPlaces> find_results(Files& files, Logger& log) {
  std::vector<RunnerPlaces> all;
  for (size_t file = 0; file < files.size(); ++file) {
    if (files.directory()) announce_loading(log, "inference results", files.path(file));
    const SavedDocument& document = files.open(file);
    document.require_results();
    size_t at = 0;
    for (size_t r = 0; r < document.runners().size(); ++r, ++at) {
      const SavedDocument::Runner& runner = document.runners()[r];
      while (at < all.size() && all[at].first != runner.name) ++at;
      if (at == all.size()) all.emplace_back(runner.name, std::vector<Place>{});
      for (size_t i = 0; i < runner.iterations.size(); ++i) all[at].second.push_back({file, r, i});
    }
  }
  return all;
}

std::vector<Place> find_feeds(Files& files, Logger& log) {
  std::vector<Place> places;
  for (size_t file = 0; file < files.size(); ++file) {
    if (files.directory()) announce_loading(log, "input data", files.path(file));
    const SavedDocument& document = files.open(file);
    document.require_feeds();
    for (size_t i = 0; i < document.feed_count(); ++i) places.push_back({file, 0, i});
  }
  return places;
}

}  // namespace

void inspect_data(const std::string& path, const InspectDataOptions& options, Logger& log) {
  Files files(path);
  std::string text;
  switch (files.open(0).kind()) {
    case SavedDocument::Kind::kResults:
      text = DataText(files, options).results(find_results(files, log));
      break;
    case SavedDocument::Kind::kAccuracy:
      text = AccuracyText(files.open(0).accuracy(), options.all).text();
      break;
    case SavedDocument::Kind::kFeeds:
      text = DataText(files, options).feeds(find_feeds(files, log));
      break;
    case SavedDocument::Kind::kOther:
      throw Error(files.path(0) + ": neither saved inputs, nor results, nor accuracy results.",
                  "Expected a file or directory as written by --save-inputs, --save-outputs or "
                  "--save-accuracy-results.");
  }
  log.info(kModule, text);
}

}  // namespace polygraphy
