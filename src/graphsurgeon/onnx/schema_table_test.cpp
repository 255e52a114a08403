#include "graphsurgeon/onnx/schema_table.h"

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <climits>

namespace graphsurgeon {
namespace {

using Registry = onnx::OpSchemaRegistry;

TEST(SchemaTable, HasEveryFormThatTheLibraryRegisters) {
  size_t count = 0;
  for (const onnx::OpSchema& theirs : Registry::get_all_schemas_with_history()) {
    ++count;
    const auto* ours = schema_of(theirs.Name(), theirs.since_version(), theirs.domain());
    ASSERT_NE(ours, nullptr) << theirs.domain() << ' ' << theirs.Name() << theirs.since_version();
    EXPECT_EQ(ours->Name(), theirs.Name());
    EXPECT_EQ(ours->domain(), theirs.domain());
    EXPECT_EQ(ours->since_version(), theirs.since_version()) << theirs.Name();
    EXPECT_EQ(ours->min_input(), theirs.min_input()) << theirs.Name();
    EXPECT_EQ(ours->max_input(), theirs.max_input()) << theirs.Name();
    EXPECT_EQ(ours->min_output(), theirs.min_output()) << theirs.Name();
    EXPECT_EQ(ours->max_output(), theirs.max_output()) << theirs.Name();
    EXPECT_EQ(ours->attributes().size(), theirs.attributes().size()) << theirs.Name();
    EXPECT_EQ(ours->HasFunction(), theirs.HasFunction()) << theirs.Name();
    if (theirs.HasFunction()) {
      EXPECT_EQ(ours->GetFunction()->node_size(), theirs.GetFunction()->node_size());
    }
  }
  EXPECT_GT(count, 600u);
}

TEST(SchemaTable, ChoosesTheSameFormAsTheLibrary) {
  for (const onnx::OpSchema& schema : Registry::get_all_schemas()) {
    for (int version = 0; version < 30; ++version) {
      const auto* theirs = Registry::Schema(schema.Name(), version, schema.domain());
      const auto* ours = schema_of(schema.Name(), version, schema.domain());
      ASSERT_EQ(ours == nullptr, theirs == nullptr) << schema.Name() << ' ' << version;
      if (ours) {
        EXPECT_EQ(ours->since_version(), theirs->since_version()) << schema.Name();
      }
    }
  }
  EXPECT_EQ(schema_of("Add", INT_MAX, "com.example"), nullptr);
  EXPECT_EQ(schema_of("Ad", INT_MAX, ""), nullptr);
}

}  // namespace
}  // namespace graphsurgeon
