// Faults planted by rule into an engine built on the SDK (fusing_backend.cpp), and pairs without
// faults; the answers of `debug locate` to them are counted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hard_networks.h"
#include "planted_fault.h"
#include "polygraphy/diagnosis/locate/locate.h"

namespace polygraphy {

struct PlantedCase {
  std::string name = {};  // "labels flips@ArgMax_4 float32"
  SmallNetwork network = {};
  Fault fault = {};
  NumberFormat format = NumberFormat::kFloat32;
  // Half of the cases, by their names, was not looked at while the judgement was written.
  bool held_out() const;
};

// Every case shows: some output of the model is off because of the fault. `part`: of names, those
// before the fault ("labels/ties").
std::vector<PlantedCase> planted_cases(bool held_out, std::string_view part = {});

// Whether the result accuses the node. That an output of the model has numbers which the format
// does not hold is so in an engine without a fault, too.
bool is_accused(const LocateResult& result, const NodeFinding& finding);

enum class Answer : uint8_t { kRight, kWrong, kMissed, kFailed };

// The answer to the case, and the text of what was found.
struct Answered {
  Answer answer = Answer::kMissed;
  std::string text = {};
  int innocents = 0;  // accused nodes that are neither the wrong one nor of its kernel
  LocateResult result = {};
};
Answered locate_planted(const PlantedCase& one);

// The fusing engine as target, exact ONNX Runtime as reference, both of the network.
struct PlantedJob {
  PlantedJob(const SmallNetwork& network, const std::vector<Fault>& faults, NumberFormat format);
  LocateResult locate();

  Logger log;
  RunnerFactory factory;
  graphsurgeon::Model model;
  LocateJob job;
};

}  // namespace polygraphy
