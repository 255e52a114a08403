#include "polygraphy/diagnosis/consistency/rounding_noise.h"

#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

double RoundingNoise::largest(const std::string& output) {
  if (!noises_) {
    noises_.emplace();
    try {
      *noises_ = evaluate();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      failure_ = error.what();
    }
  }
  const auto found = noises_->find(output);
  const bool known = found != noises_->end() && found->second.of_elements.size() > 0;
  return known ? found->second.largest : 0;
}

Noises RoundingNoise::evaluate() {
  Logger quiet;
  const WholeModel model(std::move(*load_onnx(runs_.job().model, quiet)), runs_.folder());
  RunnerSpec spec = runs_.factory().isolated(bundled_runner_spec());
  spec.name = "noise";
  const RunnerMaker maker{runs_.factory(), spec, quiet};
  OutputNoise noise(model, maker,
                    {.dynamic_steps = runs_.facts().dynamic_steps,
                     .caches = caches_,
                     .cancel = runs_.job().cancel});
  noise.begin(feed_());
  noise.find(parse_number_format(runs_.precision()).value_or(NumberFormat::kFloat32),
             model.outputs());
  return noise.noises();
}

}  // namespace polygraphy
