// The examined model, in the form for splitting it into parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/candidates/candidate_folder.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

// A node of the main graph.
struct NodeFacts {
  std::string name, op, module;  // as in NodeFinding
  // Names of variables that the node and its bodies read, and of its results; of several results,
  // only the used ones.
  std::vector<std::string> reads, makes;
  std::vector<size_t> producers;  // producers of `reads`
  bool has_bodies = false;
};

class WholeModel {
 public:
  // Local functions are inlined, Constant nodes become initializers, nodes are sorted, and unused
  // ones are removed. `parent`: the parent of a folder with models that share the weights; empty:
  // the system's. Throws Error, IoError.
  WholeModel(graphsurgeon::Model model, const std::string& parent,
             DataPlacement placement = DataPlacement::kLinks);

  const graphsurgeon::Model& model() const { return model_; }
  bool inlined() const { return inlined_; }  // true if the model had local functions
  const std::vector<NodeFacts>& nodes() const { return nodes_; }
  // NodeFacts::makes of the nodes at these positions, of all nodes.
  std::vector<std::string> made_by(const std::vector<size_t>& positions) const;
  std::vector<std::string> made() const;
  const std::vector<std::string>& inputs() const { return inputs_; }  // inputs that need a feed
  // Inputs of the model as it was given: unused ones need a feed, too.
  const Metadata& given_inputs() const { return given_inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }
  // Outputs of the model that are constants or inputs, which no node makes.
  const std::vector<std::string>& unmade_outputs() const { return unmade_outputs_; }

  // The whole model with only these outputs, for any runner; empty: its outputs.
  ModelSource with_outputs(std::vector<std::string> outputs) const;
  // A copy with these tensors as outputs.
  graphsurgeon::Model marked(const std::vector<std::string>& outputs) const;
  // Writes a derived model to a file, which the next call replaces.
  ModelSource write(const graphsurgeon::Model& made) const;

  // A copy with the types and shapes that inference finds for these inputs. O(model).
  graphsurgeon::Model sized_for(const ValueMap& feed) const;
  // Bytes of each tensor for these inputs, in the order of `names`; `unknown` if inference does not
  // find it. O(model).
  std::vector<uint64_t> bytes_of(const std::vector<std::string>& names, const ValueMap& feed,
                                 uint64_t unknown) const;

 private:
  graphsurgeon::Model model_;
  bool inlined_ = false;
  std::vector<NodeFacts> nodes_;
  Metadata given_inputs_;
  std::vector<std::string> inputs_, outputs_, unmade_outputs_;
  std::unique_ptr<CandidateFolder> folder_;
};

}  // namespace polygraphy
