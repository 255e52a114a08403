// The recording: one line per call that changes something, in the file that the variable
// PG_TENSORRT_DOUBLE_RECORD names, for instance
//     IBuilderConfig.setMemoryPoolLimit(kWORKSPACE, 1048576)
//     ITensor["x"].setType(kHALF)
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "names.h"

namespace tensorrt_double {

bool is_recording();
void record_line(std::string_view line);

// A number whose bits are values of an enumeration.
template <class Enum>
struct Mask {
  uint32_t bits;
};

std::string text_of(const char* text);
std::string text_of(const nvinfer1::Dims& dims);
std::string text_of(const nvinfer1::Weights& weights);

template <class Enum>
std::string text_of(Mask<Enum> mask) {
  std::string text;
  for (int bit = 0; bit < 32; ++bit) {
    if (!(mask.bits >> bit & 1)) continue;
    const char* name = name_of(static_cast<Enum>(bit));
    text += (text.empty() ? "" : "|") + (name ? std::string(name) : fmt::format("bit {}", bit));
  }
  return text.empty() ? "0" : text;
}

template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<Value>) {
    if constexpr (requires { name_of(value); }) {
      if (const char* name = name_of(value)) return name;
    }
    return fmt::format("{}", static_cast<int64_t>(value));
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_pointer_v<Value>) {
    using Pointee = std::remove_cv_t<std::remove_pointer_t<Value>>;
    if (!value) return "null";
    if constexpr (std::is_same_v<Pointee, nvinfer1::ILayer> ||
                  std::is_same_v<Pointee, nvinfer1::ITensor>) {
      return text_of(value->getName());
    } else {
      return "object";
    }
  } else if constexpr (std::is_same_v<Value, nvinfer1::ITensor>) {
    return text_of(value.getName());
  } else {
    return "object";
  }
}

// `impl`: whose call it is; one with a subject() is named.
template <class Impl, class... A>
void record_call(const Impl& impl, std::string_view interface, std::string_view function,
                 const A&... arguments) {
  if (!is_recording()) return;
  std::string line(interface);
  if constexpr (requires { impl.subject(); }) line += fmt::format("[\"{}\"]", impl.subject());
  line += fmt::format(".{}(", function);
  std::string_view comma;
  (((line += comma) += text_of(arguments), comma = ", "), ...);
  record_line(line + ")");
}

}  // namespace tensorrt_double
