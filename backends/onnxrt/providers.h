// Execution providers: names as the user types them, and plugin libraries by path.
#pragma once

#include <string>
#include <vector>

#include "onnxrt/library.h"

namespace onnxrt {

// The first of `available` that is `requested`, else the first that contains it or that it
// contains, in any letter case; empty without a match.
std::string match_provider(const std::string& requested, const std::vector<std::string>& available);

// Adds the providers to the session's options, in order of priority, and returns their names.
// Throws Failure: unknown name (with the original's text), a library that cannot be registered, a
// provider that is listed but not usable.
std::vector<std::string> add_providers(Library& library, OrtSessionOptions* options,
                                       const std::vector<std::string>& requested);

}  // namespace onnxrt
