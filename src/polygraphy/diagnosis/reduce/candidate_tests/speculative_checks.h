// Checks candidates that will be needed next while the present one is checked.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check_slots.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/lookahead.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/write_model.h"
#include "polygraphy/models/candidates/model_fingerprint.h"

namespace polygraphy {

// A candidate's file is there already.
inline constexpr ErrorCode kCandidateFileInTheWay{"candidate-file-in-the-way"};

class SpeculativeChecks {
 public:
  struct Options {
    MakeCheck make_check;
    int jobs = 2;
    std::string path;  // of candidates: "folder/name.onnx" stands for "folder/name_1.onnx" …
    WriteModel write;
    CancelToken cancel = {};
    // Whether a candidate fails: by its key, by its fingerprint, by its verdict.
    std::function<std::optional<bool>(const std::string&)> answered = {};
    std::function<const Verdict*(const Checked&)> known = {};
    std::function<bool(const Verdict&)> fails = {};
    // How often a candidate that passes is checked.
    std::function<int()> tries = {};
    // Told of every verdict as soon as it is there.
    std::function<void(const Checked&, const Verdict&)> learned = {};
  };
  // Throws Error (kCandidateFileInTheWay). What is handed in must outlive this.
  SpeculativeChecks(Options options, const ModelFingerprints& fingerprints, const Logger& log);
  ~SpeculativeChecks();  // stops what is running; files of candidates go
  SpeculativeChecks(const SpeculativeChecks&) = delete;
  SpeculativeChecks& operator=(const SpeculativeChecks&) = delete;

  // What asks, from where it stands now; it must be there until it is told another one.
  void set_search(Search search) { search_ = std::move(search); }

  // A candidate that is asked for now: it is being checked from here on, if not before. What
  // writing it has to say goes to `log`.
  void begin(const Checked& checked, const Candidate& candidate, const graphsurgeon::Model& model,
             Logger& log);
  // The verdict on it. What the check has to say goes to `log`. Throws what the check throws,
  // Interrupted.
  Verdict verdict(const Checked& checked, Logger& log);

 private:
  struct Task {
    Checked checked;
    std::vector<KeptMessage> writing;
    std::optional<int> slot;  // where it is running
    std::optional<CheckSlots::Outcome> outcome;
  };
  using Tasks = std::list<Task>;

  const std::string& path_of(int slot) const { return paths_[static_cast<size_t>(slot)]; }
  Task* find(const Checked& checked);
  Task& start(int slot, const Checked& checked, const graphsurgeon::Model& model);
  void collect();
  void fill(const Task& needed);
  bool fill(const Task& needed, const Lookahead& lookahead, const Lookahead::Open& open,
            const std::set<Fingerprint>& wanted);
  std::optional<int> room(const Task* needed, const std::set<Fingerprint>& wanted);
  std::optional<bool> failed(const Checked& checked);
  std::optional<bool> answer(const std::string& key);
  std::optional<Checked> open_try(const Checked& first);
  double fail_rate() const;

  Options options_;
  const ModelFingerprints& fingerprints_;
  MessageKeeper writing_;
  CheckSlots slots_;
  const std::vector<std::string> paths_;  // of candidates, by slot
  Search search_;
  Tasks tasks_;                          // running, and over but not asked for yet
  std::map<std::string, Checked> made_;  // by key: the first try of its candidate
  std::set<std::string> not_made_;
  std::list<bool> latest_;  // answers, the last one first
  bool changed_ = false;    // something is known that was not when we looked ahead last
};

}  // namespace polygraphy
