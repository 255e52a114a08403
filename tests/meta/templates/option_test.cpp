// An option of the table is a member of the configuration.
#include <gmock/gmock.h>

#include "polygraphy/facade/tensorrt_options.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(MetaProbe, RowsAreMembers) {
  const TrtConfig config{.meta_probe_flag = true, .meta_probe_verbosity = "detailed"};
  EXPECT_THAT(options_of(config),
              ElementsAre(Pair("meta_probe_flag", IsEmpty()),
                          Pair("meta_probe_verbosity", ElementsAre("detailed"))));
}

}  // namespace
}  // namespace polygraphy
