#include "polygraphy/inspect/data_text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/numpy_text.h"
#include "base/ordered_map.h"
#include "base/text.h"
#include "polygraphy/compare/histogram.h"
#include "polygraphy/compare/statistics.h"
#include "polygraphy/data/iteration_files.h"
#include "polygraphy/data/metadata.h"
#include "polygraphy/data/saved_document.h"

namespace polygraphy {
namespace {

// Saved data that may be spread over files; one file is mapped at a time.
class SavedData {
 public:
  // Where an iteration is: an entry of a file, or an entry of a runner of a file.
  struct Place {
    size_t file, runner, index;
  };

  // The files of a directory are announced, as the original does; a single file is not.
  SavedData(const std::string& path, Logger& log) {
    const bool directory = is_existing_directory(path);
    files_ = directory ? list_iteration_files(path) : std::vector<std::string>{path};
    kind_ = document(0).kind();
    for (size_t file = 0; file < files_.size(); ++file) {
      if (directory)
        announce_loading(log, has_results() ? "inference results" : "input data", files_[file]);
      if (kind_ == SavedDocument::Kind::kResults) {
        add_results(file);
      } else {
        add_feeds(file);
      }
    }
  }

  bool has_results() const { return kind_ == SavedDocument::Kind::kResults; }
  const std::vector<Place>& feeds() const { return feeds_; }
  const OrderedMap<std::vector<Place>>& runners() const { return runners_; }

  OrderedMap<SavedArray> arrays(const Place& place) {
    const SavedDocument& from = document(place.file);
    return has_results() ? from.iteration(place.runner, place.index).outputs
                         : from.feed(place.index);
  }

 private:
  const SavedDocument& document(size_t file) {
    if (!open_ || open_file_ != file) {
      open_.emplace(files_[file]);
      open_file_ = file;
    }
    return *open_;
  }

  void add_results(size_t file) {
    const SavedDocument& from = document(file);
    from.require_results();
    for (size_t runner = 0; runner < from.runners().size(); ++runner) {
      std::vector<Place>& places = runners_[from.runners()[runner].name];
      for (size_t i = 0; i < from.runners()[runner].iterations.size(); ++i)
        places.push_back({file, runner, i});
    }
  }

  void add_feeds(size_t file) {
    const SavedDocument& from = document(file);
    from.require_feeds();
    for (size_t i = 0; i < from.feed_count(); ++i) feeds_.push_back({file, 0, i});
  }

  std::vector<std::string> files_;
  std::optional<SavedDocument> open_;
  size_t open_file_ = 0;
  SavedDocument::Kind kind_;
  std::vector<Place> feeds_;
  OrderedMap<std::vector<Place>> runners_;
};

NumpyPrintOptions print_options(const InspectDataOptions& options) {
  NumpyPrintOptions print;
  print.edge_items =
      options.num_items == -1 ? std::numeric_limits<int64_t>::max() : options.num_items;
  print.line_width = options.line_width;
  return print;
}

// One tensor. `levels`: how far its lines stand in. Line breaks come first, as the original joins
// its pieces.
void append_tensor(std::string& text, const std::string& name, const Array& array, int levels,
                   const InspectDataOptions& options) {
  const Statistics statistics = compute_statistics(array);
  text += indent("\n" + to_text(name, info_of(array)) + " | Stats: " + to_text(statistics), levels);
  if (options.histogram) {
    std::optional<Histogram> histogram;
    if (statistics.computed) {
      ArraySource source(array);
      histogram = compute_own_histogram(source, statistics.min, statistics.max);
    }
    text += "\n" + indent(to_text(histogram), levels + 1);
  }
  if (options.show_values)
    text += "\n" + indent(numpy_str(array, print_options(options)), levels + 1);
}

std::string iterations_text(SavedData& data, const std::vector<SavedData::Place>& places,
                            const InspectDataOptions& options) {
  std::string text;
  const bool numbered = options.all && places.size() > 1;
  const size_t shown = options.all ? places.size() : std::min<size_t>(places.size(), 1);
  for (size_t i = 0; i < shown; ++i) {
    if (numbered) text += "\n-- Iteration: " + std::to_string(i);
    for (const auto& [name, saved] : data.arrays(places[i])) {
      append_tensor(text, name, saved.load(), numbered ? 1 : 0, options);
    }
    if (numbered) text += "\n";
  }
  return text;
}

std::string results_text(SavedData& data, const InspectDataOptions& options) {
  size_t width = 0;
  for (const auto& [name, places] : data.runners()) width = std::max(width, code_points(name));
  std::string text =
      "==== Run Results (" + std::to_string(data.runners().size()) + " runners) ====\n\n";
  for (const auto& [name, places] : data.runners()) {
    text += "---- " + name + std::string(width - code_points(name), ' ') + " (" +
            std::to_string(places.size()) + " iterations) ----\n" +
            iterations_text(data, places, options) + "\n";
  }
  return text;
}

std::string feeds_text(SavedData& data, const InspectDataOptions& options) {
  return "==== Data (" + std::to_string(data.feeds().size()) + " iterations) ====\n" +
         iterations_text(data, data.feeds(), options);
}

}  // namespace

std::string data_text(const std::string& path, const InspectDataOptions& options, Logger& log) {
  SavedData data(path, log);
  return std::string(
      strip(data.has_results() ? results_text(data, options) : feeds_text(data, options)));
}

void inspect_data(const std::string& path, const InspectDataOptions& options, Logger& log) {
  log.info("tools/inspect/subtool/data.py", data_text(path, options, log));
}

}  // namespace polygraphy
