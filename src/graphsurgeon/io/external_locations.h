// The locations of external data in a model's file, before a runtime opens them.
#pragma once

#include <string_view>

#include "graphsurgeon/ir/payloads/external_payload.h"

namespace graphsurgeon {

// Throws Error for the first tensor with external data that ExternalFolder refuses. Checks all
// tensors that a reader may find, in nested graphs, attributes, functions, sparse tensors and
// training, also ones that are not declared as external. Missing files are left to the reader.
// Bytes that are not a model end the check. O(structure); reads no values.
void check_external_locations(std::string_view model, const ExternalFolder& folder);

}  // namespace graphsurgeon
