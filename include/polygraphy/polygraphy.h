// The debugging library: run ONNX models on several runtimes and compare their outputs.
//
//   using namespace polygraphy;
//   OnnxrtRunner onnxrt("model.onnx");
//   OpenVinoRunner openvino("model.onnx");
//   const RunResults results = Comparator::run({onnxrt, openvino});
//   const bool same(Comparator::compare_accuracy(results));
//
// Errors: every function throws polygraphy::Error: its what() is the observation, its hint() a
// remedy. The library prints nothing: messages go to the Logger of an options struct. Models and
// libraries are loaded when a runner is activated, or a loader called.
//
// To compile faster, include single parts instead; each of these stands alone. Examples:
// examples/polygraphy. The graph library has a separate header, graphsurgeon/graphsurgeon.h.
#pragma once

#include "base/arrays/array.h"                                          // Array
#include "base/cancel.h"                                                // CancelToken
#include "base/error.h"                                                 // Error
#include "base/log.h"                                                   // Logger
#include "base/progress.h"                                              // ProgressWatch
#include "pictures/report_page/report_page.h"                           // report_html()
#include "polygraphy/comparison/benchmark/benchmark_job.h"              // benchmark()
#include "polygraphy/comparison/benchmark/benchmark_page.h"             // benchmark_sections()
#include "polygraphy/comparison/compare/accuracy/accuracy_page.h"       // accuracy_sections()
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"    // AccuracyResults
#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"      // check_accuracy()
#include "polygraphy/comparison/run_job/run_job.h"                      // run()
#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"  // task_metric_comparison()
#include "polygraphy/data/inputs/data_loader.h"                         // DataLoader
#include "polygraphy/data/results/combine_files.h"  // merge_saved_files(), concat_saved_files()
#include "polygraphy/data/results/results.h"        // RunResults
#include "polygraphy/data/results/saved_inputs.h"   // load_feeds(), InputReader …
#include "polygraphy/data/results/saved_outputs.h"  // load_results(), OutputWriter …
#include "polygraphy/diagnosis/consistency/consistency.h"       // check_consistency()
#include "polygraphy/diagnosis/consistency/consistency_json.h"  // consistency_json()
#include "polygraphy/diagnosis/consistency/consistency_page.h"  // consistency_sections()
#include "polygraphy/diagnosis/consistency/consistency_text.h"  // consistency_table()
#include "polygraphy/diagnosis/debug_loop/command_check.h"      // command_check(), for reduce()
#include "polygraphy/diagnosis/locate/locate.h"                 // locate()
#include "polygraphy/diagnosis/locate/noise_floor.h"            // noise_floor()
#include "polygraphy/diagnosis/locate/report/locate_json.h"     // locate_json()
#include "polygraphy/diagnosis/locate/report/locate_page.h"     // locate_sections()
#include "polygraphy/diagnosis/locate/report/locate_text.h"     // locate_summary(), locate_table()
#include "polygraphy/diagnosis/precision/find_precision.h"      // find_precision()
#include "polygraphy/diagnosis/reduce/reduce_job.h"             // reduce()
#include "polygraphy/diagnosis/reduce/reduction_page.h"         // reduction_sections()
#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"   // exclusion_lists()
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"       // find_sensitivity()
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"  // sensitivity_json()
#include "polygraphy/diagnosis/sensitivity/sensitivity_page.h"  // sensitivity_sections()
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"  // sensitivity_table()
#include "polygraphy/diagnosis/sensitivity/weight_format.h"     // parse_weight_format()
#include "polygraphy/facade/backend_runners.h"  // OnnxrtRunner, OpenVinoRunner, backend_status()
#include "polygraphy/facade/comparator.h"       // Comparator
#include "polygraphy/facade/compare_func.h"     // CompareFunc
#include "polygraphy/facade/data_source.h"      // DataSource
#include "polygraphy/facade/model_loaders.h"    // OnnxFromPath, ModifyOutputs …, extend()
#include "polygraphy/facade/plugins.h"          // match_plugins(), replace_plugins()
#include "polygraphy/facade/python_script.h"    // run_script()
#include "polygraphy/facade/tensors.h"          // full(), at()
#include "polygraphy/model_tools/inspect/diff_page.h"           // diff_sections()
#include "polygraphy/model_tools/inspect/inspect_data.h"        // inspect_data()
#include "polygraphy/model_tools/inspect/inspect_model.h"       // inspect_model()
#include "polygraphy/model_tools/inspect/inspect_sparsity.h"    // inspect_sparsity()
#include "polygraphy/model_tools/inspect/inspect_tactics.h"     // inspect_tactics(), diff_tactics()
#include "polygraphy/model_tools/lint/lint_job.h"               // lint()
#include "polygraphy/model_tools/surgeon/diff.h"                // diff()
#include "polygraphy/model_tools/surgeon/extract.h"             // extract()
#include "polygraphy/model_tools/surgeon/insert.h"              // insert()
#include "polygraphy/model_tools/surgeon/prune.h"               // prune()
#include "polygraphy/model_tools/surgeon/sanitize.h"            // sanitize()
#include "polygraphy/model_tools/surgeon/weight_reconstruct.h"  // weight_reconstruct()
#include "polygraphy/model_tools/surgeon/weight_strip.h"        // weight_strip()
#include "polygraphy/model_tools/visual/graph_svg.h"            // graph_svg()
#include "polygraphy/model_tools/visual/neighbourhood.h"        // neighbourhood()
#include "polygraphy/model_tools/visual/viewer_page.h"          // viewer_page()
#include "polygraphy/model_tools/visual/viewer_server.h"        // ViewerServer
#include "polygraphy/model_tools/visual/visualize_engine.h"  // visualize(), of networks and engines
#include "polygraphy/model_tools/visual/visualize_onnx.h"    // visualize(), of ONNX models
#include "polygraphy/models/loaders/mark_outputs.h"          // OutputSelection
#include "polygraphy/models/sharding/shard_job.h"            // shard()
#include "polygraphy/models/sharding/shard_sequence.h"       // shard_sequence()
#include "polygraphy/models/sharding/shard_weights.h"        // shard_weights()
#include "polygraphy/runtimes/backend/default_evaluator.h"   // default_evaluator()
#include "polygraphy/runtimes/backend/runner.h"              // Runner, ActiveRunner
#include "polygraphy/runtimes/compiled/capability_text.h"    // find_capability(), capability_text()
#include "polygraphy/runtimes/compiled/combine_tensor_info.h"  // combine_tensor_info()
#include "polygraphy/runtimes/compiled/engine_text.h"          // describe_engine(), engine_text()
#include "polygraphy/runtimes/compiled/inspect_capability.h"   // build_engine() ...
#include "polygraphy/runtimes/compiled/network_text.h"         // describe_network(), network_text()
#include "polygraphy/runtimes/compiled/onnx_like.h"            // onnx_like_from_network()
#include "polygraphy/runtimes/decoding/decode_options.h"       // decoding_of()
#include "polygraphy/runtimes/runner_factory/runner_factory.h"  // RunnerFactory
#include "polygraphy/runtimes/runner_spec/runner_spec_json.h"   // runner_spec_json()

#include "polygraphy/data/tensors/flat_names.h"  // flatten(), unflatten()
#include "polygraphy/facade/tensorrt_loaders.h"  // TrtRunner, EngineFromNetwork ...
