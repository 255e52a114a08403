// Verdicts that outlive the run: how a reduction goes on after it was killed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "polygraphy/debug/check.h"

namespace polygraphy {

// A candidate (model_digest.h), and which time it is checked: 0 is the first.
struct Checked {
  std::string digest;
  int time = 0;
  friend auto operator<=>(const Checked&, const Checked&) = default;
};

// Verdicts on disk: a first line that says of which reduction, then one line per verdict, written
// at once when it is known. A last line that a kill has cut short is left out. JSON.
class Journal {
 public:
  // `reduction` tells a reduction from others: its model, its check. With `resume`, verdicts that
  // are there already are read; a file that is not there is begun. Throws Error for a file that is
  // there without `resume`, and for one of another reduction; FormatError; IoError.
  Journal(std::string path, const std::string& reduction, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::map<Checked, Verdict>& before() const { return before_; }
  // Throws IoError: a full disk.
  void add(const Checked& checked, const Verdict& verdict);

 private:
  void write(const std::string& line);

  std::string path_;
  int fd_ = -1;
  std::map<Checked, Verdict> before_;
};

}  // namespace polygraphy
