// A row makes facts of an operator.
#include <gtest/gtest.h>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

TEST(MetaProbe, RowsAreFacts) {
  EXPECT_TRUE(moves_numbers(*Node::create(*Store::create(), "MetaProbe", "n", "")));
}

}  // namespace
}  // namespace graphsurgeon
