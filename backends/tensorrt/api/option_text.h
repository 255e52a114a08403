// Texts of option values, in the forms that the host hands over.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tensorrt/api/headers.h"

namespace tensorrt::TENSORRT_FAMILY {

// "pool_limit" -> "--pool-limit".
std::string spelling_of(std::string_view key);
// "NAME:VALUE", split at the last colon. Throws pgb::Failure.
std::pair<std::string, std::string> split_key(const std::string& text, const std::string& option);
// Throws pgb::Failure.
int64_t whole_number(const std::string& text, const std::string& option);
// "NAME:[2,-1]" of PGB_SHAPE. Throws pgb::Failure for anything else.
std::pair<std::string, std::vector<int64_t>> parse_shape(const std::string& text);
// "[2, -1]".
std::string shape_text(const std::vector<int64_t>& shape);
std::string shape_text(const nv::Dims& dims);
std::vector<int64_t> to_vector(const nv::Dims& dims);
// Of at most nv::Dims::MAX_DIMS dimensions. Throws pgb::Failure for more.
nv::Dims to_dims(const std::vector<int64_t>& shape);
// Whether the name is the pattern, or one that it matches: "*" and "?" stand for any characters and
// one.
bool matches(std::string_view pattern, std::string_view name);

// The error for an option that this TensorRT lacks.
pgb::Failure not_available(const std::string& option, const Library& library,
                           const std::string& instead = {});
// For calls that the first libraries of this family lack: their tables end before them. `least`:
// getInferLibVersion() of the first that has it. Throws pgb::Failure.
void require_version(int32_t least, const std::string& option, const Library& library);

}  // namespace tensorrt::TENSORRT_FAMILY
