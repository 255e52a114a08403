#include "polygraphy/diagnosis/zoo/zoo_times.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/record_json.h"

namespace polygraphy {
namespace {

struct EngineTimes {
  std::string engine;
  ZooCost cost;
};

constexpr auto record_of(RecordOf<EngineTimes>) {
  return record<EngineTimes>(
      "ZooEngineTimes", "Time and memory of an engine with a model.",
      member("engine", &EngineTimes::engine, "Its name."),
      member(
          "load_seconds", [](auto& of) -> auto& { return of.cost.load_seconds; }, "Of one load."),
      member(
          "run_seconds", [](auto& of) -> auto& { return of.cost.run_seconds; },
          "Of one inference."),
      member(
          "peak_bytes", [](auto& of) -> auto& { return of.cost.peak_bytes; },
          "Memory of the engine's processes meanwhile."));
}

struct ModelTimes {
  std::string model;
  std::vector<EngineTimes> engines;
};

constexpr auto record_of(RecordOf<ModelTimes>) {
  return record<ModelTimes>("ZooModelTimes", "The times of a model.",
                            member("model", &ModelTimes::model, "Its path."),
                            member("engines", &ModelTimes::engines, "In their order."));
}

struct ZooTimes {
  std::vector<ModelTimes> models;
};

constexpr auto record_of(RecordOf<ZooTimes>) {
  return record<ZooTimes>("ZooTimes", "The times of a zoo.", form("polygraphy_zoo_times", 1),
                          member("models", &ZooTimes::models, "In their order."));
}

}  // namespace

std::string times_json(const ZooResult& result) {
  ZooTimes times;
  for (const ZooModelResult& model : result.models) {
    ModelTimes& of_model = times.models.emplace_back();
    of_model.model = model.model;
    for (const ZooEngineResult& engine : model.engines)
      of_model.engines.push_back({engine.engine, engine.cost});
  }
  return record_json(times);
}

void add_times(std::string_view text, std::string source, ZooResult& result) {
  const auto times =
      parse_record<ZooTimes>(text, std::move(source), "these are not the times of a zoo.");
  for (size_t i = 0; i < std::min(times.models.size(), result.models.size()); ++i) {
    ZooModelResult& model = result.models[i];
    const ModelTimes& of_model = times.models[i];
    if (of_model.model != model.model) continue;
    for (size_t k = 0; k < std::min(of_model.engines.size(), model.engines.size()); ++k) {
      if (model.engines[k].engine == of_model.engines[k].engine)
        model.engines[k].cost = of_model.engines[k].cost;
    }
  }
}

}  // namespace polygraphy
