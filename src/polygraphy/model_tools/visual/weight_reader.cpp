#include "polygraphy/model_tools/visual/weight_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "numerics/block_reader.h"
#include "numerics/block_source.h"
#include "numerics/worst_elements.h"

namespace polygraphy {
namespace {

constexpr size_t kBins = 24;
constexpr int64_t kFew = 64;    // values that are all listed
constexpr int64_t kFirst = 16;  // of more

template <typename Visit>
void each_value(BlockSource& source, Visit visit) {
  std::vector<uint64_t> buffer(BlockSource::kBlockElements);
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const auto* block = read_as<double>(source, start, count, buffer);
    for (int64_t i = 0; i < count; ++i) visit(block[i]);
  }
}

}  // namespace

WeightFigures weight_figures(const Array& values) {
  WeightFigures figures;
  const int64_t size = values.size();
  for (int64_t i = 0; i < (size > kFew ? kFirst : size); ++i)
    figures.first.push_back(element_text(values, i));
  if (size == 0 || !has_compute_type(values.dtype())) return figures;
  ArraySource source(values);
  double min = std::numeric_limits<double>::infinity(), max = -min, sum = 0, squares = 0;
  int64_t zeros = 0;
  each_value(source, [&](double x) {
    if (!std::isfinite(x)) return void(++(std::isnan(x) ? figures.nan : figures.infinite));
    zeros += x == 0;
    min = std::min(min, x);
    max = std::max(max, x);
    sum += x;
  });
  figures.zeros = static_cast<double>(zeros) / static_cast<double>(size);
  const int64_t finite = size - figures.nan - figures.infinite;
  if (finite == 0) return figures;
  const double mean = sum / static_cast<double>(finite);
  if (size > kFew) figures.bins.resize(min < max ? kBins : 1);
  const double scale = static_cast<double>(figures.bins.size()) / (max - min);
  each_value(source, [&](double x) {
    if (!std::isfinite(x)) return;
    squares += (x - mean) * (x - mean);
    if (figures.bins.empty()) return;
    const double bin = figures.bins.size() == 1 ? 0 : (x - min) * scale;
    ++figures.bins[std::min(static_cast<size_t>(bin), figures.bins.size() - 1)];
  });
  figures.min = min;
  figures.max = max;
  figures.mean = mean;
  figures.std_dev = std::sqrt(squares / static_cast<double>(finite));
  return figures;
}

void WeightReader::describe(const graphsurgeon::Tensor& constant, VisualTensor& shown) {
  if (!reads_) return;
  const graphsurgeon::Payload& payload = *constant.payload();
  if (const auto found = known_.find(&payload); found != known_.end()) {
    shown.values = found->second;
  } else if (payload.size() > left_) {
    shown.note = "values not read: the model has too many";
  } else {
    left_ -= payload.size();
    try {
      shown.values = known_[&payload] = weight_figures(payload.load(constant.name()));
    } catch (const Error& error) {
      shown.note = std::string("values not read: ") + error.what();
    }
  }
}

}  // namespace polygraphy
