// A shrinker that never succeeds.
#include "polygraphy/diagnosis/reduce/shrinker.h"

namespace polygraphy {
namespace {

std::unique_ptr<graphsurgeon::Model> shrink(const graphsurgeon::Model&, SearchTools&) {
  return nullptr;
}

}  // namespace

extern constinit const Shrinker shrinker_meta_probe = {
    .name = "meta-probe", .phrase = "Probing", .order = 999, .shrink = shrink};

}  // namespace polygraphy
