// A row of a result's table is a member of its document.
#include <gmock/gmock.h>

#include "formats/record_json.h"
#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {
namespace {

TEST(MetaProbe, RowsAreFigures) {
  EXPECT_THAT(record_json(BenchmarkReport()), testing::HasSubstr("\"meta_probe\": 7"));
}

}  // namespace
}  // namespace polygraphy
