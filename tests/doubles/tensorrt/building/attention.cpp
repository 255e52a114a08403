#include "building/attention.h"

namespace tensorrt_double {
namespace {

struct AttentionImpl {
  bool decomposable = false;
  bool setDecomposable(bool value) { return decomposable = value, true; }
  bool getDecomposable() const { return decomposable; }
};
using Attention = Made<nvinfer1::IAttention, ForwardVAttention<AttentionImpl>>;

struct BoundaryImpl {
  mutable Attention attention;
  nvinfer1::IAttention* getAttention() const { return &attention; }
};

struct OutputImpl {};

class OutputLayer final : public nvinfer1::IAttentionOutputLayer {
 public:
  explicit OutputLayer(const LayerImpl& layer) : layer_(layer) {
    mLayer = &layer_;
    mBoundary = &boundary_;
    mImpl = &output_;
  }
  LayerImpl& layer() { return layer_.impl; }

 private:
  ForwardVLayer<LayerImpl> layer_;
  ForwardVAttentionBoundaryLayer<BoundaryImpl> boundary_;
  ForwardVAttentionOutputLayer<OutputImpl> output_;
};

}  // namespace

LayerObject attention_output(const LayerImpl& layer) {
  const auto object = std::make_shared<OutputLayer>(layer);
  return {object, object.get(), &object->layer()};
}

}  // namespace tensorrt_double
