#include "polygraphy/comparison/compare/accuracy/accuracy_writer.h"

namespace polygraphy {

void AccuracyWriter::add_pair(std::string runner0, std::string runner1) {
  pairs_.emplace_back(std::move(runner0), std::move(runner1));
  for (size_t i = 0; i < functions_; ++i) {
    parts_.push_back(std::make_unique<SpillFile>(out_.file.path(), kJudgedIterationDepth));
    empty_[i].emplace_back();
  }
}

void AccuracyWriter::add(size_t function, size_t pair, const OutputResults& outputs) {
  write_judged_iteration(part(function, pair).json(), outputs);
  empty_[function][pair].add(outputs);
}

void AccuracyWriter::finish(Logger& log) {
  announce_file(log, kAccuracyResults, out_.file.path());
  JsonWriter& json = out_.json;
  begin_accuracy_list(json);
  for (size_t function = 0; function < functions_; ++function) {
    begin_accuracy_list(json);
    for (size_t pair = 0; pair < pairs_.size(); ++pair) {
      begin_judged_pair(json, pairs_[pair].first, pairs_[pair].second);
      part(function, pair).copy_to(out_);
      end_judged_pair(json);
    }
    end_accuracy_result(json, average_, empty_[function]);
  }
  end_accuracy_results(json);
  out_.file.commit();
}

}  // namespace polygraphy
