#include "graphsurgeon/passes/size_upper_bounds.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

constexpr std::string_view kModel = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N,3] x) => (float y, int64 r) <int64[2,M] nz, int64[2] sh, int64 lim, float[1] one = {1}, int64 zero = {0}, int64 step = {1}> {
  nz = NonZero (x)
  sh = Shape (nz)
  y = Expand (one, sh)
  lim = ReduceSum <keepdims = 0> (nz)
  r = Range (zero, lim, step)
})";

TEST(SizeUpperBounds, PutsAMinBehindTheProducer) {
  Model model = parse_onnx_text(kModel);
  const auto tensors = find_all(model, {"sh", "lim"});
  set_size_upper_bounds(*model.graph, {{tensors[0], 10}, {tensors[1], 20}});
  EXPECT_EQ(graph_text(model), R"(g (float[N,3] x) => (float y, int64 r)
   <float[1] one =  {1}, int64 zero =  {0}, int64 step =  {1}, int64[1] sh_upper_bound =  {10}, int64 lim_upper_bound =  {20}, int64[2,M] nz, int64[2] sh, int64 lim, int64[2] sh_copy, int64 lim_copy>
{
   nz = NonZero (x)
   sh_copy = Shape (nz)
   sh = Min (sh_copy, sh_upper_bound)
   y = Expand (one, sh)
   lim_copy = ReduceSum <keepdims: int = 0> (nz)
   lim = Min (lim_copy, lim_upper_bound)
   r = Range (zero, lim, step)
})");
}

TEST(SizeUpperBounds, RefusesWhatNoNodeMakes) {
  Model model = parse_onnx_text(kModel);
  EXPECT_THROW(set_size_upper_bounds(*model.graph, {{find_all(model, {"x"}).front(), 10}}),
               polygraphy::Error);
}

}  // namespace
}  // namespace graphsurgeon
