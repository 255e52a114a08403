// ONNX-GraphSurgeon: load, build, edit and save ONNX models.
//
//   using namespace graphsurgeon;
//   Model model = load_model("in.onnx");
//   Tensor* features = model.graph->tensors()["features"];
//   model.graph->mutable_outputs() = {features};
//   cleanup(model);
//   save_model(model, "out.onnx");
//
// Ownership: a Model owns its graph and functions, a graph its nodes, a node its tensors and
// subgraphs, all by counted handles (GraphRef, NodeRef, TensorRef); objects may exist outside of
// any graph. The links from tensors back to nodes own nothing: a node ends when only they lead to
// it. Objects return texts as views that live as long as the object. A graph belongs to one thread
// at a time.
//
// Errors: every function throws polygraphy::Error (a message and a hint) and leaves its object
// unchanged, unless its header says otherwise. The library prints nothing: messages go to the
// Logger argument of a call.
//
// To compile faster, include single parts instead; each of these stands alone. docs/graphsurgeon.md
// lists the differences from the Python library, with reasons.
#pragma once

#include "base/arrays/array.h"
#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"           // ProgressWatch: of folding, and of writing large files
#include "graphsurgeon/diff/diff.h"  // diff(): the changes between two models
#include "graphsurgeon/fold/fold.h"  // fold_constants()
#include "graphsurgeon/io/load.h"    // load_model()
#include "graphsurgeon/io/save.h"    // save_model()
// Arg: arguments of layer() and values of attributes
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/copy.h"                 // copy()
#include "graphsurgeon/ir/equal.h"                // structurally_equal()
#include "graphsurgeon/ir/graph.h"                // Model, Graph, Node, Tensor
#include "graphsurgeon/ir/layer.h"                // Graph::layer()
#include "graphsurgeon/ir/make.h"                 // make_model(), make_function(), call_function()
#include "graphsurgeon/ir/nested_graphs.h"        // NodeIndex
#include "graphsurgeon/ir/object_text.h"          // to_text()
#include "graphsurgeon/ir/registry.h"             // register_op(), Model::call()
#include "graphsurgeon/onnx/checker.h"            // check_model()
#include "graphsurgeon/onnx/onnx_text.h"          // parse_onnx_text(), to_onnx_text()
#include "graphsurgeon/onnx/shape_inference.h"    // infer_shapes()
#include "graphsurgeon/onnx/version_converter.h"  // other opset versions
#include "graphsurgeon/passes/cleanup.h"          // cleanup()
#include "graphsurgeon/passes/extract.h"          // extract()
#include "graphsurgeon/passes/insert_node.h"      // insert_node()
#include "graphsurgeon/passes/toposort.h"         // toposort()
#include "graphsurgeon/pattern/graph_pattern.h"   // GraphPattern

namespace graphsurgeon {
using polygraphy::convert;  // conversion between element types
using polygraphy::Error;    // thrown by every function here
using polygraphy::Logger;   // a default-constructed one is silent
}  // namespace graphsurgeon
