#include "tensorrt/api/option_text.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>

namespace tensorrt::TENSORRT_FAMILY {

std::string spelling_of(std::string_view key) {
  std::string spelling = "--" + std::string(key);
  std::replace(spelling.begin(), spelling.end(), '_', '-');
  return spelling;
}

std::pair<std::string, std::string> split_key(const std::string& text, const std::string& option) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    throw pgb::bad_option(option + ": '" + text + "' has no name",
                          "Write NAME:" + text.substr(colon + 1) + ".");
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

int64_t whole_number(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || number < 0)
    throw pgb::bad_option(option + ": '" + text + "' is not a whole number of at least 0");
  return number;
}

std::pair<std::string, std::vector<int64_t>> parse_shape(const std::string& text) {
  const size_t colon = text.rfind(":[");
  std::vector<int64_t> shape;
  const char* at = colon == std::string::npos ? "" : text.c_str() + colon + 2;
  while (*at && *at != ']') {
    char* end = nullptr;
    shape.push_back(std::strtoll(at, &end, 10));
    if (end == at || (*end != ',' && *end != ']')) break;
    at = *end == ',' ? end + 1 : end;
  }
  if (*at != ']')
    throw pgb::bad_option("'" + text + "' is not a shape", "Write NAME:[1,3,224,224].");
  return {text.substr(0, colon), std::move(shape)};
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (const int64_t dim : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  return text + "]";
}

std::string shape_text(const nv::Dims& dims) {
  return shape_text(to_vector(dims));
}

std::vector<int64_t> to_vector(const nv::Dims& dims) {
  if (dims.nbDims < 0) return {};
  return {dims.d, dims.d + dims.nbDims};
}

nv::Dims to_dims(const std::vector<int64_t>& shape) {
  nv::Dims dims{};
  if (shape.size() > static_cast<size_t>(nv::Dims::MAX_DIMS)) {
    throw pgb::Failure("TensorRT supports at most " + std::to_string(nv::Dims::MAX_DIMS) +
                       " dimensions, but a shape is " + shape_text(shape));
  }
  dims.nbDims = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), dims.d);
  return dims;
}

bool matches(std::string_view pattern, std::string_view name) {
  return pattern == name ||
         fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

pgb::Failure not_available(const std::string& option, const Library& library,
                           const std::string& instead) {
  return pgb::bad_option(option + " is not available with " + library.name(), instead);
}

void require_version(int32_t least, const std::string& option, const Library& library) {
  if (library.family() == Family::kRtx || library.version_number() >= least) return;
  throw not_available(option, library,
                      "It needs TensorRT " + std::to_string(least / 10000) + "." +
                          std::to_string(least / 100 % 100) + ".");
}

}  // namespace tensorrt::TENSORRT_FAMILY
