// The differences of two arrays as streams of blocks: nothing of the arrays' size is ever held.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/arrays/array.h"
#include "numerics/block_source.h"
#include "numerics/statistics.h"

namespace polygraphy {

struct Tolerances {
  double absolute = 1e-5, relative = 1e-5;
};

// Types: both sides are widened as the original does (float16 and smaller floats to float32, small
// integers to int32 …), then NumPy's rules for mixed types hold, with two exceptions. Differences
// of integers are exact, where the original's wrap around, and complex numbers are
// compared by the magnitude of their difference, where the original gives up. bool with bool:
// exclusive or.
class Difference {
 public:
  // Whether the types can be subtracted: everything but strings.
  static bool possible(DataType a, DataType b);

  // Equal numbers of elements (checked by assertion). The arrays must stay alive; the differences
  // have a's shape. `infinities_equal`: the same infinity on both sides differs by 0, not by NaN.
  Difference(const Array& a, const Array& b, Tolerances tolerances, bool infinities_equal);
  ~Difference();

  BlockSource& absolute();  // |a - b|
  BlockSource& relative();  // |a - b| / |b|; a floating b of 0 counts as 2.2e-16

  // The arrays themselves, sharing what has been converted for the differences; null for types
  // without a compute type. Read in turn with the differences, block by block, each array is read
  // once.
  BlockSource* a();
  BlockSource* b();

  // Statistics of absolute() and relative(), and with `arrays` of a() and b(), in the same passes.
  // Arrays of equal finite numbers have differences of 0, which are not computed.
  std::vector<Statistics> statistics(bool arrays, std::span<const double> extra_quantiles);

  // Known once statistics() were computed, or absolute() or relative() has been read to the end for
  // the first time.
  // Elements where both differences exceed their tolerance or are NaN.
  int64_t mismatches() const;
  // A floating b holds zeros.
  bool zeros_in_reference() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
