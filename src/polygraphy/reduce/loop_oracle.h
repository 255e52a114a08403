// Answers the questions of a search by checking candidates, one after the other.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/debug/loop.h"
#include "polygraphy/reduce/model_size.h"
#include "polygraphy/reduce/one_model.h"
#include "polygraphy/reduce/question.h"

namespace polygraphy {

class LoopOracle : public Oracle {
 public:
  // What is handed in must outlive this.
  LoopOracle(DebugLoop& loop, const WriteModel& write, Logger& log)
      : loop_(loop), write_(write), log_(log) {}

  // Keys of questions mean something else from now on.
  void begin_search() { known_.clear(); }
  // A candidate that passes is checked up to so many times.
  void set_tries(int tries) { tries_ = tries; }

  bool fails(const Question& question) override;
  bool fails(const graphsurgeon::Model& model);

  // The smallest that has failed so far, given away; null: none has.
  std::unique_ptr<graphsurgeon::Model> take_smallest() { return std::move(smallest_); }

 private:
  DebugLoop& loop_;
  const WriteModel& write_;
  Logger& log_;
  int tries_ = 1;
  std::map<std::string, bool> known_;
  std::unique_ptr<graphsurgeon::Model> smallest_;
  ModelSize smallest_size_;
};

}  // namespace polygraphy
