// NaNs and infinities that correct engines make, by element.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// The kinds of numbers, finite, NaN, infinity, negative infinity, that evaluations gave. uint8 of
// each element: four bits of the exact value and of all evaluations, four of those that each
// evaluation gave. Without elements: all evaluations had the kinds of the exact value.
using NumberKinds = Array;

// Adds an evaluation, the first one or a later one. Of the same shape, O(elements).
void add_kinds(NumberKinds& kinds, const Array& exact, const Array& observed, bool first);

// NaNs and infinities on one side only, or of another kind, that no evaluation explains: elements
// whose number on either side is of a kind that none had. Where an evaluation had NaN, any number
// may follow. Numbers of `largest` and more overflow: they may be their infinity, or NaN. 0 if each
// kind has as few of these elements as there are some that evaluations gave this kind and others
// did not, because few evaluations do not find all. O(elements).
int64_t unexplained_kinds(const NumberKinds& kinds, const Array& reference, const Array& observed,
                          double largest);

}  // namespace polygraphy
