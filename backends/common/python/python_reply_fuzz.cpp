// Input: the answers of a back end in Python: descriptions of tensors, then outputs in 4 KiB of
// memory.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/python/values.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pgb::python;
  static OutputMemory* const memory = [] {
    constexpr size_t kSize = 4096;
    FeedMemory other;
    other.reserve(kSize);
    return OutputMemory::map(dup(other.descriptor()), kSize);
  }();
  MessageReader reply(std::string(reinterpret_cast<const char*>(data), size));
  try {
    read_ports(reply);
    OutputReader outputs(*memory);
    const size_t count = reply.count();
    for (size_t i = 0; i < count; ++i) {
      reply.text();
      outputs.read(reply);
    }
  } catch (const pgb::Failure&) {
  }
  return 0;
}
