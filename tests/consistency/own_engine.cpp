#include "own_engine.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

namespace polygraphy {
namespace {

const std::string kSaved = "what the engine has made";

class OwnEngine : public Runner {
 public:
  OwnEngine(ComputeRow compute, Circumstances session, int64_t rows)
      : Runner("own"), compute_(std::move(compute)), session_(std::move(session)), rows_(rows) {}

 private:
  void activate_impl() override {
    if (const std::string path = session_.value("save"); !path.empty())
      std::ofstream(path) << kSaved;
    if (const std::string folder = session_.value("cache"); !folder.empty())
      std::ofstream(folder + "/compiled") << kSaved;
  }
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override {
    const DimList shape = {rows_ > 0 ? Dim(rows_) : Dim("N"), Dim(1)};
    return {{"x", {.dtype = DataType::kFloat32, .shape = shape}}};
  }
  Inference infer_impl(const ValueMap& feeds) override {
    const Array& x = feeds.find("x")->tensor();
    std::vector<float> all, y;
    for (int64_t i = 0; i < x.size(); ++i) all.push_back(static_cast<float>(x.get_double(i)));
    Circumstances now = session_;
    now.rows = x.size();
    for (now.row = 0; now.row < x.size(); ++now.row)
      y.push_back(compute_(all[static_cast<size_t>(now.row)], all, now));
    ++session_.run;
    Inference inference;
    inference.outputs.set("y", Array::of<float>({x.size(), 1}, std::span<const float>(y)));
    return inference;
  }

  ComputeRow compute_;
  Circumstances session_;
  int64_t rows_;
};

class EngineOfTwoInputs : public Runner {
 public:
  EngineOfTwoInputs() : Runner("two") {}

 private:
  void activate_impl() override {}
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return {{"x", {}}, {"w", {}}}; }
  Inference infer_impl(const ValueMap&) override { return {}; }
};

class CountingFeeds : public FeedSource {
 public:
  explicit CountingFeeds(int64_t rows) : rows_(std::max<int64_t>(rows, 1)) {}
  std::optional<ValueMap> next(const Metadata&) override {
    std::vector<float> x;
    for (int64_t i = 0; i < rows_; ++i) x.push_back(next_++);
    return ValueMap{{"x", Value(Array::of<float>({rows_, 1}, std::span<const float>(x)))}};
  }

 private:
  int64_t rows_;
  float next_ = 1;
};

OwnEngines::Make made_by(ComputeRow compute, int64_t rows) {
  const auto sessions = std::make_shared<int>(0);
  return [compute = std::move(compute), sessions, rows](const RunnerSpec& spec,
                                                        const ModelSource& source) {
    return std::make_shared<OwnEngine>(compute,
                                       Circumstances{.session = (*sessions)++,
                                                     .own_process = spec.isolated,
                                                     .reloaded = source.path != "model.own",
                                                     .options = spec.session.options},
                                       rows);
  };
}

}  // namespace

std::vector<std::string> Circumstances::values(const std::string& key) const {
  for (const auto& [name, values] : options) {
    if (name == key) return values;
  }
  return {};
}

std::string Circumstances::value(const std::string& key) const {
  const std::vector<std::string> given = values(key);
  return given.empty() ? "" : given.front();
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

EngineSwitches all_switches() {
  EngineSwitches switches{.threads = "threads",
                          .level = "level",
                          .levels = {"off", "basic", "all"},
                          .disable = "without",
                          .save = "save",
                          .saved_format = "own"};
  for (int i = 1; i <= 9; ++i) switches.optimizers.push_back("Fuse" + std::to_string(i));
  return switches;
}

OwnJob own_job(ComputeRow compute, EngineSwitches switches, int64_t rows) {
  OwnJob job;
  job.model = {.path = "model.own", .format = "own"};
  job.engines.push_back({.backend = "own", .name = "own"});
  job.factory->engines.set("own", {made_by(std::move(compute), rows), std::move(switches)});
  job.make_feeds = [rows] { return std::make_unique<CountingFeeds>(rows); };
  return job;
}

void add_engine(OwnJob& job, const std::string& name, ComputeRow compute) {
  job.engines.push_back({.backend = "own", .name = name});
  job.factory->engines.set(name, {made_by(std::move(compute), 0)});
}

std::shared_ptr<Runner> engine_of_two_inputs() {
  return std::make_shared<EngineOfTwoInputs>();
}

std::vector<std::string> verdicts(const ConsistencyResult& result) {
  std::vector<std::string> verdicts;
  for (const ConsistencyRow& row : result.rows)
    verdicts.push_back(row.check + ": " + std::string(name_of(row.verdict)));
  return verdicts;
}

std::vector<std::string> found_by(const ConsistencyResult& result) {
  std::vector<std::string> checks;
  for (const ConsistencyRow& row : result.rows) {
    const bool found = row.verdict <= ConsistencyVerdict::kDiffers;
    if (found && (checks.empty() || checks.back() != row.check)) checks.push_back(row.check);
  }
  return checks;
}

const ConsistencyRow& row_of(const ConsistencyResult& result, const std::string& check) {
  for (const ConsistencyRow& row : result.rows) {
    if (row.check == check) return row;
  }
  throw Error("no row of " + check);
}

}  // namespace polygraphy
