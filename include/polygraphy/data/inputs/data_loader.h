// Random inputs, bit-equal to the original's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct ValueRange;

// A source of random numbers other than NumPy's.
class RandomBackend {
 public:
  virtual ~RandomBackend() = default;
  virtual std::string_view name() const = 0;  // in log lines
  // Results of the other functions depend on the seed and the calls since. All functions throw
  // Error.
  virtual void seed(uint64_t seed) = 0;
  virtual Array integers(DataType type, const Shape& shape, int64_t low, int64_t high) = 0;
  virtual Array floats(DataType type, const Shape& shape, double low, double high) = 0;
};

struct DataLoaderOptions {
  uint64_t seed = 1;  // iteration i uses seed + i; values above 2^32 - 1 are an Error
  int64_t iterations = 1;
  // Names may be wildcards, or name items of sequences (x[0]), as in val_range.
  Metadata shapes = {};
  OrderedMap<std::pair<double, double>> val_range = {};  // "" is the default entry; unset: [0, 1]
  // 0.49's deprecated options, "" entry only.
  OrderedMap<std::pair<double, double>> int_range = {}, float_range = {};
  // Set: the graph of this model constrains values and lengths of open dimensions to valid ones;
  // called for each set of shapes, and to try lengths. Empty: bit-equal to the original's inputs.
  std::function<graphsurgeon::Model()> model = {};
  std::shared_ptr<RandomBackend> random = {};  // null: as NumPy would
  // Shapes that change no input are an error (kInputShapeUnusable) instead of a warning: no input
  // has one of the names, or the model contradicts the shape of an input named in full.
  bool strict_shapes = false;
  bool announce_shapes = true;  // log `shapes` as an INFO line if they are given
};

class DataLoader {
 public:
  DataLoader(DataLoaderOptions options, Logger& log);
  ~DataLoader();
  DataLoader(DataLoader&&) noexcept;
  int64_t iterations() const { return options_.iterations; }
  // The feed of iteration `index` for these inputs, in their order. A sequence has one item per
  // given shape, else two. Deterministic in (seed, index, metadata).
  ValueMap generate(int64_t index, const Metadata& inputs);
  // Names of DataLoaderOptions::shapes that matched no generated input so far.
  std::vector<std::string> unmatched_shapes() const;

 private:
  struct KnownRanges;
  struct KnownSizes;
  const OrderedMap<ValueRange>& ranges_for(const OrderedMap<Shape>& shapes);
  // The inputs with lengths for open dimensions that the graph accepts, where 1 is too short.
  Metadata with_sizes(const Metadata& inputs, const OrderedMap<DimList>& dims);

  DataLoaderOptions options_;
  Logger& log_;
  bool has_generated_ = false;
  std::set<std::string> matched_;       // names of options_.shapes
  std::unique_ptr<KnownRanges> known_;  // for the last requested shapes
  std::unique_ptr<KnownSizes> sizes_;   // for the last requested shapes
};

}  // namespace polygraphy
