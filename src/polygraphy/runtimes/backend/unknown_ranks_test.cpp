#include "polygraphy/runtimes/backend/unknown_ranks.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(UnknownRanks, AreWhatOpenVinoComplainsOf) {
  for (const char* said :
       {"Unexpected: CPU plug-in doesn't support Reshape operation with dynamic rank. Operation "
        "name: r",
        "CALLBACK HAS THROWN: Exception from src/core/src/dimension.cpp:208:\nCannot get length of "
        "dynamic dimension",
        "Check 'data.get_partial_shape().rank().is_static()' failed"}) {
    EXPECT_TRUE(wants_known_ranks(said)) << said;
  }
  EXPECT_FALSE(wants_known_ranks("Unsupported operator Foo; the rank of input 0 is 3, not 4"));
}

}  // namespace
}  // namespace polygraphy
