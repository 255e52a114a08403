#include "cli/args/sharding.h"

#include "base/error.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--parallelism",
     .help = "What devices share out. CP: the sequence. TP: heads and weights, with one model for "
             "each device. Default: CP.",
     .choices = "CP TP"},
    {.spellings = "--root", .help = "The rank of the root. Default: -1.", .type = ValueType::kInt},
    {.spellings = "--gpus",
     .help = "The number of devices that take part. Default: 0, which is all.",
     .type = ValueType::kInt},
    {.spellings = "--groups",
     .help = "The groups of devices that take part. Default: all.",
     .arity = Arity::kZeroOrMore,
     .type = ValueType::kInt},
    {.spellings = "--cp-type",
     .help = "native: keys and values are gathered. fused: an Attention node replaces each layer. "
             "Default: native.",
     .choices = "native fused"},
    {.spellings = "--no-suggest-io",
     .help = "Do not look for the inputs and outputs that have the sequence.",
     .arity = Arity::kFlag},
    {.spellings = "--i-idx",
     .help = "The axis of the sequence in inputs, unless one of theirs is called seq_len or "
             "sequence_length. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--o-idx", .help = "The same for outputs. Default: 0.", .type = ValueType::kInt},
    {.spellings = "--k-idx",
     .help = "The axis of the sequence in keys. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--v-idx",
     .help = "The axis of the sequence in values. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--i-rank",
     .help = "The rank of inputs whose shape is not known.",
     .type = ValueType::kInt},
    {.spellings = "--o-rank",
     .help = "The rank of outputs whose shape is not known.",
     .type = ValueType::kInt},
    {.spellings = "--kv-rank",
     .help = "The rank of keys and values whose shape is not known.",
     .type = ValueType::kInt},
    {.spellings = "--reduce-op",
     .help = "How inputs are reduced as they are scattered. All devices have the same inputs: max, "
             "min and avg leave them as they are. Default: max.",
     .choices = "sum prod min max avg"},
    {.spellings = "--attention-pattern",
     .help = "What counts as attention. 0: MatMul, Softmax, MatMul. 1: the same behind queries and "
             "keys that are scaled as PyTorch exports it. 2 (new): with scales, masks and casts "
             "between. Default: 0.",
     .type = ValueType::kInt,
     .choices = "0 1 2",
     .added_choices = "2"},
    {.spellings = "--q-shuffle",
     .help = "Fused: the permutation of axes that transposes the queries.",
     .arity = Arity::kZeroOrMore,
     .type = ValueType::kInt},
    {.spellings = "--k-shuffle",
     .help = "Fused: the permutation of axes that transposes the keys.",
     .arity = Arity::kZeroOrMore,
     .type = ValueType::kInt},
    {.spellings = "--v-shuffle",
     .help = "Fused: the permutation of axes that transposes the values.",
     .arity = Arity::kZeroOrMore,
     .type = ValueType::kInt},
    {.spellings = "--is-causal", .help = "Fused: the attention is causal.", .arity = Arity::kFlag},
    {.spellings = "--nb-rank",
     .help = "The number of devices. Default: 1.",
     .type = ValueType::kInt},
};

std::vector<int64_t> integers(const ParsedArgs& args, std::string_view key) {
  std::vector<int64_t> numbers;
  for (const std::string& text : args.list(key)) numbers.push_back(*parse_int(text));
  return numbers;
}

std::optional<std::vector<int64_t>> shuffle(const ParsedArgs& args, std::string_view key) {
  if (!args.has(key)) return std::nullopt;
  return integers(args, key);
}

AttentionPattern attention_pattern(const ParsedArgs& args) {
  switch (args.integer("--attention-pattern").value_or(0)) {
    case 1:
      return AttentionPattern::kScaled;
    case 2:
      return AttentionPattern::kAny;
    default:
      return AttentionPattern::kPlain;
  }
}

}  // namespace

extern const ArgGroup args_sharding;
constinit const ArgGroup args_sharding = {
    .title = "Shard Hints",
    .summary = "How models are sharded across devices.",
    .options = kOptions,
};

HintOptions resolve_hint_options(const ParsedArgs& args) {
  HintOptions options;
  options.parallelism =
      args.text("--parallelism") == "TP" ? Parallelism::kTensor : Parallelism::kContext;
  options.form =
      args.text("--cp-type") == "fused" ? ContextParallelism::kFused : ContextParallelism::kNative;
  options.pattern = attention_pattern(args);
  DistCollective& collectives = options.collectives;
  collectives.root = args.integer("--root").value_or(collectives.root);
  collectives.group_size = args.integer("--gpus").value_or(0);
  collectives.groups = integers(args, "--groups");
  collectives.reduce_op = args.text("--reduce-op").value_or(collectives.reduce_op);
  collectives.nb_rank = args.integer("--nb-rank").value_or(1);
  if (collectives.nb_rank < 1 || collectives.nb_rank > kMaxShardDevices) {
    throw Error("--nb-rank: there are no " + std::to_string(collectives.nb_rank) + " devices.",
                "Give a number from 1 to " + std::to_string(kMaxShardDevices) + ".");
  }
  options.suggest_io = !args.has("--no-suggest-io");
  options.input_index = args.integer("--i-idx").value_or(0);
  options.output_index = args.integer("--o-idx").value_or(0);
  options.k_index = args.integer("--k-idx").value_or(0);
  options.v_index = args.integer("--v-idx").value_or(0);
  options.input_rank = args.integer("--i-rank");
  options.output_rank = args.integer("--o-rank");
  options.kv_rank = args.integer("--kv-rank");
  options.fused = {.is_causal = args.has("--is-causal"),
                   .q_shuffle = shuffle(args, "--q-shuffle"),
                   .k_shuffle = shuffle(args, "--k-shuffle"),
                   .v_shuffle = shuffle(args, "--v-shuffle"),
                   .nb_rank = collectives.nb_rank};
  return options;
}

}  // namespace polygraphy::cli
