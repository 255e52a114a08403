// `--check-meta-probe --meta-probe-text TEXT`: a check that says what it got, and refuses to be
// made.
#include "polygraphy/diagnosis/model_checks/model_check.h"
#include "base/error.h"

namespace polygraphy {
namespace {

constexpr ModelCheckOption kOptions[] = {
    {.name = "meta-probe-text", .help = "A text for --check-meta-probe.", .metavar = "TEXT"},
    {.name = "meta-probe-number",
     .help = "A number for --check-meta-probe, for all outputs or for one.",
     .metavar = "[OUTPUT:]NUMBER",
     .type = ModelCheckOption::Type::kNumberPerOutput},
};

std::unique_ptr<Check> make(const ModelCheckOptions& options, const CheckTools&, Logger&) {
  const std::string* text = options.texts.find("meta-probe-text");
  const PerOutput<GivenNumber>* numbers = options.numbers.find("meta-probe-number");
  const GivenNumber* number = numbers == nullptr ? nullptr : numbers->find("y");
  throw Error("The probe got " + (text == nullptr ? "no text" : *text) + " and " +
              (number == nullptr ? "no number" : number->repr()) + ".");
}

}  // namespace

extern const ModelCheck model_check_meta_probe;
constinit const ModelCheck model_check_meta_probe = {
    .name = "meta-probe",
    .summary = "Proves that checks are found.",
    .options = kOptions,
    .make = make,
};

}  // namespace polygraphy
