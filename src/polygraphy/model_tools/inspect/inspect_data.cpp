#include "polygraphy/model_tools/inspect/inspect_data.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/arrays/array.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/glob.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "base/text.h"
#include "numerics/histogram.h"
#include "numerics/statistics.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/saved_document.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {
namespace {

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
  Files(const std::string& path, TorchReader torch)
      : directory_(is_existing_directory(path)), torch_(std::move(torch)) {
    paths_ = directory_ ? list_iteration_files(path) : std::vector{path};
    open(0);
  }

  size_t size() const { return paths_.size(); }
  bool directory() const { return directory_; }
  const std::string& path(size_t file) const { return paths_[file]; }
  const SavedDocument& open(size_t file) {
    if (!document_ || opened_ != file) {
      document_.emplace(paths_[file]).read_torch_with(torch_);
      opened_ = file;
    }
    return *document_;
  }

 private:
  std::vector<std::string> paths_;
  bool directory_;
  TorchReader torch_;
  size_t opened_ = 0;
  std::optional<SavedDocument> document_;
};

class DataText {
 public:
  DataText(Files& files, const InspectDataOptions& options) : files_(files), options_(options) {
    for (const std::string& name : options.tensors) wanted_.emplace_back(name);
  }

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
      for (const auto& [name, saved] : tensors(places[i])) {
        if (shows(name)) tensor(name, saved.load(), headed ? 2 : 1);
      }
      files_.open(places[i].file).release();
      if (headed) text_ += '\n';
    }
  }

  // Names may hold brackets: equal ones count before patterns.
  bool shows(const std::string& name) {
    passed_over_.push_back(name);
    bool wanted = options_.tensors.empty();
    for (size_t i = 0; i < wanted_.size() && !wanted; ++i) {
      wanted = options_.tensors[i] == name || wanted_[i].matches(name);
    }
    if (wanted) passed_over_.pop_back();
    shown_ |= wanted;
    return wanted;
  }

  void check_shown() const {
    if (shown_ || options_.tensors.empty()) return;
    std::vector<std::string_view> names(passed_over_.begin(), passed_over_.end());
    const std::string meant = did_you_mean(options_.tensors.front(), names);
    const std::string message =
        "No tensors match " + py_list_repr(std::span<const std::string>(options_.tensors)) + ".";
    if (meant.empty()) throw Error(kNoSuchSavedTensor, message);
    throw Error(message, meant);
  }

  void tensor(const std::string& name, const Array& array, int level) {
    text_ += indent("\n" + name + " " + brackets_text(info_of(array)) +
                        " | Stats: " + to_text(compute_statistics(array)),
                    level - 1);
    if (options_.histogram) text_ += "\n" + indent(histogram(array), level);
    if (options_.show_values) text_ += "\n" + indent(values(array), level);
  }

  static std::string histogram(const Array& array) {
    if (!has_compute_type(array.dtype())) return "";
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

  std::string finished() {
    check_shown();
    return std::string(strip(indent(text_, 0)));
  }

  Files& files_;
  const InspectDataOptions& options_;
  std::vector<Glob> wanted_;              // options_.tensors
  std::vector<std::string> passed_over_;  // names
  bool shown_ = false;
  std::string text_;
};

// The contents of an accuracy file as text.
class AccuracyText {
 public:
  explicit AccuracyText(bool all) : all_(all) {}

  std::string text(const AccuracyResults& results) {
    std::string body;
    for (const AccuracyResult& comparison : results.comparisons) {
      body += std::string("\n---- Aggregation: ") +
              (comparison.average ? "average" : "per_sample") + " ----\n";
      for (const JudgedPair& one : comparison.pairs) body += pair(one);
    }
    return std::string(
        strip(indent("==== Accuracy Results (" + std::to_string(results.comparisons.size()) +
                         " comparison(s)) ====\n" + body,
                     0)));
  }

 private:
  std::string pair(const JudgedPair& pair) const {
    std::string lines;
    for (size_t i = 0; i < pair.iterations.size(); ++i) {
      if (i == 0 || all_) lines += iteration(i, pair.iterations[i]);
    }
    return indent("\n" + pair.runner0 + " vs. " + pair.runner1 + " | " +
                      std::to_string(pair.matched()) + "/" +
                      std::to_string(pair.iterations.size()) + " iteration(s) matched\n",
                  0) +
           lines + "\n";
  }

  static std::string iteration(size_t index, const JudgedIteration& outputs) {
    std::string lines = indent("\n-- Iteration: " + std::to_string(index), 1);
    for (const auto& [name, judged] : outputs) {
      std::string line = "\n" + name + (judged.passed ? " | PASSED" : " | FAILED");
      std::string_view separator = " | ";
      for (const auto& [figure, value] : known_figures(judged)) {
        line.append(separator).append(figure);
        line += "=" + format_g(value, 5);
        separator = ", ";
      }
      lines += indent(line, 2);
    }
    return lines;
  }

  bool all_;
};

// The files of a directory are of one run: a runner keeps its place among runners of its name.
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
  Files files(path, options.torch);
  std::string text;
  switch (files.open(0).kind()) {
    case SavedDocument::Kind::kResults:
      text = DataText(files, options).results(find_results(files, log));
      break;
    case SavedDocument::Kind::kAccuracy:
      text = AccuracyText(options.all).text(read_accuracy_results(files.open(0).accuracy()));
      break;
    case SavedDocument::Kind::kFeeds:
      text = DataText(files, options).feeds(find_feeds(files, log));
      break;
    case SavedDocument::Kind::kOther:
      throw Error(kNotSavedData, files.path(0) +
                                     ": neither saved inputs, nor results, nor accuracy "
                                     "results.");
  }
  log.info(log_modules::kInspectData, text);
}

}  // namespace polygraphy
