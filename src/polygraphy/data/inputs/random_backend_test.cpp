// Random inputs that are not NumPy's.
#include <gtest/gtest.h>

#include "polygraphy/data/inputs/data_loader.h"

namespace polygraphy {
namespace {

// Records its calls.
struct Noted : RandomBackend {
  std::string_view name() const override { return "noted"; }
  void seed(uint64_t seed) override { seeds.push_back(seed); }
  Array integers(DataType type, const Shape& shape, int64_t low, int64_t high) override {
    bounds.emplace_back(low, high);
    return Array::zeros(type, shape);
  }
  Array floats(DataType type, const Shape& shape, double low, double high) override {
    bounds.emplace_back(low, high);
    return Array::zeros(type, shape);
  }

  std::vector<uint64_t> seeds;
  std::vector<std::pair<double, double>> bounds;
};

TEST(RandomBackend, GetsTypesShapesRangesAndASeedPerIteration) {
  const auto random = std::make_shared<Noted>();
  DataLoaderOptions options;
  options.random = random;
  options.seed = 7;
  options.val_range = {{"", {0, 5}}};
  Logger log;
  DataLoader loader(options, log);
  const Metadata inputs = {{"i", {DataType::kInt64, DimList{2}, ""}},
                           {"b", {DataType::kBool, DimList{2}, ""}},
                           {"f", {DataType::kBfloat16, DimList{2, "N"}, ""}}};
  const ValueMap feed = loader.generate(2, inputs);
  EXPECT_EQ(random->seeds, std::vector<uint64_t>{9});
  EXPECT_EQ(random->bounds, (std::vector<std::pair<double, double>>{{0, 5}, {0, 1}, {0, 5}}));
  EXPECT_EQ(feed.find("f")->tensor().dtype(), DataType::kBfloat16);
  EXPECT_EQ(feed.find("f")->tensor().shape(), (Shape{2, 1}));
}

}  // namespace
}  // namespace polygraphy
