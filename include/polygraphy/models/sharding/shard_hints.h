// Shard hints: the split of a model among devices, written by `template shard-hints` and read by
// `multi-device shard`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"

namespace polygraphy {

enum class Parallelism : uint8_t {
  kContext,  // "CP": each device has a part of the sequence, and all weights
  kTensor,   // "TP": each device has a part of the heads and of the weights
};
// "CP", "TP".
std::string_view name_of(Parallelism parallelism);
constexpr auto all_of(RecordOf<Parallelism>) {
  return values_up_to<Parallelism::kTensor>();
}

// The form of attention layers in the main graph.
enum class AttentionPattern : uint8_t {
  kPlain,  // MatMul(q, k), Softmax, MatMul(…, v), without nodes in between
  // the same after q and k are each multiplied by the root of 1/sqrt(size of a head), computed from
  // the shape of q, as PyTorch exports it
  kScaled,
  kAny,  // the plain one; masks, scales and casts may stand before the Softmax, casts behind it
};

// A limit above the number of devices of any system.
inline constexpr int64_t kMaxShardDevices = 65536;

// Of reduce-scatters: "sum", "prod", "min", "max", "avg".
enum class ReduceOp : uint8_t { kSum, kProd, kMin, kMax, kAvg };
std::string_view name_of(ReduceOp op);
constexpr auto all_of(RecordOf<ReduceOp>) {
  return values_up_to<ReduceOp::kAvg>();
}

// Common attributes of all inserted collectives.
struct DistCollective {
  int64_t group_size = 0;  // devices that take part; 0: all
  int64_t root = -1;
  int64_t nb_rank = 1;  // devices, 1 to kMaxShardDevices
  ReduceOp reduce_op = ReduceOp::kMax;
  std::vector<int64_t> groups{};  // empty: all devices

  bool operator==(const DistCollective&) const = default;
};

// An Attention node in the place of MatMul, Softmax and MatMul. It gathers its inputs itself.
struct FusedAttention {
  bool is_causal = false;
  // Permutations that transpose q, k and v at the input; nullopt or empty: no transposition.
  std::optional<std::vector<int64_t>> q_shuffle{}, k_shuffle{}, v_shuffle{};
  int64_t nb_rank = 1;

  bool operator==(const FusedAttention&) const = default;
};

struct AttentionLayerHint {
  std::string q{};  // the tensor of the queries, which identifies the layer
  bool gather_kv = true, gather_q = false;
  std::optional<FusedAttention> replace{};

  bool operator==(const AttentionLayerHint&) const = default;
};

// An input or output with the sequence on one of its axes.
struct ShardTensor {
  std::string name{};
  int64_t seq_len_idx = 0;        // the axis
  std::optional<int64_t> rank{};  // nullopt: the rank in the model

  bool operator==(const ShardTensor&) const = default;
};

struct ShardHints {
  Parallelism parallelism = Parallelism::kContext;
  AttentionPattern pattern = AttentionPattern::kPlain;  // of the attention layers
  std::vector<AttentionLayerHint> attention_layers{};
  DistCollective dist_collectives{};
  std::vector<ShardTensor> inputs{}, outputs{};
  int64_t k_seq_len_idx = 0, v_seq_len_idx = 0;  // the axes of the keys' and values' sequence
  std::optional<int64_t> kv_rank{};              // nullopt: the rank in the model

  bool operator==(const ShardHints&) const = default;
};

// The text of a hints file of 0.53.6, with a key more for a pattern other than the plain one,
// without a line break at the end.
std::string to_json(const ShardHints& hints);

// Parses a hints file of 0.53 or 0.49. `source` names the text in messages. Throws FormatError with
// the place in the file and the key, and Error in the original's words for a file of another kind.
ShardHints parse_shard_hints(std::string_view text, const std::string& source);
// Throws IoError as well. "-": standard input.
ShardHints load_shard_hints(const std::string& path);

}  // namespace polygraphy
