#include "polygraphy/data/results/combine_files.h"

#include <memory>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "formats/array_json.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/results/results_json.h"
#include "polygraphy/data/results/saved_document.h"

namespace polygraphy {
namespace {

using Tensors = OrderedMap<SavedArray>;
using DocumentKind = SavedDocument::Kind;

// Files of saved data, all mapped.
class Documents {
 public:
  explicit Documents(const std::string& path) : path_(path) {
    for (const std::string& file :
         is_existing_directory(path) ? list_iteration_files(path) : std::vector{path}) {
      documents_.push_back(std::make_unique<SavedDocument>(file));
      const DocumentKind kind = documents_.back()->kind();
      if (kind != DocumentKind::kFeeds && kind != DocumentKind::kResults) {
        throw Error(kNoSavedTensors, file + ": neither saved inputs nor results.",
                    "Expected a file or directory of saved inputs or outputs.");
      }
    }
  }

  const std::string& path() const { return path_; }
  const std::vector<std::unique_ptr<SavedDocument>>& all() const { return documents_; }

 private:
  std::string path_;
  std::vector<std::unique_ptr<SavedDocument>> documents_;
};

std::vector<Documents> open_all(const std::vector<std::string>& paths) {
  std::vector<Documents> all;
  for (const std::string& path : paths) all.emplace_back(path);
  return all;
}

// Keeps what the maps of the sources take within bounds while a file is written from them.
class Releases {
 public:
  explicit Releases(const std::vector<Documents>& sources) : sources_(sources) {}

  // Reports the position of the output.
  void at(uint64_t position) {
    constexpr uint64_t kStep = uint64_t{64} << 20;
    if (position - last_ < kStep) return;
    last_ = position;
    for (const Documents& documents : sources_) {
      for (const auto& document : documents.all()) document->release();
    }
  }
  void after(const Array& array) { at(arrays_ += static_cast<uint64_t>(array.nbytes())); }

 private:
  const std::vector<Documents>& sources_;
  uint64_t last_ = 0, arrays_ = 0;
};

// One array in memory at a time.
void add_all(StoreWriter& store, const Tensors& tensors, Releases& releases) {
  for (const auto& [name, array] : tensors) {
    const Array loaded = array.load();
    store.add(name, loaded);
    releases.after(loaded);
  }
}

// A file of feeds being written.
void write_feeds(const std::vector<Tensors>& feeds, const std::vector<Documents>& sources,
                 const std::string& output, Logger& log) {
  Releases releases(sources);
  announce_file(log, "input file containing " + std::to_string(feeds.size()) + " iteration(s)",
                output);
  if (is_store_target(output)) {
    StoreWriter store(output, std::nullopt);
    for (const Tensors& feed : feeds) {
      store.begin_feed(feed.size());
      add_all(store, feed, releases);
    }
    store.finish();
    return;
  }
  JsonFile out(output);
  JsonWriter& json = out.json;
  json.begin_array();
  for (const Tensors& feed : feeds) {
    json.begin_object();
    for (const auto& [name, array] : feed) {
      json.key(name);
      write_saved_array(json, array);
      releases.at(out.file.position());
    }
    json.end_object();
  }
  json.end_array();
  out.file.commit();
}

// The feeds of `documents`, track by track: inputs are one track, results one per runner.
std::vector<std::vector<Tensors>> tracks_of(const Documents& documents) {
  std::vector<std::vector<Tensors>> tracks;
  std::vector<std::string> names;  // of runners; of a directory, they go on from file to file
  for (const auto& document : documents.all()) {
    if (document->kind() == DocumentKind::kFeeds) {
      if (tracks.empty()) tracks.emplace_back();
      for (size_t i = 0; i < document->feed_count(); ++i) {
        tracks.front().push_back(document->feed(i));
      }
      document->release();
      continue;
    }
    size_t at = 0;
    for (size_t runner = 0; runner < document->runners().size(); ++runner, ++at) {
      const SavedDocument::Runner& saved = document->runners()[runner];
      while (at < names.size() && names[at] != saved.name) ++at;
      if (at == names.size()) {
        names.push_back(saved.name);
        tracks.resize(names.size());
      }
      for (size_t i = 0; i < saved.iterations.size(); ++i) {
        tracks[at].push_back(document->iteration(runner, i).outputs);
      }
      document->release();
    }
  }
  return tracks;
}

void merge_track(std::vector<Tensors>& feeds, std::vector<Tensors> track, const std::string& path,
                 Logger& log) {
  if (!feeds.empty() && feeds.size() != track.size()) {
    log.warning(log_modules::kMerge,
                "The provided files have different numbers of iterations.\nNote: Inputs currently "
                "contains " +
                    std::to_string(feeds.size()) + " iterations, but the data in " + path +
                    " contains " + std::to_string(track.size()) +
                    " iterations. Some iterations will contain incomplete data. ");
  }
  if (feeds.size() < track.size()) feeds.resize(track.size());
  for (size_t i = 0; i < track.size(); ++i) {
    for (auto& [name, array] : track[i]) {
      if (feeds[i].contains(name)) {
        log.warning(log_modules::kMerge,
                    "Overwriting input '" + name + "' while merging data from " + path +
                        ". If you intended to concatenate iterations, consider using `data "
                        "concat` instead.",
                    Once::kYes);
      }
      feeds[i].set(name, std::move(array));
    }
  }
}

// Warns of iterations whose tensors are named differently than those before them.
class NameCheck {
 public:
  explicit NameCheck(Logger& log) : log_(log) {}

  void check(const Tensors& tensors, size_t iteration, const std::string& path) {
    std::vector<std::string> names;
    for (const auto& [name, array] : tensors) names.push_back(name);
    if (!known_) {
      known_ = true;
      expected_ = std::move(names);
    } else if (names != expected_) {
      log_.warning(log_modules::kConcat,
                   "Iteration " + std::to_string(iteration) + " from " + path +
                       " contains different tensor names than earlier iterations.\nNote: Expected "
                       "names: " +
                       py_list_repr(expected_) + ", but got: " + py_list_repr(names) + ".");
    }
  }

 private:
  Logger& log_;
  bool known_ = false;
  std::vector<std::string> expected_;
};

void concat_feeds(const std::vector<Documents>& sources, const std::string& output, Logger& log) {
  std::vector<Tensors> feeds;
  NameCheck names(log);
  for (const Documents& source : sources) {
    size_t iteration = 0;
    for (const auto& document : source.all()) {
      for (size_t i = 0; i < document->feed_count(); ++i) {
        feeds.push_back(document->feed(i));
        names.check(feeds.back(), iteration++, source.path());
      }
      document->release();
    }
  }
  write_feeds(feeds, sources, output, log);
}

struct JoinedRunner {
  explicit JoinedRunner(Logger& log) : names(log) {}
  NameCheck names;
  std::vector<SavedIteration> iterations;
};

void concat_results(const std::vector<Documents>& sources, const std::string& output, Logger& log) {
  OrderedMap<std::unique_ptr<JoinedRunner>> runners;
  for (const Documents& source : sources) {
    OrderedMap<size_t> counts;  // of this path, by runner
    for (const auto& document : source.all()) {
      for (size_t r = 0; r < document->runners().size(); ++r) {
        const SavedDocument::Runner& saved = document->runners()[r];
        std::unique_ptr<JoinedRunner>& runner = runners[saved.name];
        if (!runner) runner = std::make_unique<JoinedRunner>(log);
        for (size_t i = 0; i < saved.iterations.size(); ++i) {
          runner->iterations.push_back(document->iteration(r, i));
          runner->names.check(runner->iterations.back().outputs, counts[saved.name]++,
                              source.path());
        }
        document->release();
      }
    }
  }
  Releases releases(sources);
  announce_file(log, "output file containing concatenated iteration(s)", output);
  if (is_store_target(output)) {
    std::vector<std::string> names;
    for (const auto& [name, runner] : runners) names.push_back(name);
    StoreWriter store(output, std::move(names));
    size_t at = 0;
    for (const auto& [name, runner] : runners) {
      for (const SavedIteration& iteration : runner->iterations) {
        store.begin_result(at, iteration.runtime, iteration.outputs.size());
        add_all(store, iteration.outputs, releases);
      }
      ++at;
    }
    store.finish();
    return;
  }
  JsonFile out(output);
  JsonWriter& json = out.json;
  begin_results(json);
  for (const auto& [name, runner] : runners) {
    begin_runner(json, name);
    for (const SavedIteration& iteration : runner->iterations) {
      write_saved_iteration(json, iteration);
      releases.at(out.file.position());
    }
    end_runner(json);
  }
  end_results(json);
  out.file.commit();
}

}  // namespace

void merge_saved_files(const std::vector<std::string>& paths, const std::string& output,
                       Logger& log) {
  const std::vector<Documents> sources = open_all(paths);
  std::vector<Tensors> feeds;
  for (const Documents& source : sources) {
    for (auto& track : tracks_of(source)) merge_track(feeds, std::move(track), source.path(), log);
  }
  write_feeds(feeds, sources, output, log);
}

void concat_saved_files(const std::vector<std::string>& paths, const std::string& output,
                        Logger& log) {
  const std::vector<Documents> sources = open_all(paths);
  bool feeds = false, results = false;
  for (const Documents& source : sources) {
    for (const auto& document : source.all()) {
      (document->kind() == DocumentKind::kFeeds ? feeds : results) = true;
    }
  }
  if (feeds && results) {
    throw Error(
        "Cannot concatenate input data with output data. Please provide files of the same type.");
  }
  if (results) {
    concat_results(sources, output, log);
  } else {
    concat_feeds(sources, output, log);
  }
}

}  // namespace polygraphy
