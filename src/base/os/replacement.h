// A file put in the place of another one, which can be put back.
#pragma once

#include <string>

#include "base/os/temporaries.h"

namespace polygraphy {

class Replacement {
 public:
  Replacement() = default;
  ~Replacement() { finish(); }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  // Renames `file` to `target`; the old file, if there is one, gets a temporary name. Returns 0 or
  // the error number; in case of an error, nothing has changed.
  int replace(NotedTemporary& file, const std::string& target);
  // The old file is back, or `target` is missing again. At most once after replace().
  void undo();
  // Removes the old file.
  void finish();

 private:
  std::string target_;
  NotedTemporary old_;
};

}  // namespace polygraphy
