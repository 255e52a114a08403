// `multi-device shard`: model files in, model files out.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy {

struct ShardJob {
  ModelSource model;
  // Context parallelism: the model. Tensor parallelism: "out.onnx" stands for
  // "out_tp2_rank0.onnx" and "out_tp2_rank1.onnx".
  OnnxSaving output;
  std::string hints_path{};   // empty: the hints are made of the model, as `suggest` says
  std::string hints_shown{};  // as messages name it; empty: hints_path
  HintOptions suggest{};      // with hints of a file: what counts as attention
  bool keep_output_names = false;
};

// Loads, shards as the hints say (shard_sequence.h,
// shard_weights.h), and saves. Nothing is written unless all models could
// be sharded. Throws Error, which names the file of the hints.
void shard(const ShardJob& job, Logger& log);

}  // namespace polygraphy
