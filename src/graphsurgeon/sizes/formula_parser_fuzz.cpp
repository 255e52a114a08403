// Input: the names of two dimensions, with a zero byte between them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "graphsurgeon/sizes/size_algebra.h"

using graphsurgeon::Dim;
using graphsurgeon::SizeAlgebra;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t zero = input.find('\0');
  const Dim a(input.substr(0, zero));
  const Dim b(zero == std::string_view::npos ? std::string_view() : input.substr(zero + 1));
  SizeAlgebra sizes;
  sizes.note_size(a);
  for (const Dim& result :
       {sizes.sum(a, b), sizes.difference(a, b), sizes.product(a, b), sizes.quotient(a, b),
        sizes.floor_quotient(a, b), sizes.remainder(a, b), sizes.floor(a), sizes.ceiling(a),
        sizes.minimum(a, b), sizes.maximum(a, b), sizes.broadcast(a, b)}) {
    if (result == Dim()) continue;
    require(sizes.is_equal(result, result));
    require(sizes.is_at_least(result, result));
    // The name alone is a formula or a name again.
    SizeAlgebra reader;
    require(reader.is_equal(result, result));
  }
  return 0;
}
