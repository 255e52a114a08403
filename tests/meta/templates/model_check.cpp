// `--check-meta-probe --meta-probe-text TEXT`: a check that says what it got, and refuses to be
// made.
#include "polygraphy/diagnosis/model_checks/model_check.h"
#include "base/error.h"

namespace polygraphy {
namespace {

constexpr ModelCheckOption kOptions[] = {
    {.name = "meta-probe-text", .help = "A text for --check-meta-probe.", .metavar = "TEXT"},
};

std::unique_ptr<Check> make(const ModelCheckOptions& options, const CheckTools&, Logger&) {
  const std::string* text = options.texts.find("meta-probe-text");
  throw Error("The probe got " + (text == nullptr ? "no text" : *text) + ".");
}

}  // namespace

extern constinit const ModelCheck model_check_meta_probe = {
    .name = "meta-probe",
    .summary = "Proves that checks are found.",
    .options = kOptions,
    .make = make,
};

}  // namespace polygraphy
