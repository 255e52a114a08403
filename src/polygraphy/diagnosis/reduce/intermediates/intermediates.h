// Types, shapes and values of the tensors of a model on the given inputs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/reduce/intermediates/activation_cache.h"
#include "polygraphy/diagnosis/reduce/intermediates/samples.h"
#include "polygraphy/models/candidates/candidate_folder.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

// The ONNX Runtime that set-up fetched, in a worker: the model that is reduced often crashes it.
// Graph optimizations are off, so that values are those of the operators as they stand. Weights are
// mapped from the files that the model was loaded from.
class SubmodelRunner {
 public:
  // Of parts of `model`. `program`: as Isolation::program. Nothing is started before the first
  // run. `model` and `log` must outlive this. The runtime's own messages
  // appear from VERBOSE on.
  SubmodelRunner(const graphsurgeon::Model& model, std::string program, PluginPaths paths,
                 Logger& log, CancelToken cancel = {});

  // The outputs of `part`, which may have been edited; `feeds` holds its inputs, and may hold more.
  // Throws RunnerFailure (the runtime cannot run it, or crashes), Error, Interrupted.
  ValueMap run(const graphsurgeon::Model& part, const ValueMap& feeds);

 private:
  const graphsurgeon::Model& model_;
  Logger quiet_;
  WorkerClient worker_;
  std::unique_ptr<CandidateFolder> folder_;
};

// Lazy: runs only the nodes that a requested tensor depends on, so that a model that cannot run as
// a whole, or crashes the back end, still has values before the failing node. Thread-safe.
class Intermediates {
 public:
  // The arguments must outlive this. Runs nothing, and reads no input, before the first call.
  Intermediates(const graphsurgeon::Model& model, SubmodelRunner& runner, FeedSource& feeds,
                Logger& log)
      : Intermediates(model, runner, feeds, log, std::make_shared<ActivationCache>()) {}
  // `values`: of others, too, that record the same model in this thread.
  Intermediates(const graphsurgeon::Model& model, SubmodelRunner& runner, FeedSource& feeds,
                Logger& log, std::shared_ptr<ActivationCache> values)
      : model_(model), runner_(runner), log_(log), samples_(feeds), values_(std::move(values)) {}

  // Type and shape of tensors of the main graph on the first sample: inferred, or else found by one
  // run, if possible. Leaves out those that cannot be computed (VERBOSE has the reason) or that are
  // not tensors.
  Metadata describe(const std::vector<std::string>& names);
  // The declared types of tensors of the main graph (declared_types.h), for those without other
  // information. Runs nothing.
  Metadata declared(const std::vector<std::string>& names);
  // The values of these tensors on a sample, as far as they can be computed; sequences, maps and
  // optionals are left out. Throws Error when there is no such sample.
  ArrayMap values(const std::vector<std::string>& names, int64_t sample = 0) {
    return values(names, sample, log_);
  }
  // The same for other threads, with separate loggers.
  ArrayMap values(const std::vector<std::string>& names, int64_t sample, Logger& log);

  // Those on the first sample of tensors of a model that was made from this one. Equal names mean
  // equal tensors, unless that one is_resized(): other tensors are computed from its inputs, and
  // not kept.
  ArrayMap values_in(const graphsurgeon::Model& made, const std::vector<std::string>& names);
  // Whether an input or a weight of a model that was made from this one has other dimensions: then
  // so may have all that comes of them. Throws Error when there is no sample.
  bool is_resized(const graphsurgeon::Model& made);

  // The inputs of the model on a sample; nullopt behind the last.
  std::optional<ValueMap> inputs(int64_t sample);
  // True for more than one sample; the value on the first then says nothing about the others.
  bool several_samples();

 private:
  using Outputs = std::vector<graphsurgeon::TensorRef>;

  const ValueMap* find_sample(int64_t sample);
  const ValueMap& get_sample(int64_t sample);
  ActivationCache::Known& known(int64_t sample);
  void infer();
  ArrayMap find_values(const std::vector<std::string>& names, int64_t sample, Logger& log);
  ArrayMap compute(const Outputs& outputs, int64_t sample, Logger& log);
  ArrayMap run(const Outputs& outputs, int64_t sample);
  bool has_other_dimensions(const graphsurgeon::Model& made);
  ArrayMap inputs_of(const graphsurgeon::Model& made);

  const graphsurgeon::Model& model_;
  SubmodelRunner& runner_;
  Logger& log_;
  std::mutex mutex_;
  Samples samples_;
  std::shared_ptr<ActivationCache> values_;
  std::optional<Metadata> declared_;
  std::map<int64_t, ActivationCache::Known*> known_;  // by sample
  std::set<std::pair<int64_t, std::string>> failed_;  // sample, name: cannot be computed
};

}  // namespace polygraphy
