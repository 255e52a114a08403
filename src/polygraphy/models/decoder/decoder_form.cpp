#include "polygraphy/models/decoder/decoder_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/near_names.h"
#include "base/text.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/ir/tensor.h"
#include "polygraphy/data/tensors/graph_metadata.h"

namespace polygraphy {
namespace {

using graphsurgeon::int_attribute;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

bool is_integer(const TensorInfo& info) {
  return info.dtype == DataType::kInt64 || info.dtype == DataType::kInt32;
}

size_t rank_of(const TensorInfo& info) {
  return info.shape ? info.shape->size() : 0;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A name without the words by which inputs and outputs of a cache differ.
std::string without_tense(std::string_view name) {
  std::string rest = to_lower(name);
  for (const std::string_view prefix : {"input.", "output.", "updated_", "new_"}) {
    if (rest.starts_with(prefix)) rest.erase(0, prefix.size());
  }
  for (const std::string_view prefix : {"past_key_values", "present_key_values", "past_key_value",
                                        "present_key_value", "past", "present"}) {
    if (!rest.starts_with(prefix)) continue;
    rest.erase(0, prefix.size());
    break;
  }
  std::erase(rest, '.');
  std::erase(rest, '_');
  return rest;
}

// "decoder" does not have "encoder" in it.
bool is_of_encoder(std::string_view name) {
  const std::string lower = to_lower(name);
  return contains(lower, "encoder") || contains(lower, "cross");
}

// Whether a mask has the length of the decoder's texts, by its name and the name of its last axis.
bool is_decoders_mask(std::string_view name, const TensorInfo& info) {
  const bool named = info.shape && !info.shape->empty() && !info.shape->back().is_static();
  return !is_of_encoder(name) && !(named && is_of_encoder(info.shape->back().param()));
}

// An axis along which a growing cache differs from the one before: an open dimension with another
// name. -1: no axis does.
int64_t growing_axis(const TensorInfo& past, const TensorInfo& present) {
  if (!past.shape || past.shape->size() < 3) return -1;
  const DimList& shape = *past.shape;
  const auto open = [&](size_t axis) {
    // transformers writes fixed sizes of inputs as names: "32".
    const std::string& name = shape[axis].param();
    const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    return !shape[axis].is_static() && !number;
  };
  if (present.shape && present.shape->size() == shape.size()) {
    for (size_t axis = 1; axis < shape.size(); ++axis) {
      if (open(axis) && shape[axis].param() != (*present.shape)[axis].param())
        return static_cast<int64_t>(axis);
    }
  }
  // [batch, heads, positions, size], [batch, positions, size]
  const size_t usual = shape.size() - 2;
  return open(usual) ? static_cast<int64_t>(usual) : -1;
}

// An axis of a past of a fixed length. `added`: positions that each inference adds to it, which the
// present has, too, or alone. -1: no axis is one.
int64_t shifted_axis(const TensorInfo& past, const TensorInfo& present, int64_t added) {
  if (added == 0 || !past.shape || !present.shape || past.shape->size() < 3 ||
      past.shape->size() != present.shape->size())
    return -1;
  for (size_t axis = 1; axis < past.shape->size(); ++axis) {
    const Dim &a = (*past.shape)[axis], &b = (*present.shape)[axis];
    const bool is_static = a.is_static() && b.is_static();
    if (is_static && a.value() != b.value() &&
        (b.value() == a.value() + added || b.value() == added))
      return static_cast<int64_t>(axis);
  }
  return -1;
}

// `added`: positions that each inference adds to a past of a fixed length.
bool may_match(const TensorInfo& past, const TensorInfo& present, int64_t added) {
  if (past.dtype != present.dtype) return false;
  if (!past.shape || !present.shape) return true;
  if (past.shape->size() != present.shape->size()) return false;
  const int64_t shifted = shifted_axis(past, present, added);
  for (size_t i = 0; i < past.shape->size(); ++i) {
    const Dim &a = (*past.shape)[i], &b = (*present.shape)[i];
    if (static_cast<int64_t>(i) == shifted) continue;
    if (a.is_static() && b.is_static() && a.value() != b.value()) return false;
  }
  return true;
}

std::optional<int64_t> constant_size(const Node& node, size_t input, size_t axis) {
  const Tensor* tensor = graphsurgeon::constant_at(node, input);
  if (!tensor) return std::nullopt;
  const Shape& shape = tensor->payload()->shape();
  return axis < shape.size() ? std::optional(shape[axis]) : std::nullopt;
}

// The size of a head, of a node that attends with the cache.
std::optional<int64_t> head_size(const Tensor& past) {
  for (const Node* node : past.consumers()) {
    if (node->op() != "GroupQueryAttention") continue;
    if (const auto half = constant_size(*node, 7, 1)) return 2 * *half;
    const int64_t heads =
        int_attribute(*node, "num_heads", 0) + 2 * int_attribute(*node, "kv_num_heads", 0);
    const Tensor* packed = node->inputs()[0];
    if (heads == 0 || packed->producers().empty()) continue;
    const Node* projection = &*packed->producers().front();
    if (projection->op() == "Add" && !projection->inputs().empty() &&
        !projection->inputs()[0]->producers().empty())
      projection = &*projection->inputs()[0]->producers().front();
    if (projection->op() == "MatMul") {
      if (const auto size = constant_size(*projection, 1, 1)) return *size / heads;
    }
    if (projection->op() == "MatMulNBits") return int_attribute(*projection, "N", 0) / heads;
  }
  return std::nullopt;
}

// Positions that a node keeps of this cache where it drops the oldest ones itself; 0: it does not.
int64_t window_of(const Tensor& past) {
  int64_t window = 0;
  for (const Node* node : past.consumers()) {
    if (node->op() == "GroupQueryAttention" && int_attribute(*node, "sliding_window_cache", 0) != 0)
      window = std::max(window, int_attribute(*node, "local_window_size", 0));
  }
  return window;
}

// The input that is a table of cosines by positions; nullopt: the node has none.
std::optional<size_t> table_of_positions(const Node& node) {
  if (node.op() == "GroupQueryAttention") return 7;
  if (node.op() == "RotaryEmbedding" && node.domain() == "com.microsoft") return 2;
  if (node.op() == "RotaryEmbedding" && node.inputs().size() > 3) return 1;
  return std::nullopt;
}

class Former {
 public:
  Former(const Model& model, const DecoderNames& names, bool needs_cache)
      : model_(model),
        names_(names),
        needs_cache_(needs_cache),
        outputs_(metadata_of_variables(model.graph->outputs())) {
    form_.inputs = metadata_of_variables(model.graph->inputs());
    form_.sizes = names.sizes;
  }

  DecoderForm form() {
    find_inputs();
    find_logits();
    if (names_.caches.empty()) {
      match_by_name();
      if (form_.states.empty()) match_by_order();
    } else {
      match_as_given();
    }
    if (form_.states.empty() && needs_cache_) {
      throw Error(kNoCache,
                  fmt::format("No input of the model matches an output as a cache does: the inputs "
                              "are {}, the outputs {}",
                              list(form_.inputs), list(outputs_)),
                  "Export the model with its past, or name the pairs in a file. Without steps, "
                  "prompts need no cache.");
    }
    for (const auto& [name, info] : form_.inputs) {
      if (!is_used(name)) form_.others.push_back(name);
    }
    find_sizes();
    find_windows();
    find_vocabulary();
    find_positions();
    return std::move(form_);
  }

 private:
  static std::string list(const Metadata& tensors) {
    std::string text;
    for (const auto& [name, info] : tensors) text += (text.empty() ? "'" : ", '") + name + "'";
    return text.empty() ? "none" : text;
  }

  [[noreturn]] static void refuse(const std::string& name, const Metadata& tensors,
                                  std::string_view what) {
    std::vector<std::string_view> known;
    for (const auto& [each, info] : tensors) known.push_back(each);
    throw Error(fmt::format("The model has no {} '{}'", what, name),
                fmt::format("Its {}s are: {}. {}", what, list(tensors), did_you_mean(name, known)));
  }

  std::string given_input(const std::string& name) const {
    if (!name.empty() && !form_.inputs.contains(name)) refuse(name, form_.inputs, "input");
    return name;
  }

  // The first input with one of these parts in its name.
  template <typename Accept>
  std::string input_with(std::initializer_list<std::string_view> parts, Accept accept) const {
    for (const std::string_view part : parts) {
      for (const auto& [name, info] : form_.inputs) {
        if (contains(to_lower(name), part) && accept(name, info)) return name;
      }
    }
    return {};
  }

  void find_inputs() {
    const auto integers = [](std::string_view, const TensorInfo& info) { return is_integer(info); };
    form_.tokens = given_input(names_.tokens);
    if (form_.tokens.empty()) {
      form_.tokens = input_with({"decoder_input_ids", "input_ids", "token_ids", "tokens"},
                                [](std::string_view, const TensorInfo& info) {
                                  return is_integer(info) && rank_of(info) <= 2;
                                });
    }
    if (form_.tokens.empty()) {
      throw Error(fmt::format("No input of the model takes token ids: its inputs are {}",
                              list(form_.inputs)),
                  "A decoder has an input of integers with 'input_ids' or 'tokens' in its name. "
                  "Name it in a file.");
    }
    if (const TensorInfo& info = *form_.inputs.find(form_.tokens);
        rank_of(info) > 0 && info.shape->back().is_static())
      form_.step_tokens = info.shape->back().value();
    form_.mask = given_input(names_.mask);
    if (form_.mask.empty()) form_.mask = input_with({"attention_mask"}, is_decoders_mask);
    form_.positions = given_input(names_.positions);
    if (form_.positions.empty()) form_.positions = input_with({"position_ids"}, integers);
    form_.cache_positions = input_with({"cache_position"}, integers);
    form_.total_length = input_with({"total_sequence_length", "total_seq_len"}, integers);
    form_.lengths = input_with({"seqlens_k"}, integers);
    form_.uses_cache = input_with(
        {"use_cache_branch"},
        [](std::string_view, const TensorInfo& info) { return info.dtype == DataType::kBool; });
  }

  void find_logits() {
    form_.logits = names_.logits;
    if (!form_.logits.empty() && !outputs_.contains(form_.logits))
      refuse(form_.logits, outputs_, "output");
    for (const auto& [name, info] : outputs_) {
      if (form_.logits.empty() && contains(to_lower(name), "logits")) form_.logits = name;
    }
    // torch.onnx names outputs by operators: the first one is the model's.
    if (form_.logits.empty() && outputs_.size() > 0) {
      const auto& [name, info] = *outputs_.begin();
      if (is_floating(info.dtype) && rank_of(info) == 3) form_.logits = name;
    }
    if (form_.logits.empty()) {
      throw Error(
          fmt::format("No output of the model is logits: its outputs are {}", list(outputs_)),
          "An output has 'logits' in its name, or is the first and has the shape [batch, "
          "tokens, vocabulary]. Name it in a file.");
    }
  }

  bool is_used(const std::string& name) const {
    const std::array all{&form_.tokens,          &form_.mask,         &form_.positions,
                         &form_.cache_positions, &form_.total_length, &form_.lengths,
                         &form_.uses_cache};
    return std::any_of(all.begin(), all.end(), [&](const auto* each) { return *each == name; }) ||
           std::any_of(form_.states.begin(), form_.states.end(),
                       [&](const DecoderState& state) { return state.past == name; });
  }

  void add(const std::string& past, const std::string& present) {
    const TensorInfo &info = *form_.inputs.find(past), &made = *outputs_.find(present);
    const int64_t shifted = shifted_axis(info, made, form_.step_tokens);
    DecoderState& state = form_.states.emplace_back();
    state.past = past;
    state.present = present;
    state.axis = shifted >= 0 ? shifted : growing_axis(info, made);
    state.info = info;
    state.once = is_of_encoder(past);
    if (shifted >= 0) state.span = state.past_length() + form_.step_tokens;
  }

  void match_as_given() {
    for (const auto& [past, present] : names_.caches) {
      given_input(past);
      if (!outputs_.contains(present)) refuse(present, outputs_, "output");
      add(past, present);
    }
  }

  void match_by_name() {
    for (const auto& [name, info] : form_.inputs) {
      if (is_used(name) || (is_of_encoder(name) && form_.uses_cache.empty())) continue;
      for (const auto& [output, made] : outputs_) {
        if (output == form_.logits || without_tense(output) != without_tense(name)) continue;
        if (may_match(info, made, form_.step_tokens)) add(name, output);
        break;
      }
    }
  }

  void match_by_order() {
    std::vector<std::string> pasts, presents;
    for (const auto& [name, info] : form_.inputs) {
      if (!is_used(name) && is_floating(info.dtype) && rank_of(info) >= 3) pasts.push_back(name);
    }
    for (const auto& [name, info] : outputs_) {
      if (name != form_.logits) presents.push_back(name);
    }
    if (pasts.size() != presents.size()) return;
    for (size_t i = 0; i < pasts.size(); ++i) {
      if (!may_match(*form_.inputs.find(pasts[i]), *outputs_.find(presents[i]), form_.step_tokens))
        return;
    }
    for (size_t i = 0; i < pasts.size(); ++i) {
      add(pasts[i], presents[i]);
      form_.states.back().guessed = true;
    }
  }

  // The builder of ONNX Runtime GenAI leaves the size of heads open.
  void find_sizes() {
    for (const graphsurgeon::TensorRef& input : model_.graph->inputs()) {
      for (const DecoderState& state : form_.states) {
        if (state.past != input->name() || !state.info.shape || state.info.shape->size() != 4)
          continue;
        const Dim& last = state.info.shape->back();
        if (last.is_static() || last.param().empty() || form_.sizes.contains(last.param()))
          continue;
        if (const auto size = head_size(*input)) form_.sizes[last.param()] = *size;
      }
    }
  }

  // The builder of ONNX Runtime GenAI makes them for layers that see a window of positions.
  void find_windows() {
    for (const graphsurgeon::TensorRef& input : model_.graph->inputs()) {
      for (DecoderState& state : form_.states) {
        if (state.past != input->name() || rank_of(state.info) < 3) continue;
        state.window = window_of(*input);
        if (state.window > 0) state.axis = -1;
      }
    }
  }

  // Of the logits, or else of the embeddings that the tokens select.
  void find_vocabulary() {
    const TensorInfo& logits = *outputs_.find(form_.logits);
    if (logits.shape && !logits.shape->empty() && logits.shape->back().is_static())
      form_.vocabulary = logits.shape->back().value();
    if (form_.vocabulary > 0) return;
    for (const graphsurgeon::TensorRef& input : model_.graph->inputs()) {
      if (input->name() != form_.tokens) continue;
      for (const Node* node : input->consumers()) {
        const auto rows = node->op() == "Gather" ? constant_size(*node, 0, 0) : std::nullopt;
        if (rows) form_.vocabulary = *rows;
      }
    }
  }

  // Of the main graph: nodes that rotate have a row of cosines for each position.
  void find_positions() {
    for (const graphsurgeon::NodeRef& node : model_.graph->nodes()) {
      const auto slot = table_of_positions(*node);
      const auto rows = slot ? constant_size(*node, *slot, 0) : std::nullopt;
      if (!rows || (form_.positions_known > 0 && *rows >= form_.positions_known)) continue;
      form_.positions_known = *rows;
      form_.position_table = node->inputs()[*slot]->name();
    }
  }

  const Model& model_;
  const DecoderNames& names_;
  const bool needs_cache_;
  const Metadata outputs_;
  DecoderForm form_;
};

}  // namespace

std::optional<int64_t> DecoderState::room() const {
  if (span > 0) return span;
  if (axis >= 0 || window > 0 || !info.shape || info.shape->size() < 3) return std::nullopt;
  const Dim& length = (*info.shape)[info.shape->size() - 2];
  return length.is_static() ? std::optional(length.value()) : std::nullopt;
}

DecoderForm decoder_form(const Model& model, const DecoderNames& names, bool needs_cache) {
  return Former(model, names, needs_cache).form();
}

std::string to_text(const DecoderForm& form) {
  std::string text;
  const auto say = [&](std::string_view what, const std::string& name) {
    if (!name.empty()) text += fmt::format("{}: {}\n", what, name);
  };
  say("tokens", form.tokens);
  say("mask", form.mask);
  say("positions", form.positions);
  say("positions in the cache", form.cache_positions);
  say("total length", form.total_length);
  say("lengths", form.lengths);
  say("whether there is a past", form.uses_cache);
  say("logits", form.logits);
  for (const DecoderState& state : form.states) {
    const std::string size =
        state.once         ? "as the first run made it"
        : state.span > 0   ? fmt::format("the last {} positions", state.past_length())
        : state.window > 0 ? fmt::format("a window of {} positions", state.window)
        : state.axis < 0   ? "of a fixed shape"
                           : fmt::format("grows along axis {}", state.axis);
    text += fmt::format("{} <- {}{}, {}\n", state.past, state.present,
                        state.guessed ? " (a guess by order)" : "", size);
  }
  for (const std::string& other : form.others)
    text += fmt::format("the same each time: {}\n", other);
  return text;
}

}  // namespace polygraphy
