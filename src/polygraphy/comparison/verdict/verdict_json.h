// A verdict in JSON reports.
#pragma once

#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// {"agreement": "differs", "target": ..., "reference": ..., "measure": ..., "unit": "output",
// "total": 3, "compared": 3, "empty": 0, "off": 1, "samples": 1, "worst": "y", "excess": 4.2,
// "headline": ...}: `worst` and `excess` are null if they are not known; an infinite excess is the
// text "Infinity". With "reason" if there is one, and "tokens": {"compared": 4096, "flips": 37,
// "near_ties": 35, "wrong": 2, "first_wrong": "logits[0, 811]", "noise_known": true} if outputs
// were judged by tokens.
void write_verdict(JsonWriter& json, const Verdict& verdict);
// The value of a name_of(). Throws FormatError.
Agreement read_agreement(JsonReader& json);
// The verdict that write_verdict() has written. Throws FormatError.
Verdict read_verdict(JsonReader& json);

}  // namespace polygraphy
