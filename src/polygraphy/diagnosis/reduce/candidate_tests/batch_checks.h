// Checks of one batch of candidates, side by side.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check_slots.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/write_model.h"
#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

// A candidate's file is there already.
inline constexpr ErrorCode kCandidateFileInTheWay{"candidate-file-in-the-way"};

class BatchChecks {
 public:
  struct Options {
    MakeCheck make_check;
    int jobs = 2;
    std::string path;  // of candidates: "folder/name.onnx" stands for "folder/name_1.onnx" …
    WriteModel write;
    CancelToken cancel = {};
  };
  // One check of a candidate.
  struct Try {
    Checked checked;
    std::shared_ptr<const graphsurgeon::Model> model;
  };

  // Throws Error (kCandidateFileInTheWay).
  BatchChecks(Options options, const Logger& log);
  ~BatchChecks();  // stops what is running; files of candidates go
  BatchChecks(const BatchChecks&) = delete;
  BatchChecks& operator=(const BatchChecks&) = delete;

  // Starts the check of a try that is needed now, unless it runs already. Messages of writing the
  // candidate go to `log`.
  void begin(const Try& needed, Logger& log);
  // The verdict on it. Meanwhile the other slots check the tries of `next`; their outcomes are kept
  // until they are needed, or until they must make room. Messages of the check go to `log`. Throws
  // what the check throws, Interrupted.
  CheckResult verdict(const Checked& needed, const Upcoming<Try>& next, Logger& log);

 private:
  struct Task {
    Checked checked;
    std::vector<KeptMessage> writing;
    std::optional<int> slot;  // where it is running
    std::optional<CheckSlots::Outcome> outcome;
  };
  using Tasks = std::list<Task>;

  const std::string& path_of(int slot) const { return paths_[static_cast<size_t>(slot)]; }
  Tasks::iterator find(const Checked& checked);
  bool is_over(const Checked& checked);
  Tasks::iterator start(const Try& what, const std::set<Checked>& wanted);
  int make_room(const std::set<Checked>& wanted);
  void collect();
  void fill(const Checked& needed, std::vector<Try>& batch, const Upcoming<Try>& next);

  Options options_;
  MessageKeeper writing_;
  CheckSlots slots_;
  const std::vector<std::string> paths_;  // of candidates, by slot
  Tasks tasks_;                           // running, and over but not needed yet
};

}  // namespace polygraphy
