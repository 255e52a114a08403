#include "graphsurgeon/ir/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using wire::num;
using wire::text;

class TensorTest : public testing::Test {
 protected:
  TensorTest() { store_->retain(); }
  ~TensorTest() override { store_->release(); }

  static PayloadPtr three() { return owned_payload(Array::of<float>({3}, {1, 2, 3})); }

  Store* store_ = Store::create();
};

TEST_F(TensorTest, AVariableHasATypeAndAShapeOrDoesNotKnowThem) {
  const TensorRef unknown = Tensor::variable(*store_, "x");
  EXPECT_EQ(unknown->dtype(), DataType::kUndefined);
  EXPECT_EQ(unknown->shape(), std::nullopt);
  EXPECT_FALSE(unknown->is_constant());
  const TensorRef scalar = Tensor::variable(*store_, "s", DataType::kInt64, DimList{});
  EXPECT_THAT(scalar->shape(), Optional(IsEmpty()));
  const TensorRef known =
      Tensor::variable(*store_, "k", DataType::kFloat16, DimList{Dim("N"), Dim(3), Dim()});
  EXPECT_THAT(known->shape(), Optional(ElementsAre(Dim("N"), Dim(3), Dim())));
}

TEST_F(TensorTest, AConstantHasThoseOfItsValues) {
  const TensorRef w = Tensor::constant(*store_, "w", three());
  EXPECT_TRUE(w->is_constant());
  EXPECT_EQ(w->dtype(), DataType::kFloat32);
  EXPECT_THAT(w->shape(), Optional(ElementsAre(Dim(3))));
  EXPECT_THROW(w->set_dtype(DataType::kInt8), polygraphy::Error);
  EXPECT_THROW(w->set_shape(DimList{}), polygraphy::Error);
  EXPECT_NO_THROW(w->set_dtype(DataType::kFloat32)) << "as it is";
  EXPECT_NO_THROW(w->set_shape(DimList{Dim(3)}));
}

TEST_F(TensorTest, TurnsIntoAConstantAndBackInPlace) {
  const TensorRef t = Tensor::variable(*store_, "t", DataType::kInt8, DimList{Dim(7)});
  const NodeRef user = Node::create(*store_, "Relu");
  user->inputs().append(t);
  t->to_constant(three());
  EXPECT_EQ(user->inputs()[0], t.get());
  EXPECT_TRUE(user->inputs()[0]->is_constant());
  EXPECT_EQ(t->dtype(), DataType::kFloat32);
  EXPECT_EQ(t->declared_dtype(), DataType::kUndefined) << "what was declared is void";
  t->to_variable(DataType::kFloat64, DimList{});
  EXPECT_FALSE(t->is_constant());
  EXPECT_EQ(t->payload(), nullptr);
  EXPECT_EQ(t->dtype(), DataType::kFloat64);
  EXPECT_THAT(t->shape(), Optional(IsEmpty()));
  EXPECT_EQ(t->type_kind(), TypeKind::kTensor);
}

TEST_F(TensorTest, EachEmptyOneIsAnObjectOfItsOwn) {
  const TensorRef a = Tensor::empty(*store_);
  const TensorRef b = Tensor::empty(*store_);
  EXPECT_TRUE(a->is_empty());
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(
      Tensor::variable(*store_, "x", DataType::kFloat32, DimList{Dim(int64_t{0})})->is_empty())
      << "about the name, not the size";
}

TEST_F(TensorTest, OtherTypesKeepTheirEncoding) {
  const TensorRef t = Tensor::variable(*store_, "t", DataType::kFloat32, DimList{});
  const std::string sequence = text(4, text(1, text(1, num(1, 1))));
  t->set_type_proto(TypeKind::kSequence, sequence);
  EXPECT_EQ(t->type_kind(), TypeKind::kSequence);
  EXPECT_EQ(t->type_proto(), sequence);
  EXPECT_EQ(t->dtype(), DataType::kUndefined);
  t->set_dtype(DataType::kInt32);
  EXPECT_EQ(t->type_kind(), TypeKind::kTensor);
  EXPECT_THAT(t->type_proto(), IsEmpty());
}

TEST_F(TensorTest, DocumentationMovesAlongWhenTheValuesGo) {
  const TensorRef t = Tensor::variable(*store_, "t");
  EXPECT_EQ(t->doc_string(), "");
  t->to_constant(three());
  t->set_unknown_fields(num(3, 1) + num(16, 2));
  t->set_doc_string("weights");
  t->set_doc_string("the weights");
  EXPECT_EQ(t->doc_string(), "the weights");
  EXPECT_EQ(t->unknown_fields(), num(3, 1) + text(12, "the weights") + num(16, 2));
  t->to_variable(DataType::kFloat32, std::nullopt);
  EXPECT_EQ(t->doc_string(), "the weights");
  EXPECT_EQ(t->unknown_fields(), "");
}

TEST_F(TensorTest, CopiesTheTextsThatItIsGiven) {
  std::string name = "temporary";
  const TensorRef t = Tensor::variable(*store_, name);
  name = "gone gone";
  EXPECT_EQ(t->name(), "temporary");
  std::string other = "renamed";
  t->set_name(other);
  other = "1234567";
  EXPECT_EQ(t->name(), "renamed");
}

TEST(Dim, IsANumberANameOrUnknown) {
  EXPECT_TRUE(Dim(3).is_static());
  EXPECT_TRUE(Dim(int64_t{0}).is_static());
  EXPECT_FALSE(Dim(-1).is_static()) << "some files say unknown this way";
  EXPECT_TRUE(Dim(-1).has_value());
  EXPECT_FALSE(Dim("N").has_value());
  EXPECT_EQ(Dim("N").param(), "N");
  EXPECT_FALSE(Dim().has_value());
  EXPECT_FALSE(Dim() == Dim(-1));
}

TEST(Payloads, OfArraysAndSplats) {
  const PayloadPtr owned = owned_payload(Array::of<int16_t>({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(owned->kind(), Payload::Kind::kOwned);
  EXPECT_EQ(owned->size(), 4);
  EXPECT_EQ(owned->nbytes(), 8);
  EXPECT_EQ(owned->external(), nullptr);

  const PayloadPtr splat = splat_payload(Array::of<double>({}, {0.5}), {1 << 20, 1 << 20});
  EXPECT_EQ(splat->size(), int64_t{1} << 40);
  EXPECT_EQ(splat->nbytes(), int64_t{1} << 43);
  const Array values = splat->load("t");
  EXPECT_EQ(values.get_double(123456), 0.5);
  EXPECT_THROW(splat_payload(Array::of<double>({2}, {1, 2}), {2}), polygraphy::Error);
  EXPECT_THROW(splat_payload(Array::of<double>({}, {1}), {-2}), polygraphy::FormatError);
}

}  // namespace
}  // namespace graphsurgeon
