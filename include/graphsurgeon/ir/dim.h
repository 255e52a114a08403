// Dimensions of tensors: a shape may be partly unknown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graphsurgeon {

// One dimension: a number, a symbolic name, or unknown (neither value nor name).
class Dim {
 public:
  Dim() = default;                                     // unknown
  Dim(int64_t value) : value_(value), known_(true) {}  // NOLINT(google-explicit-constructor)
  Dim(std::string_view param) : param_(param) {}       // NOLINT(google-explicit-constructor)
  Dim(const char* param) : param_(param) {}            // NOLINT(google-explicit-constructor)

  bool is_static() const { return known_ && value_ >= 0; }
  bool has_value() const { return known_; }
  int64_t value() const { return value_; }             // only if has_value()
  const std::string& param() const { return param_; }  // the symbolic name; may be empty
  friend bool operator==(const Dim&, const Dim&) = default;

 private:
  int64_t value_ = -1;
  bool known_ = false;
  std::string param_;
};
using DimList = std::vector<Dim>;

}  // namespace graphsurgeon
