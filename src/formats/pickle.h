// Reads Python's pickles of plain data as values. Nothing is imported or called: a call stays a
// value that names the function, and the reader of the file decides which names are known. Source:
// the comments of Lib/pickletools.py of CPython.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polygraphy {

enum class PickleKind : uint8_t {
  kOpaque,      // None, a bool, a float, an integer beyond 64 bits
  kInteger,     // number
  kText,        // text
  kTuple,       // items
  kList,        // items
  kDict,        // items: key, value, key, value
  kGlobal,      // text: "collections.OrderedDict"
  kCall,        // callee, arguments; items: keys and values that were put into its result
  kPersistent,  // items: the one that says which object outside the pickle it is
};

struct PickleValue {
  PickleKind kind = PickleKind::kOpaque;
  uint32_t callee = 0, arguments = 0;  // places in Pickle::values
  int64_t number = 0;
  std::string text;
  std::vector<uint32_t> items;  // places in Pickle::values, as everything that refers to a value
};

struct Pickle {
  std::vector<PickleValue> values;
  uint32_t root = 0;

  const PickleValue& at(uint32_t place) const { return values[place]; }
};

// Reads protocols 2 to 5. Values may contain themselves. Throws FormatError: damage, opcodes of
// other objects, more than 64 MiB, more than 4 million values. `what` names the pickle in messages.
Pickle read_pickle(std::span<const std::byte> bytes, const std::string& what);

}  // namespace polygraphy
