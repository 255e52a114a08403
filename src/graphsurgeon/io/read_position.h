// The item of a model that is being read, which errors name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace graphsurgeon {

enum class ReadItem : uint8_t {
  kNone,
  kNode,
  kInitializer,
  kSparseInitializer,
  kInput,
  kOutput,
  kValueInfo
};

struct ReadPosition {
  ReadItem item = ReadItem::kNone;
  size_t index = 0;  // in its list
  std::string_view message = {};

  // "node 3 ('conv', Conv)". Empty when nothing is being read.
  std::string text() const;
};

}  // namespace graphsurgeon
