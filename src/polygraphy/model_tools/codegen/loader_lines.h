// The loaders of a script: variables, and each one's Python text.
#pragma once

#include <string>

#include "base/ordered_map.h"

namespace polygraphy {

class LoaderLines {
 public:
  // The variable of `text`: the one that is that already, or else a new one, called `variable`, or
  // `variable`_1 … where that is something else.
  std::string add(const std::string& variable, const std::string& text);
  // VARIABLE = TEXT, a line each.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  OrderedMap<std::string> variables_;  // by their text
  OrderedMap<int> used_;               // names of variables
};

}  // namespace polygraphy
