#include "polygraphy/models/candidates/model_fingerprint.h"

#include <gtest/gtest.h>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

Model chain() {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z) { y = Add(x, small) z = LeakyRelu<alpha = 0.5>(y) })");
  return model;
}

// With a weight of 4 KiB that y = x + weight reads.
Model with_weight(float value) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1024] x) => (float[1024] y) { y = Neg(x) })");
  Array values = Array::zeros(DataType::kFloat32, {1024});
  auto* data = reinterpret_cast<float*>(values.mutable_data());
  for (int i = 0; i < 1024; ++i) data[i] = i == 500 ? value : 1;
  auto weight = model.graph->constant("w", values);
  model.graph->mutable_initializers().push_back(weight);
  model.graph->nodes()[0]->set_op("Add");
  model.graph->nodes()[0]->inputs().append(weight);
  return model;
}

TEST(ModelFingerprintTest, CopiesAreEqual) {
  const Model model = chain();
  const ModelFingerprints fingerprints(model);
  EXPECT_EQ(fingerprints.of(graphsurgeon::copy(model)), fingerprints.of(graphsurgeon::copy(model)));
}

TEST(ModelFingerprintTest, NamesAndAttributesCount) {
  const Model model = chain();
  const ModelFingerprints fingerprints(model);
  const Fingerprint before = fingerprints.of(graphsurgeon::copy(model));
  Model renamed = graphsurgeon::copy(model);
  renamed.graph->nodes()[0]->outputs()[0]->set_name("other");
  EXPECT_NE(fingerprints.of(renamed), before);
  Model changed = graphsurgeon::copy(model);
  changed.graph->nodes()[1]->remove_attribute("alpha");
  EXPECT_NE(fingerprints.of(changed), before);
}

TEST(ModelFingerprintTest, WeightsOfTheModelAreKnownByTheirPlaces) {
  const Model model = with_weight(1), other = with_weight(2);
  const ModelFingerprints fingerprints(model);
  const Fingerprint before = fingerprints.of(graphsurgeon::copy(model));
  // Another array with the same contents is not the model's, so its contents count.
  Model same = graphsurgeon::copy(model);
  same.graph->initializers()[0]->replace_values(other.graph->initializers()[0]->payload());
  Model again = graphsurgeon::copy(model);
  again.graph->initializers()[0]->replace_values(
      graphsurgeon::owned_payload(other.graph->initializers()[0]->values()));
  EXPECT_NE(fingerprints.of(same), before);
  EXPECT_EQ(fingerprints.of(same), fingerprints.of(again));
}

TEST(ModelFingerprintTest, AnotherRunKnowsTheModelByItsContents) {
  EXPECT_EQ(ModelFingerprints::with_contents(with_weight(1)),
            ModelFingerprints::with_contents(with_weight(1)));
  EXPECT_NE(ModelFingerprints::with_contents(with_weight(1)),
            ModelFingerprints::with_contents(with_weight(2)));
}

}  // namespace
}  // namespace polygraphy
