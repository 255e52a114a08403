#include "polygraphy/models/loaders/model_names.h"

#include <gmock/gmock.h>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string encode(std::string_view text) {
  return graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(text));
}

TEST(ModelNames, InTheGraphsOrder) {
  const ModelNames names = read_model_names(
      encode("g (float[1] z, float[1] a) => (float[1] y, float[1] b) { b = Neg (a) y = Neg (z) }"));
  EXPECT_THAT(names.inputs, ElementsAre("z", "a"));
  EXPECT_THAT(names.outputs, ElementsAre("y", "b"));
}

TEST(ModelNames, InputsThatAreInitializersAreNone) {
  const ModelNames names = read_model_names(
      encode("g (float[1] w, float[1] x) => (float[1] y) <float[1] w = {1}, float[1] v = {2}> "
             "{ t = Add (x, w) y = Add (t, v) }"));
  EXPECT_THAT(names.inputs, ElementsAre("x"));
}

TEST(ModelNames, NothingOfWhatIsNoModel) {
  EXPECT_THAT(read_model_names("").outputs, IsEmpty());
  EXPECT_THAT(read_model_names("no model").outputs, IsEmpty());
  const std::string bytes = encode("g (float[1] x) => (float[1] y) { y = Neg (x) }");
  for (size_t size = 0; size < bytes.size(); ++size)
    read_model_names(std::string_view(bytes).substr(0, size));
}

}  // namespace
}  // namespace polygraphy
