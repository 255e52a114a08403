// The values that `debug locate` gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// A second run of the target, with results of nodes replaced by the reference's.
struct LocateProof {
  std::vector<std::string> replaced = {};    // nodes
  bool agrees = false;                       // all outputs of that run are within the noise
  double worst_before = 0, worst_after = 0;  // ratios of the outputs' errors to their noise
  std::string worst_output = {};
  // The converse: the largest ratio of the outputs if the reference computes all nodes but these,
  // and these have the results that the target computes of right inputs. nullopt: not run.
  std::optional<double> worst_with_only_these = {};
  // The converse is about as far off as the target.
  bool suffices = false;
  // The first nodes that are wrong in that run although their inputs are right.
  std::vector<std::string> next = {};
  std::string note = {};  // the reason for a missing verdict
};

// Nodes that must be computed in float32 so that the outputs are close enough, if a correct engine
// computes the rest in the target's format. Always includes guilty nodes and those that overflow
// the format.
struct LocateRemedy {
  NumberFormat format = NumberFormat::kFloat32;  // the target's
  std::string measure = {};                      // Verdict::measure of the check
  std::vector<std::string> nodes = {};           // in the order of data
  bool agrees = false;  // the outputs are close enough with these nodes in float32
  bool fewest = false;  // every node is necessary; false: the search ended early
  int64_t evaluations = 0;
  std::string written = {};                 // the file of the model with Casts
  std::optional<bool> written_agrees = {};  // its outputs are close enough on the runner for noise
  std::string note = {};                    // the reason for missing results
};

// A difference of the model that vanishes if these tensors are outputs, too: the engine is wrong
// where it fuses their producers with their consumers.
struct LocateFusion {
  std::vector<std::string> tensors = {};
  // They must be outputs of the reference's model, too: either engine may be wrong.
  bool on_both_sides = false;
  // Outputs do not make it vanish: the first result that is off in the model with all tensors as
  // outputs. Its node is right alone.
  std::string first_off = {};
  std::string note = {};  // the reason for missing tensors

  bool found() const { return !tensors.empty() || !first_off.empty(); }
};

struct LocateResult {
  // On the model's outputs, without marked tensors: by noise, the verdict of `run --noise-floor`,
  // or by LocateJob::agrees.
  Verdict verdict = {};
  std::string reference, target;  // names of both sides
  bool saved_reference = false;   // it is a file, perhaps of another model
  NumberFormat format = NumberFormat::kFloat32;
  std::string noise = {};     // of which formats, as the verdict names them; empty: not known
  bool quantization = false;  // rounding of quantised numbers counts as noise
  int64_t samples = 0;
  std::vector<NodeFinding> nodes = {};     // ranked by verdict, then by error
  std::vector<NodeFinding> in_order = {};  // the main graph's, in the order of data
  std::vector<std::string> outputs = {};   // the model's
  std::vector<std::string> off =
      {};  // outputs with errors beyond their noise, with all tensors marked
  // How a side computes other results of the same input; empty: it does not, or no error called for
  // a repetition. Figures of nodes are then those of one run each: no fusion, proof or remedy.
  std::string varies = {};
  bool inlined = false;  // local functions were inlined, and their nodes and tensors have new names
  std::optional<LocateFusion> fusion = {};  // if the verdict differs, but no marked tensor does
  std::optional<LocateProof> proof = {};
  std::optional<LocateRemedy> remedy = {};
  std::vector<std::string> notes = {};  // skipped steps, with reasons
  // True if the model's outputs agree, and no weight is wrong. If none could be compared: no node
  // is guilty or overflows. If quantisation is too coarse for them: each node was judged alone, and
  // is right.
  bool clean() const;
  // The first guilty node of `nodes`; null if no node is guilty.
  const NodeFinding* guilty() const;
};

}  // namespace polygraphy
