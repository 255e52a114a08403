// Optimization profiles: the ranges of shapes that an engine is built for.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// Least, usual and greatest shape; of an input of shapes, its values.
using ShapeRange = std::array<std::vector<int64_t>, 3>;
// By input, in order; a name may have wildcards.
using Profile = std::vector<std::pair<std::string, ShapeRange>>;

// "{x [min=[1, 4], opt=[1, 4], max=[8, 4]]}", the separator between inputs.
std::string profile_text(const Profile& profile, const char* separator = ",\n ");

// --trt-min-shapes, --trt-opt-shapes, --trt-max-shapes and --input-shapes; one profile at least.
// Throws pgb::Failure.
std::vector<Profile> profiles_of(const pgb::Host& host, const pgb::Options& options);

// One that a configuration has.
struct AddedProfile {
  const nv::IOptimizationProfile* profile = nullptr;
  Profile ranges;  // of all inputs of the network, in its order
};

// Adds them to the configuration, completed for inputs that they say nothing of; the last one is
// returned. Throws pgb::Failure where they contradict the network: input, dimension and both.
AddedProfile add_profiles(const std::vector<Profile>& profiles, nv::IBuilder& builder,
                          nv::INetworkDefinition& network, nv::IBuilderConfig& config,
                          const Library& library, Logger& logger);

}  // namespace tensorrt::TENSORRT_FAMILY
