#include "graphsurgeon/io/mapped_reader.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/os/files/descriptor.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"

namespace graphsurgeon {

MappedReader::MappedReader(const Payload& values, std::string_view tensor) {
  if (values.kind() == Payload::Kind::kExternal) {
    const auto bytes = static_cast<const ExternalPayload&>(values).locate(tensor);
    owner_ = bytes.file;
    file_ = owner_.get();
    begin_ = bytes.offset;
  } else if (values.kind() == Payload::Kind::kInline) {
    const auto& encoded = static_cast<const EncodedPayload&>(values);
    const Source* source = encoded.source().get();
    const std::string_view raw = encoded.raw_data();
    if (!source || !source->file || raw.empty() || !source->contains(raw.data())) return;
    file_ = source->file.get();
    begin_ = static_cast<uint64_t>(raw.data() - source->bytes.data());
  }
  if (file_ && file_->fd() < 0) file_ = nullptr;
}

void MappedReader::at(uint64_t offset, uint64_t length) {
  constexpr uint64_t kWindow = 8 << 20;
  if (!file_ || offset + length <= kSilent) return;
  advised_ = std::max(advised_, offset);
  if (offset + length + kWindow / 2 <= advised_) return;
  const uint64_t end = offset + length + kWindow;
  file_->will_read(begin_ + advised_, end - advised_);
  advised_ = end;
}

bool MappedReader::is_hole(uint64_t offset, uint64_t length) {
  if (!file_) return false;
  if (offset + length <= hole_end_) return true;
  if (offset < data_end_) return false;
  constexpr uint64_t kForEver = std::numeric_limits<uint64_t>::max() / 2;
  const auto where = static_cast<int64_t>(begin_ + offset);
  const int64_t data = polygraphy::next_data(file_->fd(), begin_ + offset);
  if (data > where || data < 0) {
    // ENXIO means no data up to the end of the file; any other error: not known.
    hole_end_ = data > where ? static_cast<uint64_t>(data) - begin_ : errno == ENXIO ? kForEver : 0;
    if (hole_end_ == 0) data_end_ = kForEver;
    return offset + length <= hole_end_;
  }
  const int64_t hole = polygraphy::next_hole(file_->fd(), begin_ + offset);
  data_end_ = hole > where ? static_cast<uint64_t>(hole) - begin_ : kForEver;
  return false;
}

}  // namespace graphsurgeon
