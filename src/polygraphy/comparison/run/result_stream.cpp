#include "polygraphy/comparison/run/result_stream.h"

#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

class LoadedResults : public ResultStream {
 public:
  LoadedResults(std::string path, Logger& log, bool deferred, TorchReader torch)
      : path_(std::move(path)), log_(log), deferred_(deferred), torch_(std::move(torch)) {}

  std::optional<std::vector<IterationResult>> next() override {
    if (!reader_) reader_ = std::make_unique<OutputReader>(path_, log_, torch_);
    auto iteration = deferred_ ? reader_->next_deferred() : reader_->next();
    if (!iteration) return std::nullopt;
    std::vector<IterationResult> results;
    for (size_t i = 0; i < iteration->size(); ++i) {
      std::optional<IterationResult>& result = (*iteration)[i];
      if (!result) continue;
      // The name under which the runner is listed; the one inside need not be the same.
      if (i < reader_->runner_names().size()) result->runner_name = reader_->runner_names()[i];
      result->file = path_;
      results.push_back(std::move(*result));
    }
    return results;
  }

 private:
  std::string path_;
  Logger& log_;
  bool deferred_;
  TorchReader torch_;
  std::unique_ptr<OutputReader> reader_;
};

class StoredResults : public ResultStream {
 public:
  explicit StoredResults(const RunResults& results) : results_(results) {}

  std::optional<std::vector<IterationResult>> next() override {
    std::vector<IterationResult> results;
    for (const auto& [name, iterations] : results_.runners) {
      if (next_ >= iterations.size()) continue;
      results.push_back(iterations[next_]);
      results.back().runner_name = name;
    }
    if (results.empty()) return std::nullopt;
    ++next_;
    return results;
  }

 private:
  const RunResults& results_;
  size_t next_ = 0;
};

class EditedResults : public ResultStream {
 public:
  EditedResults(std::unique_ptr<ResultStream> inner,
                std::function<void(std::vector<IterationResult>&)> edit)
      : inner_(std::move(inner)), edit_(std::move(edit)) {}

  std::optional<std::vector<IterationResult>> next() override {
    auto results = inner_->next();
    if (results) edit_(*results);
    return results;
  }
  void close() override { inner_->close(); }
  void abandon() noexcept override { inner_->abandon(); }

 private:
  std::unique_ptr<ResultStream> inner_;
  std::function<void(std::vector<IterationResult>&)> edit_;
};

}  // namespace

std::unique_ptr<ResultStream> loaded_results(std::string path, Logger& log, bool deferred,
                                             TorchReader torch) {
  return std::make_unique<LoadedResults>(std::move(path), log, deferred, std::move(torch));
}

std::unique_ptr<ResultStream> stored_results(const RunResults& results) {
  return std::make_unique<StoredResults>(results);
}

std::unique_ptr<ResultStream> edited(std::unique_ptr<ResultStream> inner,
                                     std::function<void(std::vector<IterationResult>&)> edit) {
  return std::make_unique<EditedResults>(std::move(inner), std::move(edit));
}

}  // namespace polygraphy
