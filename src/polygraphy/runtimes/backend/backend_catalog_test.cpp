#include "polygraphy/runtimes/backend/backend_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace polygraphy {
namespace {

bool has_option(const pgb_backend_options& table, const std::string& key) {
  return std::any_of(table.options, table.options + table.option_count,
                     [&](const pgb_option_spec& option) { return key == option.key; });
}

TEST(BackendSwitchesTest, AreOptionsOfTheirBackEnds) {
  size_t some = 0;
  for (const pgb_backend_options* table : backend_option_tables()) {
    const EngineSwitches switches = switches_of(*table);
    for (const std::string* key :
         {&switches.threads, &switches.level, &switches.disable, &switches.save, &switches.cache}) {
      if (key->empty()) continue;
      ++some;
      EXPECT_TRUE(has_option(*table, *key)) << table->name << ": " << *key;
    }
    EXPECT_EQ(switches.level.empty(), switches.levels.size() < 2) << table->name;
    EXPECT_EQ(switches.disable.empty(), switches.optimizers.empty()) << table->name;
    if (!switches.save.empty()) {
      EXPECT_TRUE(takes_format(*table, switches.saved_format)) << table->name;
    }
  }
  EXPECT_GT(some, 0u);
}

TEST(BackendSwitchesTest, TablesThatAreTooShortHaveNone) {
  const pgb_backend_options* const onnxrt =
      *std::find_if(backend_option_tables().begin(), backend_option_tables().end(),
                    [](const auto* table) { return std::string_view(table->name) == "onnxrt"; });
  EXPECT_FALSE(switches_of(*onnxrt).threads.empty());
  pgb_backend_options older = *onnxrt;
  older.struct_size = offsetof(pgb_backend_options, switches);
  EXPECT_TRUE(switches_of(older).threads.empty());
}

}  // namespace
}  // namespace polygraphy
