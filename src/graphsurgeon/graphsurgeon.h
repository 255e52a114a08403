// The whole graph library: `#include "graphsurgeon/graphsurgeon.h"`.
//
// Programs that build often include the parts instead; each of these stands alone.
#pragma once

#include "base/array.h"
#include "base/convert.h"
#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/fold/fold.h"               // fold_constants()
#include "graphsurgeon/io/load.h"                 // load_model()
#include "graphsurgeon/io/save.h"                 // save_model()
#include "graphsurgeon/ir/graph.h"                // Model, Graph, Node, Tensor
#include "graphsurgeon/onnx/checker.h"            // check_model()
#include "graphsurgeon/onnx/onnx_text.h"          // parse_onnx_text(), to_onnx_text()
#include "graphsurgeon/onnx/shape_inference.h"    // infer_shapes()
#include "graphsurgeon/onnx/version_converter.h"  // other opset versions
#include "graphsurgeon/passes/cleanup.h"          // cleanup()
#include "graphsurgeon/passes/toposort.h"         // toposort()
#include "graphsurgeon/pattern/graph_pattern.h"   // GraphPattern
