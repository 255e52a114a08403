// Verdicts that outlive the run, so that a killed reduction can continue.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/os/files/descriptor.h"
#include "polygraphy/diagnosis/debug_loop/check.h"

namespace polygraphy {

// A candidate (model_fingerprint.h), and which time it is checked: 0 is the first.
struct Checked {
  Fingerprint model;
  int time = 0;
  friend auto operator<=>(const Checked&, const Checked&) = default;
};

inline constexpr ErrorCode kJournalExists{"journal-exists"}, kJournalInUse{"journal-in-use"},
    kForeignJournal{"foreign-journal"};

// Verdicts on disk: a first line that identifies the reduction, then one line per verdict, written
// at once when it counts, and the paths of candidates, so that files that a kill has left behind
// are recognized. A last line that a kill has truncated is left out. JSON.
class Journal {
 public:
  // `reduction` identifies the reduction: its model, its check. With `resume`, the verdicts of an
  // existing file are read; a missing file is created. Throws Error: a file exists without `resume`
  // (kJournalExists), another process writes it (kJournalInUse), it belongs to another reduction or
  // version (kForeignJournal); FormatError; IoError.
  Journal(std::string path, const std::string& reduction, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::map<Checked, CheckResult>& before() const { return before_; }
  // Throws IoError: a full disk.
  void add(const Checked& checked, const CheckResult& verdict);

  // Until this is destroyed, candidates are written to these files, and their writer removes them.
  // Removes files now that killed runs have left behind. Throws IoError.
  void write_candidates_to(const std::vector<std::string>& paths);

 private:
  void write(const std::string& line);
  // Of the contents, those behind the heading, which ends at `end`.
  void read_lines(std::string_view text, size_t end);

  std::string path_;
  FileDescriptor file_;
  std::map<Checked, CheckResult> before_;
  std::set<std::string> left_behind_;  // files of candidates of a run that did not end
  bool writes_candidates_ = false;
};

}  // namespace polygraphy
