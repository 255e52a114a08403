// The timing cache: which tactic was chosen for a layer, so that the next build chooses it again.
#pragma once

#include <NvInfer.h>

#include <map>
#include <string>

#include "forward.h"
#include "host_memory.h"
#include "running/bytes.h"

namespace tensorrt_double {

struct TimingCacheImpl {
  nvinfer1::ITimingCache* self = nullptr;
  std::map<std::string, uint64_t> tactics;  // by layer

  static constexpr std::string_view kMagic = "PGTIMING";

  // False where the bytes are not a timing cache of the double.
  bool read(const void* blob, size_t size) {
    if (size == 0) return true;
    try {
      ByteReader reader({static_cast<const char*>(blob), size});
      if (reader.raw(kMagic.size()) != kMagic) return false;
      for (int64_t left = reader.number(); left > 0; --left) {
        const std::string layer = reader.text();
        tactics[layer] = static_cast<uint64_t>(reader.number());
      }
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
  nvinfer1::IHostMemory* serialize() const {
    ByteWriter writer;
    writer.raw(kMagic);
    writer.number(static_cast<int64_t>(tactics.size()));
    for (const auto& [layer, tactic] : tactics) {
      writer.text(layer);
      writer.number(static_cast<int64_t>(tactic));
    }
    return host_memory(writer.take());
  }
  bool combine(const nvinfer1::ITimingCache& other, bool ignore_mismatch);
  bool reset() { return tactics.clear(), true; }
  template <class Key>
  int64_t queryKeys(Key* keys, int64_t capacity) const {
    int64_t count = 0;
    for (const auto& [layer, tactic] : tactics) {
      if (keys && count < capacity) {
        Key key{};
        const size_t hash = std::hash<std::string>()(layer);
        std::memcpy(key.data, &hash, sizeof(hash));
        keys[count] = key;
      }
      ++count;
    }
    return count;
  }
};
using TimingCacheObject = Made<nvinfer1::ITimingCache, ForwardVTimingCache<TimingCacheImpl>>;

inline bool TimingCacheImpl::combine(const nvinfer1::ITimingCache& other, bool) {
  tactics.insert(TimingCacheObject::impl_of(other).tactics.begin(),
                 TimingCacheObject::impl_of(other).tactics.end());
  return true;
}

}  // namespace tensorrt_double
