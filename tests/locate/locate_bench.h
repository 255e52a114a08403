// Common part of the tests of this folder: jobs on small networks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "faulty_engine.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "small_networks.h"

namespace polygraphy {

// Exact ONNX Runtime against one that has these faults and computes in `format`.
LocateJob faulty_job(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples,
                     std::vector<Fault> faults, std::optional<NumberFormat> format);

// "guilty: MatMul_3", for each of the first nodes.
std::vector<std::string> first_verdicts(const LocateResult& result, size_t count);

}  // namespace polygraphy
