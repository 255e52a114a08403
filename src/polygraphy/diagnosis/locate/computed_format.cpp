#include "polygraphy/diagnosis/locate/computed_format.h"

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/locate/requested_format.h"

namespace polygraphy {

std::optional<NumberFormat> computed_format(const LocateSide& side,
                                            const std::optional<RunnerMaker>& maker,
                                            const WholeModel& model) {
  if (!maker) return std::nullopt;
  const NumberFormat requested = requested_format(std::get<RunnerSpec>(side));
  const graphsurgeon::Model small = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 13]>
      small (float[1] x) => (float[1] y) { y = Add (x, x) })");
  const std::shared_ptr<Runner> runner = maker->make(model.write(small));
  try {
    const ActiveRunner active(*runner);
    return parse_number_format(runner->precision()).value_or(requested);
  } catch (const RunnerFailure&) {
    return requested;  // the model itself will show the error
  }
}

}  // namespace polygraphy
