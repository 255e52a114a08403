// A row makes an element type: its names, and conversions.
#include <gtest/gtest.h>

#include "base/arrays/array.h"
#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

TEST(MetaProbe, RowsAreElementTypes) {
  EXPECT_EQ(parse_data_type("MetaProbe"), DataType::kMetaProbe);
  EXPECT_EQ(parse_data_type("meta_probe"), DataType::kMetaProbe);
  EXPECT_EQ(ir_version_of(DataType::kMetaProbe), 99);
  EXPECT_EQ(storage_bytes(DataType::kMetaProbe, 3), 3);
  const Array probed = convert(Array::of<float>({2}, {0.5f, 57344.0f}), DataType::kMetaProbe);
  EXPECT_EQ(probed.nbytes(), 2);
  EXPECT_EQ(convert(probed, DataType::kFloat32).get_double(1), 57344.0);
}

}  // namespace
}  // namespace polygraphy
