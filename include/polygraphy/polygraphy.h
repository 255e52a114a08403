// The debugging library: run ONNX models on several runtimes and compare what they return.
//
//   using namespace polygraphy;
//   OnnxrtRunner onnxrt("model.onnx");
//   OpenVinoRunner openvino("model.onnx");
//   const RunResults results = Comparator::run({onnxrt, openvino});
//   const bool same(Comparator::compare_accuracy(results));
//
// Errors: everything throws polygraphy::Error, whose what() says what was seen and whose hint()
// says what to do. Nothing is printed: messages go to the Logger that an options struct is given.
// Nothing is loaded before a runner is activated, or a loader called.
//
// Programs that build often include the parts instead; each of these stands alone. Examples:
// examples/polygraphy. The graph library has a header of its own, graphsurgeon/graphsurgeon.h.
#pragma once

#include "base/arrays/array.h"                     // Array
#include "base/cancel.h"                           // CancelToken
#include "base/error.h"                            // Error
#include "base/log.h"                              // Logger
#include "polygraphy/backend/default_evaluator.h"  // default_evaluator()
#include "polygraphy/backend/runner.h"             // Runner, ActiveRunner
#include "polygraphy/backend_runners.h"            // OnnxrtRunner, OpenVinoRunner, backend_status()
#include "polygraphy/benchmark/benchmark_job.h"    // benchmark()
#include "polygraphy/benchmark/benchmark_page.h"   // benchmark_sections()
#include "polygraphy/comparator.h"                 // Comparator
#include "polygraphy/compare/accuracy/accuracy_page.h"     // accuracy_sections()
#include "polygraphy/compare/accuracy/accuracy_results.h"  // AccuracyResults
#include "polygraphy/compare/accuracy/check_accuracy.h"    // check_accuracy()
#include "polygraphy/compare/run_job.h"                    // run()
#include "polygraphy/compare_func.h"                       // CompareFunc
#include "polygraphy/consistency/consistency.h"            // check_consistency()
#include "polygraphy/consistency/consistency_json.h"       // consistency_json()
#include "polygraphy/consistency/consistency_page.h"       // consistency_sections()
#include "polygraphy/consistency/consistency_text.h"       // consistency_table()
#include "polygraphy/data_source.h"                        // DataSource
#include "polygraphy/debug/command_check.h"                // command_check(), for reduce()
#include "polygraphy/engines/combine_tensor_info.h"        // combine_tensor_info()
#include "polygraphy/engines/engine_text.h"                // describe_engine(), engine_text()
#include "polygraphy/engines/inspect_capability.h"         // build_engine() ...
#include "polygraphy/engines/network_text.h"               // describe_network(), network_text()
#include "polygraphy/engines/onnx_like.h"                  // onnx_like_from_network()
#include "polygraphy/inputs/data_loader.h"                 // DataLoader
#include "polygraphy/inspect/diff_page.h"                  // diff_sections()
#include "polygraphy/inspect/inspect_data.h"               // inspect_data()
#include "polygraphy/inspect/inspect_model.h"              // inspect_model()
#include "polygraphy/inspect/inspect_sparsity.h"           // inspect_sparsity()
#include "polygraphy/inspect/inspect_tactics.h"            // inspect_tactics(), diff_tactics()
#include "polygraphy/lint/lint_job.h"                      // lint()
#include "polygraphy/loaders/mark_outputs.h"               // OutputSelection
#include "polygraphy/locate/locate.h"                      // locate()
#include "polygraphy/locate/locate_json.h"                 // locate_json()
#include "polygraphy/locate/locate_page.h"                 // locate_sections()
#include "polygraphy/locate/locate_text.h"                 // locate_summary(), locate_table()
#include "polygraphy/locate/noise_floor.h"                 // noise_floor()
#include "polygraphy/model_loaders.h"               // OnnxFromPath, ModifyOutputs …, extend()
#include "polygraphy/precision/find_precision.h"    // find_precision()
#include "polygraphy/reduce/reduce_job.h"           // reduce()
#include "polygraphy/reduce/reduction_page.h"       // reduction_sections()
#include "polygraphy/report_page/report_page.h"     // report_html()
#include "polygraphy/results/combine_files.h"       // merge_saved_files(), concat_saved_files()
#include "polygraphy/results/results.h"             // RunResults
#include "polygraphy/results/saved_inputs.h"        // load_feeds(), InputReader …
#include "polygraphy/results/saved_outputs.h"       // load_results(), OutputWriter …
#include "polygraphy/sharding/shard_job.h"          // shard()
#include "polygraphy/sharding/shard_sequence.h"     // shard_sequence()
#include "polygraphy/sharding/shard_weights.h"      // shard_weights()
#include "polygraphy/surgeon/diff.h"                // diff()
#include "polygraphy/surgeon/extract.h"             // extract()
#include "polygraphy/surgeon/insert.h"              // insert()
#include "polygraphy/surgeon/prune.h"               // prune()
#include "polygraphy/surgeon/sanitize.h"            // sanitize()
#include "polygraphy/surgeon/weight_reconstruct.h"  // weight_reconstruct()
#include "polygraphy/surgeon/weight_strip.h"        // weight_strip()
#include "polygraphy/tensors.h"                     // full(), at()
#include "polygraphy/visual/graph_svg.h"            // graph_svg()
#include "polygraphy/visual/neighbourhood.h"        // neighbourhood()
#include "polygraphy/visual/viewer_page.h"          // viewer_page()
#include "polygraphy/visual/viewer_server.h"        // ViewerServer
#include "polygraphy/visual/visualize_engine.h"     // visualize(), of networks and engines
#include "polygraphy/visual/visualize_onnx.h"       // visualize(), of ONNX models

#include "polygraphy/tensorrt_loaders.h"    // TrtRunner, EngineFromNetwork ...
#include "polygraphy/tensors/flat_names.h"  // flatten(), unflatten()
