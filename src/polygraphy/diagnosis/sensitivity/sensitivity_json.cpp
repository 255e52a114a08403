#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"

#include <limits>
#include <utility>

#include "formats/json_fields.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"
#include "polygraphy/comparison/verdict/verdict_json.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace polygraphy {
namespace {

// Members of a channel's figures, in both directions.
struct Figure {
  std::string_view name;
  double ChannelStatistics::* field;
};
constexpr Figure kFigures[] = {
    {"outlier", &ChannelStatistics::outlier},   {"std", &ChannelStatistics::std},
    {"kurtosis", &ChannelStatistics::kurtosis}, {"min", &ChannelStatistics::smallest},
    {"q01", &ChannelStatistics::lower},         {"median", &ChannelStatistics::median},
    {"q99", &ChannelStatistics::upper},         {"max", &ChannelStatistics::largest},
};

class Document : JsonFields {
 public:
  explicit Document(TextSink& sink) : JsonFields(sink) {}

  void write(const SensitivityResult& result) {
    json_.begin_object();
    text("format", result.format);
    number_or_null("limit", result.limit);
    text("summary", sensitivity_summary(result));
    json_.key("answer");
    write_verdict(json_, result.verdict());
    text("output", result.all_quantized.output);
    number("all_quantized", result.all_quantized.error);
    number("chosen", result.chosen.error);
    number_or_null("proved", result.proved ? std::optional(result.proved->error) : std::nullopt);
    if (result.all_float) number("all_float", result.all_float->error);
    tokens("all_quantized_tokens", result.all_quantized.tokens);
    tokens("chosen_tokens", result.chosen.tokens);
    if (result.proved) tokens("proved_tokens", result.proved->tokens);
    if (result.all_float) tokens("all_float_tokens", result.all_float->tokens);
    boolean("found", result.found);
    boolean("cheapest", result.cheapest);
    integer("tried", result.tried);
    integer("sessions", result.sessions);
    integer("runs", result.runs);
    integer("samples", result.samples);
    integer("kept_bytes", result.kept_bytes());
    integer("saved_bytes", result.saved_bytes());
    list("notes", result.notes);
    json_.key("layers");
    json_.begin_array();
    for (const LayerSensitivity& layer : result.layers) write(layer);
    json_.end_array();
    json_.end_object();
  }

 private:
  // Nothing of a model without logits.
  void tokens(std::string_view key, const std::optional<TokenEffect>& effect) {
    if (!effect) return;
    json_.key(key);
    json_.begin_object();
    number("kl_mean", effect->divergence);
    number("same_top1", effect->same_top);
    json_.end_object();
  }

  void write(const LayerSensitivity& layer) {
    json_.begin_object();
    list("nodes", layer.nodes);
    text("op", layer.op);
    text("weight", layer.weight);
    json_.key("shape");
    json_.begin_array();
    for (const int64_t size : layer.shape) json_.integer(size);
    json_.end_array();
    number("effect", layer.effect);
    tokens("tokens", layer.tokens);
    number("sqnr", layer.sqnr);
    integer("float_bytes", layer.float_bytes);
    integer("quantized_bytes", layer.quantized_bytes);
    integer("saved_bytes", layer.saved());
    boolean("shared", layer.shared);
    boolean("kept", layer.kept);
    json_.key("worst_channel");
    json_.begin_object();
    integer("channels", layer.channels.channels);
    integer("index", layer.channels.worst);
    for (const Figure& figure : kFigures) number(figure.name, layer.channels.*figure.field);
    json_.end_object();
    json_.end_object();
  }
};

// The sums of all layers must fit, too.
int64_t read_bytes(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t bytes = json.read_integer();
  if (bytes < 0 || bytes > int64_t{1} << 50) json.fail_at(at, "a layer has no such size.");
  return bytes;
}

ChannelStatistics read_channels(JsonReader& json) {
  ChannelStatistics channels;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Figure* known = nullptr;
    for (const Figure& figure : kFigures) {
      if (figure.name == key) known = &figure;
    }
    if (known) {
      channels.*known->field = read_figure(json);
    } else if (key == "channels") {
      channels.channels = json.read_integer();
    } else if (key == "index") {
      channels.worst = json.read_integer();
    } else {
      json.skip_value();
    }
  }
  return channels;
}

TokenEffect read_tokens(JsonReader& json) {
  TokenEffect effect;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "kl_mean") {
      effect.divergence = read_figure(json);
    } else if (key == "same_top1") {
      effect.same_top = read_figure(json);
    } else {
      json.skip_value();
    }
  }
  return effect;
}

std::optional<double> read_number_or_null(JsonReader& json) {
  if (json.peek() != JsonReader::Type::kNull) return read_figure(json);
  json.read_null();
  return std::nullopt;
}

LayerSensitivity read_layer(JsonReader& json) {
  LayerSensitivity layer;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "nodes") {
      layer.nodes = read_texts(json);
    } else if (key == "op") {
      layer.op = json.read_string();
    } else if (key == "weight") {
      layer.weight = json.read_string();
    } else if (key == "shape") {
      json.enter_array();
      while (json.next_element()) layer.shape.push_back(json.read_integer());
    } else if (key == "effect") {
      layer.effect = read_figure(json);
    } else if (key == "tokens") {
      layer.tokens = read_tokens(json);
    } else if (key == "sqnr") {
      layer.sqnr = read_figure(json);
    } else if (key == "float_bytes") {
      layer.float_bytes = read_bytes(json);
    } else if (key == "quantized_bytes") {
      layer.quantized_bytes = read_bytes(json);
    } else if (key == "shared") {
      layer.shared = json.read_bool();
    } else if (key == "kept") {
      layer.kept = json.read_bool();
    } else if (key == "worst_channel") {
      layer.channels = read_channels(json);
    } else {
      json.skip_value();
    }
  }
  return layer;
}

}  // namespace

SensitivityResult parse_sensitivity_json(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  SensitivityResult result;
  std::optional<TokenEffect> proved, all_float;
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "format") {
      result.format = json.read_string();
    } else if (key == "limit") {
      result.limit = read_number_or_null(json);
    } else if (key == "answer") {
      result.answer = read_verdict(json);
    } else if (key == "output") {
      result.all_quantized.output = json.read_string();
    } else if (key == "all_quantized") {
      result.all_quantized.error = read_figure(json);
    } else if (key == "chosen") {
      result.chosen.error = read_figure(json);
    } else if (key == "proved") {
      if (const auto error = read_number_or_null(json))
        result.proved = OutputEffect{.error = *error};
    } else if (key == "all_float") {
      result.all_float = OutputEffect{.error = read_figure(json)};
    } else if (key == "all_quantized_tokens") {
      result.all_quantized.tokens = read_tokens(json);
    } else if (key == "chosen_tokens") {
      result.chosen.tokens = read_tokens(json);
    } else if (key == "proved_tokens") {
      proved = read_tokens(json);
    } else if (key == "all_float_tokens") {
      all_float = read_tokens(json);
    } else if (key == "found") {
      result.found = json.read_bool();
    } else if (key == "cheapest") {
      result.cheapest = json.read_bool();
    } else if (key == "tried") {
      result.tried = json.read_integer();
    } else if (key == "sessions") {
      result.sessions = json.read_integer();
    } else if (key == "runs") {
      result.runs = json.read_integer();
    } else if (key == "samples") {
      result.samples = json.read_integer();
    } else if (key == "notes") {
      result.notes = read_texts(json);
    } else if (key == "layers") {
      known = true;
      json.enter_array();
      while (json.next_element()) result.layers.push_back(read_layer(json));
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "these are not the results of `debug sensitivity`.");
  json.finish();
  if (result.proved) result.proved->tokens = proved;
  if (result.all_float) result.all_float->tokens = all_float;
  return result;
}

std::string sensitivity_json(const SensitivityResult& result) {
  StringSink sink;
  Document(sink).write(result);
  return sink.text() + "\n";
}

}  // namespace polygraphy
