// Names of tensors and of formats among the arguments of a call: an unknown one is an error before
// the work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"

namespace native {

// The inputs and outputs of a model, and the constants that are not inputs for engines.
class ModelNames {
 public:
  // nullopt: a model of another format than ONNX, or one that cannot be read: its engine has the
  // names, or the error. Reads no values.
  static std::optional<ModelNames> of(const polygraphy::ModelSource& source);

  // Throw Error for a name that no input, or output, has.
  void check_input(std::string_view name) const;
  // A pattern and the name of an item of a sequence ("x[0]") stand for inputs as well.
  void check_inputs_named_by(std::string_view name) const;
  void check_output(std::string_view name) const;

 private:
  std::vector<std::string> inputs_, outputs_, constants_;
};

// "float16". Throws Error for an unknown one.
polygraphy::NumberFormat number_format_named(std::string_view name);

// Throws Error for values that an engine with `inputs` would not read, unless the model `source`
// has an input of the name: the engine does not need it then.
void check_feed_names(const polygraphy::ValueMap& feed, const polygraphy::Metadata& inputs,
                      const polygraphy::ModelSource& source);

// Throws Error for limits and post-processings of an output that no result has.
void check_output_names(const polygraphy::CompareOptions& options,
                        const std::vector<polygraphy::IterationResult>& results);

}  // namespace native
