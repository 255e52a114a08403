// Small networks in which judging is hard: whole numbers, shapes computed from shapes, indices,
// quantised and half-precision numbers, tiny numbers beside large ones, loops that do not run.
#pragma once

#include "small_networks.h"

namespace polygraphy {

std::span<const SmallNetwork> hard_networks();
// These, small_networks() and deployed_networks().
std::vector<SmallNetwork> all_networks();
// Throws Error: no network has this name.
const SmallNetwork& network_named(const std::string& name);

}  // namespace polygraphy
