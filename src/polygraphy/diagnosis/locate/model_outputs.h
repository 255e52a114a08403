// The outputs of both sides for the model as it is: without marked tensors, as `run` runs it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "polygraphy/diagnosis/locate/judged_outputs.h"

namespace polygraphy {

// All functions throw what locate() throws.
class ModelOutputs {
 public:
  // Runs both sides once, the same runner in one session (run_second_session()). A saved side gives
  // the outputs that it has; an engine that refuses the model for its local functions runs it with
  // these inlined. `feeds`: one per sample. The arguments outlive it.
  ModelOutputs(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
               Logger& log);

  // A sentence for each side that ran a model with inlined functions.
  const std::vector<std::string>& notes() const { return notes_; }
  // Outputs of the model that are not the same on both sides, bit by bit.
  std::unordered_set<std::string> differing() const;
  // Of the reference, tensors that it has computed as outputs beside others; by sample.
  void read_marked(const std::vector<ArrayMap>& tensors);
  // Behind read_marked() of all outputs. True: a second session differs, and is now the target's.
  //
  // The same runner may compute otherwise in another session: engines choose kernels by their
  // times. But the session that has computed all tensors is another one. If its outputs are those
  // of the model as it is, except for the rounding of fused nodes, then both sessions are right or
  // both are wrong, and a third one costs a fifth of all for a rare finding: `check consistency`
  // looks for it. Else only one more session of the model as it is shows whether the first one is
  // wrong, or marked tensors change the result.
  bool run_second_session();
  // By noise_floor(). `measurements`: where the noise is known, it is not measured again.
  RunRecord by_noise(const Measurements& measurements) const;
  // By LocateJob::check.
  RunRecord by_check() const;
  // Whether any output is off by more than its noise in the model with all tensors marked.
  bool exceeds_noise(const Measurements& measurements) const;
  // How the results of a side differ when it runs the same input again, beyond the noise; empty:
  // they agree.
  std::string variation(const Measurements& measurements) const;

 private:
  struct Side : SideOutputs {
    ModelSource source;
    const WholeModel* model;             // not null
    const std::vector<ValueMap>* feeds;  // not null
  };

  std::string variation(const Side& side, const std::optional<RunnerMaker>& maker,
                        const Measurements& measurements) const;
  Side side_of(const LocateSide& side, bool of_reference) const;
  ArrayMap renamed(const Side& side, ArrayMap outputs) const;
  // `again`: gets the outputs of a second run in the same session; null: one run only.
  void run_once(const LocateSide& which, const std::optional<RunnerMaker>& maker, Side& side,
                std::vector<ArrayMap>* again = nullptr);
  bool is_alike(const Array& as_it_is, const Array& marked) const;

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  Logger& log_;
  Side reference_, target_;
  std::vector<std::string> notes_;
  const bool same_runner_;
  std::set<std::pair<size_t, std::string>> alike_;  // samples and outputs
};

}  // namespace polygraphy
