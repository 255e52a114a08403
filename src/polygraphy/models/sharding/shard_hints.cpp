#include "polygraphy/models/sharding/shard_hints.h"

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "formats/array_json.h"
#include "formats/json_text.h"
#include "formats/record_json.h"

namespace polygraphy {

// The tables of the files: scripts of the original read and write them.
namespace {

// The last member of each object: its class.
template <typename T>
constexpr auto class_named(std::string_view name) {
  return mapped(
      "polygraphy_class", [name](const T&) { return std::string(name); },
      [name](T&, const std::string& found) {
        if (found != name) throw Error("it is a " + found + ", not a " + std::string(name) + ".");
      },
      "The class of the original.");
}

template <typename T>
constexpr auto number_of_ranks() {
  return mapped(
      "nb_rank", [](const T& of) { return of.nb_rank; },
      [](T& of, int64_t ranks) {
        if (ranks < 1 || ranks > kMaxShardDevices)
          throw Error("invalid number of devices: " + std::to_string(ranks) + ".");
        of.nb_rank = ranks;
      },
      "The number of devices.");
}

}  // namespace

constexpr auto record_of(RecordOf<FusedAttention>) {
  using Of = FusedAttention;
  return record<Of>("FusedAttention", "An Attention node in the place of three nodes.",
                    member("is_causal", &Of::is_causal, "Its attribute.").needed(),
                    member("q_shuffle", &Of::q_shuffle, "A permutation."),
                    member("k_shuffle", &Of::k_shuffle, "A permutation."),
                    member("v_shuffle", &Of::v_shuffle, "A permutation."), number_of_ranks<Of>(),
                    class_named<Of>("FusedAttention"));
}

constexpr auto record_of(RecordOf<AttentionLayerHint>) {
  using Of = AttentionLayerHint;
  return record<Of>("AttentionLayerHint", "An attention layer.",
                    member("q", &Of::q, "The tensor of the queries.").needed(),
                    member("gather_kv", &Of::gather_kv, "Gather keys and values.").needed(),
                    member("gather_q", &Of::gather_q, "Gather queries.").needed(),
                    member("replace", &Of::replace, "By this node, or null."),
                    class_named<Of>("AttentionLayerHint"));
}

constexpr auto record_of(RecordOf<DistCollective>) {
  using Of = DistCollective;
  return record<Of>("DistCollective", "The attributes of all collectives.",
                    member("group_size", &Of::group_size, "0: all devices.").needed(),
                    member("root", &Of::root, "The root.").needed(), number_of_ranks<Of>().needed(),
                    member("reduce_op", &Of::reduce_op, "Of reduce-scatters.").needed(),
                    member("groups", &Of::groups, "Empty: all devices.").needed(),
                    class_named<Of>("DistCollective"));
}

constexpr auto record_of(RecordOf<ShardTensor>) {
  using Of = ShardTensor;
  return record<Of>(
      "ShardTensor", "An input or output.", member("name", &Of::name, "Its name.").needed(),
      member("seq_len_idx", &Of::seq_len_idx, "The axis.").needed(),
      member("rank", &Of::rank, "Null: as in the model."), class_named<Of>("ShardTensor"));
}

constexpr auto record_of(RecordOf<ShardHints>) {
  using Of = ShardHints;
  return record<Of>(
      "ShardHints", "The split of a model.",
      member("parallelism", &Of::parallelism, "CP or TP.").needed(),
      mapped(
          "attention_pattern", [](const Of& of) { return static_cast<int64_t>(of.pattern); },
          [](Of& of, int64_t number) {
            if (number < 0 || number > static_cast<int64_t>(AttentionPattern::kAny))
              throw Error("unknown attention pattern " + std::to_string(number) +
                          ": the patterns are 0, 1, 2.");
            of.pattern = static_cast<AttentionPattern>(number);
          },
          "The form of layers.")
          .if_set(),
      member("attention_layers", &Of::attention_layers, "The layers.").needed(),
      member("dist_collectives", &Of::dist_collectives, "The collectives."),
      member("inputs", &Of::inputs, "Of the model.").needed(),
      member("outputs", &Of::outputs, "Of the model.").needed(),
      member("k_seq_len_idx", &Of::k_seq_len_idx, "The axis of keys.").needed(),
      member("v_seq_len_idx", &Of::v_seq_len_idx, "The axis of values.").needed(),
      member("kv_rank", &Of::kv_rank, "Null: as in the model.").needed(),
      class_named<Of>("ShardHints"));
}

// Hints of 0.49, as far as they differ: their collectives stand beside the layers.
struct OldHints {
  DistCollective all = {};
};
constexpr auto record_of(RecordOf<OldHints>) {
  const auto in_all = [](auto DistCollective::* of) {
    return [of](auto& hints) -> auto& { return hints.all.*of; };
  };
  using Of = DistCollective;
  return record<OldHints>(
      "OldHints", "Collectives.", member("group_size", in_all(&Of::group_size), "0: all."),
      member("root", in_all(&Of::root), "The root."),
      member("reduce_scatter_reduce_op", in_all(&Of::reduce_op), "Of reduce-scatters."),
      member("groups", in_all(&Of::groups), "Empty: all devices."));
}

namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& found) {
  throw Error("Provided JSON cannot be decoded into a ShardHints.\nNote: " + source + " holds " +
              found + ".");
}

template <Record T>
T read_record(std::string_view text, const std::string& source) {
  JsonReader json(text, source);
  return read_whole(json, [&] { return read_as<T>(json); });
}

}  // namespace

std::string_view name_of(Parallelism parallelism) {
  return parallelism == Parallelism::kContext ? "CP" : "TP";
}

std::string_view name_of(ReduceOp op) {
  constexpr std::string_view kNames[] = {"sum", "prod", "min", "max", "avg"};
  return kNames[static_cast<size_t>(op)];
}

std::string to_json(const ShardHints& hints) {
  return record_text(hints);
}

ShardHints parse_shard_hints(std::string_view bytes, const std::string& source) {
  const std::string_view text = json_text(bytes, source);
  JsonReader json(text, source);
  if (json.peek() != JsonReader::Type::kObject) refuse(source, "no JSON object");
  // The class comes last, and says whether the rest is worth looking at.
  std::string marker;
  bool is_old = false, has_collectives = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    has_collectives |= key == "dist_collectives";
    is_old |= key == "group_size";
    if (!read_marker(json, key, marker)) json.skip_value();
  }
  json.finish();
  if (marker != "ShardHints") {
    refuse(source, marker.empty() ? "an object without a class" : "an object of class " + marker);
  }
  if (!is_old && !has_collectives) json.fail_at(0, "'dist_collectives' is missing.");
  auto hints = read_record<ShardHints>(text, source);
  if (!has_collectives) hints.dist_collectives = read_record<OldHints>(text, source).all;
  return hints;
}

ShardHints load_shard_hints(const std::string& path) {
  const auto file = MappedFile::open(path == "-" ? "/dev/stdin" : path, AccessPattern::kSequential);
  const auto bytes = file->bytes();
  return parse_shard_hints({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                           path == "-" ? "standard input" : path);
}

}  // namespace polygraphy
