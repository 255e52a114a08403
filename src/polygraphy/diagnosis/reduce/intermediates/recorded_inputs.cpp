#include "polygraphy/diagnosis/reduce/intermediates/recorded_inputs.h"

#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"

namespace polygraphy {
namespace {

using log_modules::kReduce;

bool fits(const Array& value, const TensorInfo& info) {
  if (info.dtype != DataType::kUndefined && value.dtype() != info.dtype) return false;
  if (!info.shape) return true;
  if (info.shape->size() != value.shape().size()) return false;
  for (size_t i = 0; i < value.shape().size(); ++i) {
    const Dim& dim = (*info.shape)[i];
    if (dim.has_value() && dim.value() != value.shape()[i]) return false;
  }
  return true;
}

std::optional<ValueMap> feed_for(Intermediates& intermediates, const DataLoaderOptions& options,
                                 const Metadata& inputs, int64_t index, Logger& log) {
  const std::optional<ValueMap> sample = intermediates.inputs(index);
  if (!sample) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, info] : inputs) names.push_back(name);
  const ArrayMap values = intermediates.values(names, index, log);
  ValueMap feed;
  Metadata missing;
  for (const auto& [name, info] : inputs) {
    const Array* value = values.find(name);
    const Value* other = value ? nullptr : sample->find(name);  // a sequence, say
    if (value && fits(*value, info)) {
      feed.set(name, *value);
    } else if (other) {
      feed.set(name, *other);
    } else {
      log.verbose(kReduce, "Input " + py_str_repr(name) + " gets generated values: " +
                               (value ? "it has another type or shape in the whole model"
                                      : "its values in the whole model are unknown"));
      missing.set(name, info);
    }
  }
  if (!missing.empty()) {
    Logger silent;
    try {
      for (auto& [name, value] : DataLoader(options, silent).generate(index, missing)) {
        feed.set(name, std::move(value));
      }
    } catch (const Error& error) {
      throw CannotFeed(error.what(), error.hint());
    }
  }
  return feed;
}

}  // namespace

CandidateInputs recorded_inputs(Intermediates& intermediates, DataLoaderOptions options) {
  options.model = nullptr;  // of another graph
  options.random = nullptr;
  options.announce_shapes = false;
  return [&intermediates, options = std::move(options)](const Metadata& inputs, int64_t sample,
                                                        Logger& log) {
    return feed_for(intermediates, options, inputs, sample, log);
  };
}

}  // namespace polygraphy
