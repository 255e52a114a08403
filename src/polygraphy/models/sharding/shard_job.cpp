#include "polygraphy/models/sharding/shard_job.h"

#include <memory>
#include <span>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/sharding/shard_hints.h"
#include "polygraphy/models/sharding/shard_sequence.h"
#include "polygraphy/models/sharding/shard_weights.h"
#include "polygraphy/models/sharding/unique_node_names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

ShardHints hints_for(const ShardJob& job, const Model& model, Logger& log) {
  if (job.hints_path.empty()) {
    log.info(log_modules::kShard, "Building sharding hints in one-shot from model (no JSON).");
    return suggest_shard_hints(model, job.suggest, log);
  }
  const std::string& shown = job.hints_shown.empty() ? job.hints_path : job.hints_shown;
  log.info(log_modules::kShard, "Loading sharding hints from: " + shown);
  log.info(log_modules::kSerde, "Loading shard hints from " + shown);
  return load_shard_hints(job.hints_path);
}

// "out.onnx": "out_tp2_rank0.onnx".
std::string of_rank(const std::string& path, int64_t rank, int64_t devices) {
  const size_t folder = path.rfind('/');
  const size_t start = folder == std::string::npos ? 0 : folder + 1;
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot <= start) dot = path.size();
  return path.substr(0, dot) + "_tp" + std::to_string(devices) + "_rank" + std::to_string(rank) +
         path.substr(dot);
}

// Errors name the hints file.
template <typename Work>
auto in_hints(const ShardJob& job, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (job.hints_path.empty()) throw;
    throw Error(error.code(), job.hints_path + ": " + error.what(), error.hint());
  }
}

// Where external data was ignored when the model was loaded, references to it stay as they are.
OnnxSaving saving_of(const ShardJob& job) {
  OnnxSaving saving = job.output;
  if (job.model.ignore_external_data) {
    saving.options.share_external_data = true;
    saving.options.keep_references = true;
  }
  return saving;
}

void save_ranks(const ShardJob& job, const Model& model, const ShardHints& hints,
                const ShardOptions& options, Logger& log) {
  const int64_t devices = hints.dist_collectives.nb_rank;
  Logger silent;
  for (int64_t rank = 0; rank < devices; ++rank) {
    // All devices split alike, so the first one shows all errors.
    const Model part = in_hints(
        job, [&] { return shard_weights(model, hints, options, rank, rank == 0 ? log : silent); });
    OnnxSaving saving = saving_of(job);
    saving.path = of_rank(saving.path, rank, devices);
    saving.typed = of_rank(saving.typed, rank, devices);
    auto& data = saving.options.external_data;
    if (!data && !job.model.ignore_external_data) {
      data = "";
      saving.unused_threshold = saving.unused_split = false;
    }
    if (data && !data->empty()) *data = of_rank(*data, rank, devices);
    log.info(log_modules::kShard, "Saving rank " + std::to_string(rank) + " graph");
    save_onnx(part, saving, log);
  }
}

}  // namespace

void shard(const ShardJob& job, Logger& log) {
  const std::unique_ptr<Model> model = load_onnx(job.model, log);
  if (!job.model.ignore_external_data) graphsurgeon::check_external_data(*model);
  make_node_names_unique(*model, log);
  const ShardHints hints = hints_for(job, *model, log);
  const DistCollective& collectives = hints.dist_collectives;
  log.info(log_modules::kShard,
           "Loaded hints: parallelism=" + std::string(name_of(hints.parallelism)) +
               ", group_size=" + std::to_string(collectives.group_size) +
               ", root=" + std::to_string(collectives.root) +
               ", groups=" + py_list_repr(std::span<const int64_t>(collectives.groups)));
  const bool own_pattern = job.suggest.pattern != AttentionPattern::kPlain;
  const ShardOptions options{.pattern = own_pattern ? job.suggest.pattern : hints.pattern,
                             .keep_output_names = job.keep_output_names};
  if (hints.parallelism == Parallelism::kTensor)
    return save_ranks(job, *model, hints, options, log);
  in_hints(job, [&] { shard_sequence(*model, hints, options, log); });
  save_onnx(*model, saving_of(job), log);
}

}  // namespace polygraphy
