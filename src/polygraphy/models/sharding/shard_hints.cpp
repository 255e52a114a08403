#include "polygraphy/models/sharding/shard_hints.h"

#include <array>
#include <cstddef>
#include <initializer_list>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "base/text.h"
#include "formats/array_json.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

constexpr std::array<std::string_view, 5> kReduceOps = {"sum", "prod", "min", "max", "avg"};

// --- writing

void write_integers(JsonWriter& json, const std::vector<int64_t>& numbers) {
  json.begin_array();
  for (const int64_t number : numbers) json.integer(number);
  json.end_array();
}

void write_optional(JsonWriter& json, const std::optional<int64_t>& number) {
  number ? json.integer(*number) : json.null();
}

void write_shuffle(JsonWriter& json, std::string_view key,
                   const std::optional<std::vector<int64_t>>& permutation) {
  json.key(key);
  permutation ? write_integers(json, *permutation) : json.null();
}

void end_object_of_class(JsonWriter& json, std::string_view name) {
  json.key("polygraphy_class");
  json.string(name);
  json.end_object();
}

void write(JsonWriter& json, const FusedAttention& attention) {
  json.begin_object();
  json.key("is_causal");
  json.boolean(attention.is_causal);
  write_shuffle(json, "q_shuffle", attention.q_shuffle);
  write_shuffle(json, "k_shuffle", attention.k_shuffle);
  write_shuffle(json, "v_shuffle", attention.v_shuffle);
  json.key("nb_rank");
  json.integer(attention.nb_rank);
  end_object_of_class(json, "FusedAttention");
}

void write(JsonWriter& json, const AttentionLayerHint& layer) {
  json.begin_object();
  json.key("q");
  json.string(layer.q);
  json.key("gather_kv");
  json.boolean(layer.gather_kv);
  json.key("gather_q");
  json.boolean(layer.gather_q);
  json.key("replace");
  layer.replace ? write(json, *layer.replace) : json.null();
  end_object_of_class(json, "AttentionLayerHint");
}

void write(JsonWriter& json, const DistCollective& collective) {
  json.begin_object();
  json.key("group_size");
  json.integer(collective.group_size);
  json.key("root");
  json.integer(collective.root);
  json.key("nb_rank");
  json.integer(collective.nb_rank);
  json.key("reduce_op");
  json.string(collective.reduce_op);
  json.key("groups");
  write_integers(json, collective.groups);
  end_object_of_class(json, "DistCollective");
}

void write(JsonWriter& json, const ShardTensor& tensor) {
  json.begin_object();
  json.key("name");
  json.string(tensor.name);
  json.key("seq_len_idx");
  json.integer(tensor.seq_len_idx);
  json.key("rank");
  write_optional(json, tensor.rank);
  end_object_of_class(json, "ShardTensor");
}

template <typename T>
void write_list(JsonWriter& json, std::string_view key, const std::vector<T>& items) {
  json.key(key);
  json.begin_array();
  for (const T& item : items) write(json, item);
  json.end_array();
}

// --- reading

// Reads hints, and knows what it is reading: "'rank' of input 0".
class HintsReader {
 public:
  HintsReader(std::string_view text, const std::string& source) : json_(text, source) {}

  ShardHints hints() {
    try {
      ShardHints hints = document();
      json_.finish();
      return hints;
    } catch (const FormatError& error) {
      if (place_.empty()) throw;
      throw FormatError(std::string(error.what()) + " Place: " + place_ + ".", error.hint());
    }
  }

 private:
  // Reads an object by its keys; `read(key)` reads the value of one that it knows, and says whether
  // it does. All of `required` have to be there, and its class, if it has one, is `name`.
  template <typename Read>
  void object(std::string_view name, std::vector<std::string_view> required, Read&& read) {
    const std::string owner = owner_;
    std::vector<std::string> found;
    place_ = owner;
    json_.enter_object();
    for (std::string key; json_.next_key(key);) {
      place_ = "'" + key + "' of " + owner;
      if (key == "polygraphy_class") {
        const std::string marker = json_.read_string();
        if (marker != name) {
          json_.fail("it is a " + marker + ", not a " + std::string(name) + ".");
        }
      } else if (!read(key)) {
        json_.skip_value();
      }
      owner_ = owner;
      place_ = owner;
      std::erase(required, key);
    }
    if (required.empty()) return;
    place_.clear();
    json_.fail(owner + " has no '" + std::string(required.front()) +
               "': write the hints again, or add it.");
  }

  std::optional<int64_t> optional_integer() {
    if (json_.peek() != JsonReader::Type::kNull) return json_.read_integer();
    json_.read_null();
    return std::nullopt;
  }

  std::vector<int64_t> integers() {
    std::vector<int64_t> numbers;
    for (json_.enter_array(); json_.next_element();) numbers.push_back(json_.read_integer());
    return numbers;
  }

  std::optional<std::vector<int64_t>> shuffle() {
    if (json_.peek() != JsonReader::Type::kNull) return integers();
    json_.read_null();
    return std::nullopt;
  }

  std::string reduce_op() {
    std::string op = json_.read_string();
    for (const std::string_view known : kReduceOps) {
      if (op == known) return op;
    }
    json_.fail("unknown reduction '" + op + "': the reductions are " +
               join(std::span<const std::string_view>(kReduceOps), ", ") + ".");
  }

  int64_t number_of_ranks() {
    const int64_t ranks = json_.read_integer();
    if (ranks < 1 || ranks > kMaxShardDevices) {
      json_.fail("invalid number of devices: " + std::to_string(ranks) + ".");
    }
    return ranks;
  }

  FusedAttention fused() {
    FusedAttention attention;
    object("FusedAttention", {"is_causal"}, [&](const std::string& key) {
      if (key == "is_causal") {
        attention.is_causal = json_.read_bool();
      } else if (key == "q_shuffle") {
        attention.q_shuffle = shuffle();
      } else if (key == "k_shuffle") {
        attention.k_shuffle = shuffle();
      } else if (key == "v_shuffle") {
        attention.v_shuffle = shuffle();
      } else if (key == "nb_rank") {
        attention.nb_rank = number_of_ranks();
      } else {
        return false;
      }
      return true;
    });
    return attention;
  }

  AttentionLayerHint layer() {
    AttentionLayerHint layer;
    object("AttentionLayerHint", {"q", "gather_kv", "gather_q"}, [&](const std::string& key) {
      if (key == "q") {
        layer.q = json_.read_string();
      } else if (key == "gather_kv") {
        layer.gather_kv = json_.read_bool();
      } else if (key == "gather_q") {
        layer.gather_q = json_.read_bool();
      } else if (key == "replace") {
        if (json_.peek() == JsonReader::Type::kNull) {
          json_.read_null();
        } else {
          owner_ = "'replace' of " + owner_;
          layer.replace = fused();
        }
      } else {
        return false;
      }
      return true;
    });
    return layer;
  }

  // `old`: an object of 0.49 around it has its fields.
  bool read_collective(const std::string& key, bool old, DistCollective& collective) {
    if (key == "group_size") {
      collective.group_size = json_.read_integer();
    } else if (key == "root") {
      collective.root = json_.read_integer();
    } else if (key == "nb_rank" && !old) {
      collective.nb_rank = number_of_ranks();
    } else if (key == (old ? "reduce_scatter_reduce_op" : "reduce_op")) {
      collective.reduce_op = reduce_op();
    } else if (key == "groups") {
      collective.groups = integers();
    } else {
      return false;
    }
    return true;
  }

  ShardTensor tensor() {
    ShardTensor tensor;
    object("ShardTensor", {"name", "seq_len_idx"}, [&](const std::string& key) {
      if (key == "name") {
        tensor.name = json_.read_string();
      } else if (key == "seq_len_idx") {
        tensor.seq_len_idx = json_.read_integer();
      } else if (key == "rank") {
        tensor.rank = optional_integer();
      } else {
        return false;
      }
      return true;
    });
    return tensor;
  }

  // `noun`: "input".
  template <typename T>
  std::vector<T> list(const char* noun, T (HintsReader::*read)()) {
    std::vector<T> items;
    for (json_.enter_array(); json_.next_element();) {
      owner_ = noun + (" " + std::to_string(items.size()));
      items.push_back((this->*read)());
    }
    return items;
  }

  Parallelism parallelism() {
    const std::string text = json_.read_string();
    if (text == "CP") return Parallelism::kContext;
    if (text == "TP") return Parallelism::kTensor;
    json_.fail("Unsupported parallelism type: '" + text + "' is neither CP nor TP.");
  }

  AttentionPattern pattern() {
    const int64_t number = json_.read_integer();
    if (number >= 0 && number <= static_cast<int64_t>(AttentionPattern::kAny))
      return static_cast<AttentionPattern>(number);
    json_.fail("unknown attention pattern " + std::to_string(number) +
               ": the patterns are 0, 1, 2.");
  }

  ShardHints document() {
    ShardHints hints;
    bool old = true;
    bool has_group_size = false;
    owner_ = "the hints";
    object("ShardHints",
           {"parallelism", "attention_layers", "inputs", "outputs", "k_seq_len_idx",
            "v_seq_len_idx", "kv_rank"},
           [&](const std::string& key) {
             if (key == "parallelism") {
               hints.parallelism = parallelism();
             } else if (key == "attention_pattern") {
               hints.pattern = pattern();
             } else if (key == "attention_layers") {
               hints.attention_layers = list("attention layer", &HintsReader::layer);
             } else if (key == "dist_collectives") {
               owner_ = "'dist_collectives'";
               old = false;
               object("DistCollective", {"group_size", "root", "nb_rank", "reduce_op", "groups"},
                      [&](const std::string& inner) {
                        return read_collective(inner, false, hints.dist_collectives);
                      });
             } else if (key == "inputs") {
               hints.inputs = list("input", &HintsReader::tensor);
             } else if (key == "outputs") {
               hints.outputs = list("output", &HintsReader::tensor);
             } else if (key == "k_seq_len_idx") {
               hints.k_seq_len_idx = json_.read_integer();
             } else if (key == "v_seq_len_idx") {
               hints.v_seq_len_idx = json_.read_integer();
             } else if (key == "kv_rank") {
               hints.kv_rank = optional_integer();
             } else {
               has_group_size = has_group_size || key == "group_size";
               return old && read_collective(key, true, hints.dist_collectives);
             }
             return true;
           });
    if (old && !has_group_size) {
      place_.clear();
      json_.fail("the hints have no 'dist_collectives': write the hints again, or add it.");
    }
    return hints;
  }

  JsonReader json_;
  std::string owner_, place_;
};

[[noreturn]] void refuse(const std::string& source, const std::string& found) {
  throw Error("Provided JSON cannot be decoded into a ShardHints.\nNote: " + source + " holds " +
              found + ".");
}

}  // namespace

std::string_view to_text(Parallelism parallelism) {
  return parallelism == Parallelism::kContext ? "CP" : "TP";
}

std::string to_json(const ShardHints& hints) {
  StringSink text;
  JsonWriter json(text);
  json.begin_object();
  json.key("parallelism");
  json.string(to_text(hints.parallelism));
  if (hints.pattern != AttentionPattern::kPlain) {
    json.key("attention_pattern");
    json.integer(static_cast<int64_t>(hints.pattern));
  }
  write_list(json, "attention_layers", hints.attention_layers);
  json.key("dist_collectives");
  write(json, hints.dist_collectives);
  write_list(json, "inputs", hints.inputs);
  write_list(json, "outputs", hints.outputs);
  json.key("k_seq_len_idx");
  json.integer(hints.k_seq_len_idx);
  json.key("v_seq_len_idx");
  json.integer(hints.v_seq_len_idx);
  json.key("kv_rank");
  write_optional(json, hints.kv_rank);
  end_object_of_class(json, "ShardHints");
  return text.text();
}

ShardHints parse_shard_hints(std::string_view bytes, const std::string& source) {
  const std::string_view text = json_text(bytes, source);
  JsonReader json(text, source);
  if (json.peek() != JsonReader::Type::kObject) refuse(source, "no JSON object");
  // The class comes last, and says whether the rest is worth looking at.
  std::string marker;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (!read_marker(json, key, marker)) json.skip_value();
  }
  json.finish();
  if (marker != "ShardHints") {
    refuse(source, marker.empty() ? "an object without a class" : "an object of class " + marker);
  }
  return HintsReader(text, source).hints();
}

ShardHints load_shard_hints(const std::string& path) {
  const auto file = MappedFile::open(path == "-" ? "/dev/stdin" : path, AccessPattern::kSequential);
  const auto bytes = file->bytes();
  return parse_shard_hints({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                           path == "-" ? "standard input" : path);
}

}  // namespace polygraphy
