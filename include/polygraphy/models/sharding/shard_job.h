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
  // The destination. Context parallelism: of the model. Tensor parallelism: "out.onnx" stands for
  // "out_tp2_rank0.onnx" and "out_tp2_rank1.onnx".
  OnnxSaving output;
  // empty: suggest_shard_hints() makes the hints, with the options `suggest`
  std::string hints_path{};
  std::string hints_shown{};  // hints_path as messages name it; empty: hints_path
  // With a hints file, only the attention pattern applies, and the plain one gives way to the
  // hints'.
  HintOptions suggest{};
  bool keep_output_names = false;
};

// Loads, shards by the hints (shard_sequence.h, shard_weights.h), and saves. Writes nothing unless
// it could shard all models. Throws Error, which names the hints file.
void shard(const ShardJob& job, Logger& log);

}  // namespace polygraphy
