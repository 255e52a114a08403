#include "polygraphy/diagnosis/reduce/intermediates/activation_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace polygraphy {
namespace {

Array number(int64_t value) {
  return Array::view(DataType::kInt64, {}, reinterpret_cast<const std::byte*>(&value), nullptr)
      .clone();
}

ArrayMap one(const std::string& name, Array value) {
  ArrayMap map;
  map.set(name, std::move(value));
  return map;
}

ValueMap inputs(int64_t x) {
  return values_of(one("x", number(x)));
}

Array megabytes(int64_t count) {
  return Array::zeros(DataType::kInt8, {count << 20});
}

TEST(ActivationCache, AreOfInputsByTheirContents) {
  ActivationCache values;
  ActivationCache::Known& known = values.of(inputs(1));
  values.keep(known, one("y", number(2)));
  EXPECT_EQ(&values.of(inputs(1)), &known);
  EXPECT_EQ(values.of(inputs(3)).values.find("y"), nullptr);
  ASSERT_NE(known.values.find("y"), nullptr);
  EXPECT_EQ(known.values.find("y")->get_int64(0), 2);
  EXPECT_EQ(known.infos.at("x")->dtype, DataType::kInt64);
}

TEST(ActivationCache, AreForgottenWhenThereIsMoreThanMemoryForThem) {
  ActivationCache values;
  ActivationCache::Known& known = values.of(inputs(1));
  for (const char* name : {"a", "b", "b"}) {
    values.keep(known, one(name, megabytes(30)));
  }
  EXPECT_EQ(known.values.size(), 2);
  values.keep(known, one("c", megabytes(30)));
  EXPECT_EQ(known.values.size(), 1);
  EXPECT_TRUE(known.infos.at("a").has_value());
}

TEST(ActivationCache, DoNotKeepTheMemoryOfWhatIsTooLarge) {
  ActivationCache values;
  ActivationCache::Known& known = values.of(inputs(1));
  const auto memory = std::make_shared<std::vector<std::byte>>(70 << 20);
  ArrayMap found;
  found.set("large", Array::view(DataType::kInt8, {69 << 20}, memory->data(), memory));
  found.set("small", Array::view(DataType::kInt8, {1 << 20}, memory->data() + (69 << 20), memory));
  values.keep(known, found);
  found = {};
  EXPECT_EQ(known.values.size(), 1);
  EXPECT_EQ(memory.use_count(), 1);
}

}  // namespace
}  // namespace polygraphy
