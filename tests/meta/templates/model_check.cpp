// A check that refuses to be made.
#include "polygraphy/model_checks/model_check.h"
#include "base/error.h"

namespace polygraphy {
namespace {

std::unique_ptr<Check> make(const ModelCheckOptions&, const CheckTools&, Logger&) {
  throw Error("There is nothing to check.");
}

}  // namespace

extern const ModelCheck model_check_meta_probe;
constinit const ModelCheck model_check_meta_probe = {
    .name = "meta-probe", .summary = "Proves that checks are found.", .make = make};

}  // namespace polygraphy
