// Traps of dumps: tensors that another program has captured so that a comparison says nothing about
// the models. One file per trap under traps/; each defines one descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

struct TensorTraits {
  std::string name;
  int64_t size = 0;
  // Real floats, enough of them: a few may well be zero. Else no trait below is set.
  bool floats = false;
  bool zeros = false;  // all are 0
  bool nans = false;   // all are NaN
};

// One iteration of a result.
struct Dump {
  std::string name;
  std::vector<TensorTraits> tensors = {};
};

// A dump beside the result that is compared with it: one without tensors if there is no other.
struct DumpPair {
  const Dump& dump;
  const Dump& other;
  std::vector<std::optional<size_t>> partners;  // by tensor of `dump`: its place in `other`

  // Null: it has none.
  const TensorTraits* partner(size_t tensor) const {
    return partners[tensor] ? &other.tensors[*partners[tensor]] : nullptr;
  }
};

struct DumpTrap {
  std::string_view name;
  // "Outputs of vllm.npz" + this + their names: "are all zeros, unlike the other side's".
  std::string_view seen;
  std::string_view remedy;  // sentences
  // A text for each tensor that fell into the trap: its name in quotes, and what else there is.
  std::vector<std::string> (*find)(const DumpPair& pair) = nullptr;
};

// All traps of the folder, in file order.
std::span<const DumpTrap* const> dump_traps();

// `name` in quotes.
std::string quoted(std::string_view name);

}  // namespace polygraphy
