#include "cli/args/sharding.h"

#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--parallelism",
     .help = "Dimension to split across devices. CP: the sequence. TP: heads and weights, with one "
             "model per device. Default: CP.",
     .choices = "CP TP"},
    {.spellings = "--root", .help = "The rank of the root. Default: -1.", .type = ValueType::kInt},
    {.spellings = "--gpus",
     .help = "Number of participating devices. Default: 0, which is all.",
     .type = ValueType::kInt},
    {.spellings = "--groups",
     .help = "Groups of participating devices. Default: all.",
     .arity = Arity::kZeroOrMore,
     .type = ValueType::kInt},
    {.spellings = "--cp-type",
     .help = "Form of context parallelism. native: keys and values are gathered. fused: an "
             "Attention node replaces each layer. Default: native.",
     .choices = "native fused"},
    {.spellings = "--no-suggest-io",
     .help = "Do not search for the inputs and outputs with the sequence.",
     .arity = Arity::kFlag},
    {.spellings = "--i-idx",
     .help = "Sequence axis of inputs without a dimension named seq_len or sequence_length. "
             "Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--o-idx",
     .help = "Sequence axis of outputs, likewise. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--k-idx", .help = "Sequence axis of keys. Default: 0.", .type = ValueType::kInt},
    {.spellings = "--v-idx",
     .help = "Sequence axis of values. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--i-rank", .help = "Rank of inputs of unknown shape.", .type = ValueType::kInt},
    {.spellings = "--o-rank", .help = "Rank of outputs of unknown shape.", .type = ValueType::kInt},
    {.spellings = "--kv-rank",
     .help = "Rank of keys and values of unknown shape.",
     .type = ValueType::kInt},
    {.spellings = "--reduce-op",
     .help = "Reduction of scattered inputs. All devices have the same inputs, so max, min and avg "
             "do not change them. Default: max.",
     .choices = "sum prod min max avg"},
    {.spellings = "--attention-pattern",
     .help = "Pattern of an attention layer. 0: MatMul, Softmax, MatMul. 1: the same with scaled "
             "queries and keys, as exported by PyTorch. 2 (new): with scales, masks and casts in "
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

extern constinit const ArgGroup args_sharding = {
    .title = "Shard Hints",
    .summary = "Sharding of models across devices.",
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
  if (const auto op = args.text("--reduce-op")) collectives.reduce_op = *parse_word<ReduceOp>(*op);
  collectives.nb_rank = args.integer("--nb-rank").value_or(1);
  if (collectives.nb_rank < 1 || collectives.nb_rank > kMaxShardDevices) {
    throw Error(
        "--nb-rank: invalid number of devices: " + std::to_string(collectives.nb_rank) + ".",
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
