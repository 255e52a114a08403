// Nodes that disturb and round numbers, in any engine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Behind begin(), each function adds nodes to the end of a list and returns their result. Values
// are float32.
class NoiseNodes {
 public:
  NoiseNodes(int64_t opset, int64_t seed) : opset_(opset), seed_(seed) {}

  // The graph that is being edited, its new list of nodes, and the tensor that gets noise, with its
  // number of elements; 0: it is not certain. Graph and list outlive the calls that follow, and
  // finish().
  void begin(graphsurgeon::Graph& graph, std::vector<graphsurgeon::NodeRef>& nodes,
             std::string disturbed, int64_t size);
  // Adds random numbers that tensors of the graph share, to the front of its list: of nodes that
  // may run, ONNX Runtime runs those last, so that few results of them wait for a reader.
  void finish();

  // Numbers move by up to half a step, however they lie between powers of two.
  graphsurgeon::TensorRef disturb(const graphsurgeon::TensorRef& value, NumberFormat format,
                                  double times);
  // Numbers between `middle` - `reach` and `middle` + `reach`, in the shape of the value.
  graphsurgeon::TensorRef random_like(const graphsurgeon::TensorRef& value, float middle,
                                      float reach);
  // A number of at most 20 binary digits, as whole numbers up to a million are, was computed
  // without rounding: one in 16 others looks like it.
  graphsurgeon::TensorRef unless_short(const graphsurgeon::TensorRef& value,
                                       const graphsurgeon::TensorRef& disturbed);
  // To nearest. float32 is as it is.
  graphsurgeon::TensorRef rounded(const graphsurgeon::TensorRef& value, NumberFormat format);

  // As a Cast or QuantizeLinear of the value writes it, and a later node reads it back.
  graphsurgeon::TensorRef as_written(const graphsurgeon::TensorRef& value,
                                     const graphsurgeon::Node& writer);

  graphsurgeon::TensorRef apply(std::string_view op,
                                std::initializer_list<graphsurgeon::TensorRef> inputs,
                                graphsurgeon::DataType type, std::string_view attribute = {},
                                int64_t value = 0);
  graphsurgeon::TensorRef scalar(float number);
  graphsurgeon::TensorRef integers(const Shape& numbers);
  graphsurgeon::TensorRef constant(Array value);
  // A new one, which no tensor or node of a model has.
  std::string name(std::string_view what);

 private:
  // Random numbers of one range. Each tensor gets a stretch of them, which is copied several times
  // as fast as made.
  struct Pool {
    graphsurgeon::TensorRef numbers = {};
    int64_t size = 0;
  };

  graphsurgeon::TensorRef stretch(const graphsurgeon::TensorRef& value, float middle, float reach);
  graphsurgeon::TensorRef new_numbers(const graphsurgeon::TensorRef& value, float middle,
                                      float reach);
  graphsurgeon::TensorRef random_by_dropout(const graphsurgeon::TensorRef& value, float middle,
                                            float reach);
  int64_t next_seed();
  graphsurgeon::TensorRef through(const graphsurgeon::TensorRef& value,
                                  graphsurgeon::DataType type);
  graphsurgeon::TensorRef split(const graphsurgeon::TensorRef& value, int digits);
  graphsurgeon::TensorRef in_steps(const graphsurgeon::TensorRef& value);

  const int64_t opset_, seed_;
  graphsurgeon::Graph* graph_ = nullptr;                 // that is being edited,
  std::vector<graphsurgeon::NodeRef>* nodes_ = nullptr;  // and its new list
  std::map<std::pair<float, float>, Pool> pools_;        // of it, by middle and reach,
  std::vector<graphsurgeon::NodeRef> stretches_;         // and nodes that read them
  std::string disturbed_;                                // the tensor that gets noise,
  int64_t size_ = 0;                                     // its size,
  int64_t seeds_ = 0;                                    // and the seeds that it has got
  int64_t count_ = 0;
};

}  // namespace polygraphy
