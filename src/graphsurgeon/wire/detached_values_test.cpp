#include "graphsurgeon/wire/detached_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/wire/parse_error.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon::wire {
namespace {

// Numbers of onnx.proto's fields; message.h has functions of the names that onnx_fields.h uses.
constexpr uint32_t kIrVersion = 1, kGraph = 7, kName = 8, kInitializer = 5, kRawData = 9;
constexpr uint32_t kDocString = 12, kInput = 11;

std::string tensor_of(const std::string& name, const std::string& values) {
  return num(1, 3) + text(kName, name) + (values.empty() ? "" : text(kRawData, values)) +
         text(kDocString, "told");
}

std::string model_of(const std::vector<std::string>& tensors) {
  std::string fields = text(2, "g");
  for (const std::string& each : tensors) fields += text(kInitializer, each);
  return num(kIrVersion, 8) + text(kGraph, fields + text(kInput, "input")) + text(99, "unknown");
}

const std::string kSmall(3, 's'), kLarge(300, 'l'), kLarger(70000, 'L');

TEST(DetachedValues, AreThoseOfAtLeastASize) {
  const std::string model =
      model_of({tensor_of("a", kLarge), tensor_of("b", kSmall), tensor_of("c", kLarger)});
  const ModelWithoutValues detached = detach_values(model, 300);
  EXPECT_EQ(detached.model,
            model_of({tensor_of("a", ""), tensor_of("b", kSmall), tensor_of("c", "")}));
  ASSERT_EQ(detached.values.size(), 2u);
  EXPECT_EQ(detached.values[0].initializer, 0u);
  EXPECT_EQ(detached.values[1].initializer, 2u);
  EXPECT_EQ(model.substr(detached.values[0].offset, detached.values[0].length), kLarge);
  EXPECT_EQ(model.substr(detached.values[1].offset, detached.values[1].length), kLarger);
}

TEST(DetachedValues, ArePutBackByteForByte) {
  const std::string model =
      model_of({tensor_of("a", kLarge), tensor_of("b", kSmall), tensor_of("c", kLarger)});
  const ModelWithoutValues detached = detach_values(model, 300);
  std::vector<AttachedValue> places;
  for (const DetachedValue& value : detached.values) {
    places.push_back({value.initializer, value.length});
  }
  const std::vector<std::string> pieces = pieces_around_values(detached.model, places);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0] + kLarge + pieces[1] + kLarger + pieces[2], model);
}

TEST(DetachedValues, OfNoInitializerAreNone) {
  const std::string model = model_of({}) + text(kGraph, "");
  EXPECT_EQ(detach_values(model, 1).model, model);
  EXPECT_THAT(pieces_around_values(model, {}), testing::ElementsAre(model));
}

TEST(DetachedValues, OfWhatIsNoModelAreAnError) {
  EXPECT_THROW(detach_values("\x3a\x7fgraph", 1), ParseError);
  EXPECT_THROW(pieces_around_values("\xff", {}), ParseError);
}

}  // namespace
}  // namespace graphsurgeon::wire
