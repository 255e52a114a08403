#include "graphsurgeon/fold/reshaped_payload.h"

#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

PayloadPtr reshaped_payload(const PayloadPtr& values, const Shape& shape, std::string_view tensor) {
  if (values->shape() == shape) return values;
  switch (values->kind()) {
    case Payload::Kind::kSplat:
      return splat_payload(static_cast<const SplatPayload&>(*values).value(), shape);
    case Payload::Kind::kExternal: {
      const auto& external = static_cast<const ExternalPayload&>(*values);
      std::string problem;
      if (!external.fields().empty()) decode_external(external.fields(), &problem);
      return std::make_shared<ExternalPayload>(values->dtype(), shape, *external.external(),
                                               external.folder(), std::string_view(), problem);
    }
    case Payload::Kind::kSparse:
      if (values->nbytes() > kSmallBytes) return nullptr;
      break;
    default:
      break;
  }
  const Array array = values->load(tensor);
  return owned_payload((array.contiguous() ? array : array.contiguous_aligned()).reshaped(shape));
}

}  // namespace graphsurgeon
