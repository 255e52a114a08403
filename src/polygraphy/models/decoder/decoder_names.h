// A user's description of a language model's inputs and outputs.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

// {"tokens": "input_ids", "mask": ..., "positions": ..., "logits": ..., "caches": {"past":
// "present"}, "sizes": {"head_size": 64}}: all members may be missing. `source` names the text in
// messages. Throws FormatError.
DecoderNames parse_decoder_names(std::string_view json, std::string source);
// Of a file of that form. Throws IoError, FormatError.
DecoderNames load_decoder_names(const std::string& path);

}  // namespace polygraphy
