// Labels of the samples of a data set, read from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "base/error.h"

namespace polygraphy {

// Fewer labels than samples, or more.
inline constexpr ErrorCode kOtherNumberOfLabels{"other-number-of-labels"};

// Of one sample: a text, or numbers of any shape. Of a detector: boxes [N,4] and classes [N].
struct Label {
  std::optional<std::string> text = {};
  Array values = {};
  Array boxes = {};
  int64_t number = 0;  // of the label in its file
};

// In their order. `source` names the file in messages.
struct Labels {
  std::string source;
  std::vector<Label> all = {};

  // The same with one label for each row of `rank` dimensions: [10,4] are 40 of rank 0. Texts and
  // boxes stay.
  Labels rows(int64_t rank) const;
  // Whether rows() has other labels.
  bool has_rows(int64_t rank) const;
};

// By the contents: an array with samples in its first dimension (of several in a file, the one
// named "labels"), a JSON list of numbers, texts, lists, or {"boxes": ..., "labels": ...}; other
// texts have one label per line. Throws IoError, FormatError.
Labels load_labels(const std::string& path);
// Of a text: JSON if it begins as such.
Labels parse_labels(std::string_view text, const std::string& source);

}  // namespace polygraphy
