// The dense, packed, little-endian bytes of a payload, produced where they are needed.
#pragma once

#include <string>
#include <string_view>

#include "base/os/mapped_file.h"
#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// False when the mapped bytes may have changed: the path still names the same file, but its size or
// time differ. (A file that another one has replaced, as save_model() does, lives on in the map.)
bool bytes_intact(const polygraphy::MappedFile& file);

// For values that were read through a map. Throws IoError when their data file changed since it was
// opened.
void check_intact(const Payload& payload, std::string_view tensor);

// payload.nbytes() bytes, as they go into raw_data or a data file. Of external payloads and
// raw_data nothing passes through the heap. Not for strings. Throws as Payload::load(), and IoError
// when a data file changes underneath.
void write_payload(const Payload& payload, std::string_view tensor, wire::Sink& sink);

// The same as the contents of a field.
class PayloadBody final : public wire::Body {
 public:
  PayloadBody(const Payload& payload, std::string_view tensor)
      : payload_(payload), tensor_(tensor) {}
  uint64_t size() const override;
  void write_to(wire::Sink& sink) const override;

 private:
  const Payload& payload_;
  std::string_view tensor_;
};

}  // namespace graphsurgeon
