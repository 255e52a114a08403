// The plan of a network: the model with the requested outputs, weights and precisions.
#pragma once

#include "building/config.h"
#include "building/network.h"
#include "running/plan.h"

namespace tensorrt_double {

Plan plan_of_network(const NetworkImpl& network, const ConfigImpl& config);

}  // namespace tensorrt_double
