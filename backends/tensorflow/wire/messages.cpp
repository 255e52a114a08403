#include "tensorflow/wire/messages.h"

#include <array>
#include <cstdint>
#include <protozero/pbf_writer.hpp>

namespace tensorflow {
namespace {

using protozero::pbf_writer;

// CRC-32C, as TFRecord has it: masked, since a checksum of data with checksums is a poor one.
uint32_t masked_crc(std::string_view bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> made{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0x82F63B78u : rest >> 1;
      made[i] = rest;
    }
    return made;
  }();
  uint32_t crc = ~0u;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ crc >> 8;
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

template <typename T>
std::string little_endian(T number) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(number >> 8 * i);
  return bytes;
}

std::string record(std::string_view data) {
  const std::string length = little_endian(uint64_t{data.size()});
  return length + little_endian(masked_crc(length)) + std::string(data) +
         little_endian(masked_crc(data));
}

}  // namespace

std::string encode_configuration(const Configuration& configuration) {
  std::string bytes;
  pbf_writer config(bytes);
  {
    pbf_writer gpu(config, 6);
    gpu.add_double(1, configuration.gpu_memory_fraction);
    if (configuration.allow_growth) gpu.add_bool(4, true);
  }
  config.add_bool(7, true);  // allow_soft_placement: a graph that was made on a GPU runs without
  if (configuration.xla) {
    pbf_writer graph(config, 10);
    pbf_writer optimizer(graph, 3);
    optimizer.add_enum(5, 1);     // global_jit_level = ON_1
    optimizer.add_bool(7, true);  // cpu_global_jit
  }
  return bytes;
}

std::string encode_tracing() {
  constexpr int kFullTrace = 3;
  std::string bytes;
  pbf_writer(bytes).add_enum(1, kFullTrace);
  return bytes;
}

std::string event_file(std::string_view graph, double seconds_since_epoch) {
  std::string version, event;
  pbf_writer first(version);
  first.add_double(1, seconds_since_epoch);
  first.add_string(3, "brain.Event:2");
  pbf_writer second(event);
  second.add_double(1, seconds_since_epoch);
  second.add_bytes(4, graph.data(), graph.size());
  return record(version) + record(event);
}

}  // namespace tensorflow
