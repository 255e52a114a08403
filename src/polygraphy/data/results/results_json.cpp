#include "polygraphy/data/results/results_json.h"

#include <optional>

#include "formats/array_json.h"

namespace polygraphy {
namespace {

template <typename Map, typename WriteArray>
void write(JsonWriter& json, const Map& outputs, std::optional<double> runtime,
           const std::string& runner_name, WriteArray write_array) {
  json.begin_object();
  json.key("outputs");
  json.begin_object();
  for (const auto& [name, array] : outputs) {
    json.key(name);
    write_array(json, array);
  }
  json.end_object();
  json.key("runtime");
  if (runtime) {
    json.number(*runtime);
  } else {
    json.null();
  }
  json.key("runner_name");
  json.string(runner_name);
  write_marker(json, "IterationResult");
  json.end_object();
}

}  // namespace

void begin_results(JsonWriter& json) {
  json.begin_object();
  json.key("lst");
  json.begin_array();
}

void begin_runner(JsonWriter& json, const std::string& name) {
  json.begin_array();
  json.string(name);
  json.begin_array();
}

void write_iteration(JsonWriter& json, const IterationResult& result) {
  write(json, result.outputs, result.runtime, result.runner_name, write_lazy_array);
}

void write_saved_iteration(JsonWriter& json, const SavedIteration& iteration) {
  write(json, iteration.outputs, iteration.runtime, iteration.runner_name, write_saved_lazy_array);
}

void end_runner(JsonWriter& json) {
  json.end_array();
  json.end_array();
}

void end_results(JsonWriter& json) {
  json.end_array();
  write_marker(json, "RunResults");
  json.end_object();
}

}  // namespace polygraphy
