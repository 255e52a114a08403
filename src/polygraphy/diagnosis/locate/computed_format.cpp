#include "polygraphy/diagnosis/locate/computed_format.h"

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {

std::optional<NumberFormat> computed_format(const LocateRun& run, const WholeModel& model) {
  if (!run.target) return std::nullopt;
  const graphsurgeon::Model small = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 13]>
      small (float[1] x) => (float[1] y) { y = Add (x, x) })");
  const std::shared_ptr<Runner> runner = run.target->make(model.write(small));
  try {
    const ActiveRunner active(*runner);
    return parse_number_format(runner->precision());
  } catch (const RunnerFailure&) {
    return std::nullopt;  // the model itself will show the error
  }
}

}  // namespace polygraphy
