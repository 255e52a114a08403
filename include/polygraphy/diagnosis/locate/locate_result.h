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

struct LocateProof {
  std::vector<std::string> replaced = {};
  bool agrees = false;
  double worst_before = 0, worst_after = 0;
  std::string worst_output = {};
  std::optional<double> worst_with_only_these = {};
  bool suffices = false;
  std::vector<std::string> next = {};
  std::string note = {};
};

constexpr auto record_of(RecordOf<LocateProof>) {
  return record<LocateProof>(
      "LocateProof",
      "A second run of the target, with results of nodes replaced by the reference's.",
      member("replaced", &LocateProof::replaced, "The nodes."),
      member("agrees", &LocateProof::agrees, "All outputs of that run are within their noise."),
      member("worst_before", &LocateProof::worst_before,
             "The largest ratio of an output's error to its noise without replacing."),
      member("worst_after", &LocateProof::worst_after, "The same with replacing."),
      member("worst_output", &LocateProof::worst_output, "The output with that error."),
      member("worst_with_only_these", &LocateProof::worst_with_only_these,
             "The converse: the largest ratio if the reference computes all nodes but these, and "
             "these have the results that the target computes of right inputs; null: not run."),
      member("suffices", &LocateProof::suffices, "The converse is about as far off as the target."),
      member("next", &LocateProof::next,
             "The first nodes that are wrong in that run although their inputs are right."),
      member("note", &LocateProof::note, "The reason for a missing verdict."));
}

// A correct engine computes the other nodes in the target's format. Always includes guilty nodes
// and those that overflow the format.
struct LocateRemedy {
  NumberFormat format = NumberFormat::kFloat32;  // the target's
  std::string measure = {};
  std::vector<std::string> nodes = {};
  bool agrees = false, fewest = false;
  int64_t evaluations = 0;
  std::string written = {};
  std::optional<bool> written_agrees = {};
  std::string note = {};
};

constexpr auto record_of(RecordOf<LocateRemedy>) {
  return record<LocateRemedy>(
      "LocateRemedy", "Nodes that must be computed in float32 so that the outputs agree.",
      member("measure", &LocateRemedy::measure, "The limits that decide, as of Verdict."),
      member("nodes", &LocateRemedy::nodes, "In the order of data."),
      member("agrees", &LocateRemedy::agrees, "The outputs agree with these nodes in float32."),
      member("fewest", &LocateRemedy::fewest,
             "Every node is necessary; false: the search ended early."),
      count("evaluations", &LocateRemedy::evaluations, "How often the model was evaluated."),
      member("written", &LocateRemedy::written,
             "The file of the model with Casts; empty: not written."),
      member("written_agrees", &LocateRemedy::written_agrees,
             "Its outputs agree on the runner for noise.")
          .if_set(),
      member("note", &LocateRemedy::note, "The reason for missing results."));
}

struct LocateFusion {
  std::vector<std::string> tensors = {};
  bool on_both_sides = false;
  std::string first_off = {}, note = {};

  bool found() const { return !tensors.empty() || !first_off.empty(); }
};

constexpr auto record_of(RecordOf<LocateFusion>) {
  return record<LocateFusion>(
      "LocateFusion",
      "A difference that vanishes if tensors are outputs, too: the engine is wrong where it fuses "
      "their producers with their consumers.",
      member("tensors", &LocateFusion::tensors, "These tensors."),
      member("on_both_sides", &LocateFusion::on_both_sides,
             "They must be outputs of the reference, too: either engine may be wrong."),
      member("first_off", &LocateFusion::first_off,
             "If outputs do not make it vanish, the first result that is off in the model with all "
             "tensors as outputs, though its node is right alone; else \"\"."),
      member("note", &LocateFusion::note, "The reason for missing tensors."));
}

struct LocateResult {
  // On the model's outputs, without marked tensors: by noise, the verdict of `run --noise-floor`,
  // or by LocateJob::agrees.
  Verdict verdict = {};
  std::string reference, target;
  bool saved_reference = false;  // it is a file, perhaps of another model
  NumberFormat format = NumberFormat::kFloat32;
  std::string noise = {};     // of which formats, as the verdict names them; empty: not known
  bool quantization = false;  // rounding of quantised numbers counts as noise
  int64_t samples = 0;
  std::vector<NodeFinding> nodes = {};
  std::vector<NodeFinding> in_order = {};  // the main graph's, in the order of data
  std::vector<std::string> outputs = {};
  std::vector<std::string> off = {};  // outputs beyond their noise, with all tensors marked
  // Not empty: figures of nodes are those of one run each, without fusion, proof or remedy.
  std::string varies = {};
  bool inlined = false;  // local functions were inlined, and their nodes and tensors have new names
  std::optional<LocateFusion> fusion = {};
  std::optional<LocateProof> proof = {};
  std::optional<LocateRemedy> remedy = {};
  std::vector<std::string> notes = {};
  // True if the model's outputs agree, and no weight is wrong. If quantisation is too coarse for
  // them: each node was judged alone, and is right. If no output is known on both sides, such as of
  // saved results of other tensors: nodes were compared, and none is guilty or overflows.
  bool clean() const;
  // Neither outputs nor nodes, so that there is no answer.
  bool compared_nothing() const;
  bool compared_nodes_only() const;
  // The first guilty node of `nodes`; null if no node is guilty.
  const NodeFinding* guilty() const;

 private:
  bool stands_out() const;  // an output or a node
};

std::string locate_verdict(const LocateResult& result);  // report/locate_text.h
std::string locate_summary(const LocateResult& result);

constexpr auto record_of(RecordOf<LocateResult>) {
  return record<LocateResult>(
      "LocateFigures", "The result of a search for the nodes that make two engines differ.",
      derived(
          "verdict", [](const LocateResult& of) { return locate_verdict(of); },
          "On the whole model: \"agree\", \"noise\", \"accumulated\", \"guilty\", \"overflow\" "
          "..."),
      derived(
          "summary", [](const LocateResult& of) { return locate_summary(of); },
          "The text that `polygraphy debug locate` prints.")
          .json_only(),
      member("answer", &LocateResult::verdict, "On the outputs of the model as it is."),
      member("varies", &LocateResult::varies,
             "How a side computes other results of the same input.")
          .if_set(),
      member("reference", &LocateResult::reference, "The name of a side."),
      member("target", &LocateResult::target, "The name of the other side."),
      member("target_precision", &LocateResult::format, "The target's number format.")
          .python("format"),
      count("samples", &LocateResult::samples, "How many sets of inputs were used."),
      member("outputs", &LocateResult::outputs, "Names of the model's outputs."),
      member("fusion", &LocateResult::fusion,
             "If the outputs differ, but no tensor does while all are outputs.")
          .if_set(),
      member("proof", &LocateResult::proof, "If nodes were replaced.").if_set(),
      member("remedy", &LocateResult::remedy, "If the job includes one.").if_set(),
      member("notes", &LocateResult::notes, "Skipped steps, with reasons."),
      member("nodes", &LocateResult::nodes, "All nodes, worst first."));
}

}  // namespace polygraphy
