// `--postprocess meta-probe`: outputs stay as they are.
#include "polygraphy/comparison/compare/postprocess.h"

namespace polygraphy {
namespace {

class MetaProbe : public OutputFunction {
 public:
  std::string_view name() const override { return "MetaProbe"; }
  Array apply(const std::string&, const Array& output) const override { return output; }
};

std::shared_ptr<const OutputFunction> parse(std::string_view text) {
  return text == "meta-probe" ? std::make_shared<MetaProbe>() : nullptr;
}

}  // namespace

extern constinit const Postprocess postprocess_meta_probe = {
    .form = "meta-probe",
    .summary = "nothing at all",
    .example = "meta-probe",
    .parse = parse,
};

}  // namespace polygraphy
