// How a language model takes tokens and keeps its cache: which inputs and outputs mean which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// The model has no cache, or none that matches.
inline constexpr ErrorCode kNoCache{"no-cache"};

// A tensor that a step returns and the next one takes: keys or values of attention, or a count.
struct DecoderState {
  std::string past, present;  // input, output
  // The axis of positions that grows with every token; -1: the shape stays, as in a buffer of a
  // fixed length.
  int64_t axis = -1;
  TensorInfo info = {};  // of the input
  bool guessed = false;  // matched by its place, not by its name
  bool once = false;     // of an encoder: all steps take the first run's
  // Positions of a buffer from which the model itself drops the oldest ones; 0: it has none.
  int64_t window = 0;
  // Of a past of a fixed length: its positions and the positions of the tokens behind it. With each
  // step the oldest ones leave it, so that the newest are the last; 0: another past.
  int64_t span = 0;

  // Positions that a buffer of a fixed length holds; nullopt: it grows, or is another input.
  std::optional<int64_t> room() const;
  // Positions of a past of a fixed length with the newest as the last.
  int64_t past_length() const { return (*info.shape)[static_cast<size_t>(axis)].value(); }
};

// A user's description of a model, in place of names and shapes.
struct DecoderNames {
  std::string tokens = {}, mask = {}, positions = {}, logits = {};  // empty: by name
  std::vector<std::pair<std::string, std::string>> caches = {};     // past, present; empty: by name
  std::map<std::string, int64_t> sizes = {};  // of named dimensions of caches: "past_length"
};

// Inputs that the model does not have are empty.
struct DecoderForm {
  std::string tokens;           // [batch, tokens]
  std::string mask;             // [batch, past + tokens]: 1 for positions that count
  std::string positions;        // [batch, tokens]
  std::string cache_positions;  // [tokens]
  std::string total_length;     // past + tokens, a scalar or [1]
  std::string lengths;          // [batch]: past + tokens - 1
  std::string uses_cache;       // a bool: there is a past
  std::string logits;           // [batch, tokens, vocabulary], or of the last token only
  std::vector<DecoderState> states;
  Metadata inputs;                       // of all inputs of the model
  std::vector<std::string> others;       // further inputs: the same for every step
  std::map<std::string, int64_t> sizes;  // of dimensions of states that the model leaves open
  int64_t step_tokens = 0;               // that each inference takes; 0: any number
  int64_t vocabulary = 0;                // number of tokens; 0: not known before a run
  // Positions that the model's shortest table of rotary angles has, and its name; 0: no table.
  int64_t positions_known = 0;
  std::string position_table;
};

// The names and shapes of exporters: Optimum, the builder of ONNX Runtime GenAI, torch.onnx and the
// exporter of transformers. States are matched by their names without "past", "present" and the
// like; where outputs have other names, by order, if number, types and shapes agree. Masks and
// caches of an encoder have "encoder" or "cross" in their names or their sizes' names; without a
// branch for the first run (`uses_cache`), nothing makes these caches, and they are inputs like
// others. Without `needs_cache`, there may be no states. Throws Error: kNoCache, no input of
// tokens, no logits, a name in `names` that the model lacks. O(nodes).
DecoderForm decoder_form(const graphsurgeon::Model& model, const DecoderNames& names = {},
                         bool needs_cache = true);

// "tokens: input_ids\nmask: …\npast_key_values.0.key <- present.0.key, grows along axis 2\n…".
std::string to_text(const DecoderForm& form);

}  // namespace polygraphy
