// Groups of options that several jobs have, as the Python side gives them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "api/job.h"
#include "api/keywords.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/fold_model.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace native {

// Where plugins and libraries are looked for.
polygraphy::PluginPaths plugin_paths(const Keywords& places);

// Options of folding, without an evaluator.
polygraphy::FoldModelOptions fold_options(const Keywords& keywords);

// Shapes (and types) by name: a dict of (type's name or None, dimensions or None).
polygraphy::Metadata metadata_of_dict(PyObject* dict);
// Ranges of generated values by input: a dict of (lowest, highest). Throws PythonError.
polygraphy::OrderedMap<std::pair<double, double>> ranges_of_dict(PyObject* dict);

// Inputs of inferences: generated ones, saved ones, or those that an iterable of Python gives.
class GivenInputs {
 public:
  // `keywords`: a dict with `feeds` (an iterable of dicts of names and values, or None), `files`,
  // `seed`, `iterations`, `val_range`, `shapes`, `valid`. Python objects that it keeps must go
  // where the interpreter's lock is held.
  explicit GivenInputs(const Keywords& keywords);

  // How inputs are generated where none are given; valid ones are such for the graph of `source`,
  // which must outlive the options.
  polygraphy::DataLoaderOptions generated(const polygraphy::ModelSource& source) const;
  // Whether they are not generated.
  bool are_given() const { return feeds_ || !files_.empty(); }
  const std::vector<std::string>& files() const { return files_; }
  // Whether the user says something about their values: gives them, or shapes or ranges.
  bool are_described() const {
    return are_given() || !generated_.shapes.empty() || !generated_.val_range.empty();
  }
  // Throws Error for a name that no input of the model has, in shapes, ranges, or feeds that an
  // iterator need not make.
  void check_names(const polygraphy::ModelSource& source) const;
  // The inputs from the beginning; of an iterator, the remaining ones. The job reads them.
  std::unique_ptr<polygraphy::FeedSource> open(Job& job,
                                               const polygraphy::ModelSource& source) const;

 private:
  PyRef feeds_;  // null: none
  std::vector<std::string> files_;
  polygraphy::DataLoaderOptions generated_;
  bool valid_ = false;
};

}  // namespace native
