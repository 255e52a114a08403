// `polygraphy convert`.
#include <string>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/mapped_file.h"
#include "cli/args/data_loader.h"
#include "cli/args/model.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/engine_job.h"
#include "cli/jobs/tf_model.h"
#include "cli/scripts/trt_script.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/compiled/onnx_like.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --model-type --input-shapes"},
    {&args_engines, "--ckpt --tf-outputs --freeze-graph --tf-signature --opset"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
    {&args_onnx_saving, kSavingOptions},
    {&args_data_loader},
    {.group = &args_engines, .heading = kTrtConfigHeading},
    {.group = &args_engines, .heading = kTrtParserHeading},
    {.group = &args_engines, .heading = kTrtNetworkHeading},
    {&args_engines, "--save-timing-cache --trt-lib --trt-driver"},
    {&args_isolation, "--timeout"},
    {&args_backend_path},
};

constexpr Option kOptions[] = {
    {.spellings = "--convert-to",
     .help = "Format to convert to: onnx, or trt for a TensorRT engine. Default: by the name of "
             "the output, *.onnx, *.engine or *.plan. onnx-like-trt-network: TensorRT's network of "
             "the model in the form of ONNX, for viewers; it is not a valid model.",
     .choices = "onnx trt onnx-like-trt-network"},
};

// "onnx", "trt". Throws Error if neither option nor name decides.
std::string target_of(const ParsedArgs& args) {
  if (const auto given = args.text("--convert-to")) return *given;
  const std::string output = args.text("--output").value_or("");
  const auto ends_with = [&](std::initializer_list<std::string_view> extensions) {
    for (const std::string_view extension : extensions) {
      if (output.ends_with(extension)) return true;
    }
    return false;
  };
  if (ends_with({".onnx"})) return "onnx";
  if (ends_with({".engine", ".plan", ".uff", ".py"})) return "trt";
  if (ends_with({".hdf5", ".graphdef", ".prototxt"})) {
    throw Error("Cannot convert to model type: " + output.substr(output.rfind('.') + 1),
                "Supported outputs: ONNX (*.onnx) and TensorRT engines (*.engine).");
  }
  throw Error("Could not automatically determine model type based on output path: " + output,
              "Please specify the desired output format with --convert-to\n"
              "Names that decide it end in .onnx, .engine or .plan.");
}

// An engine is one already.
void copy_engine(const std::string& from, const std::string& to) {
  write_file(to, MappedFile::open(from)->bytes());
}

void convert_to_engine(Session& session, ModelSource model, const Metadata& shapes,
                       const std::string& output) {
  refuse_to_replace(model, "--output", output, output);
  if (model.format == kEngineFormat) return copy_engine(model.path, output);
  require_script_or_make_onnx(session, model);
  const DeferredInterrupts interrupts(session.env());
  build_engine(resolve_engine_job(session, model, shapes), output, session.log());
  interrupts.check();
}

// As in the original, options of engines are taken for ONNX models, too.
void warn_of_engine_options(const ParsedArgs& args, Logger& log) {
  for (const auto& occurrence : args.occurrences()) {
    if (!args.syntax().section_of(*occurrence.entry).backend) continue;
    const std::string option = occurrence.entry->display();
    log.warning(log_modules::kRun,
                "Option: " + option + " has no effect on ONNX models" +
                    (option == "--fp16" ? ": --fp-to-fp16 converts them to float16" : ""));
  }
}

void convert_to_onnx(Session& session, ModelSource model) {
  const ParsedArgs& args = session.args();
  warn_of_engine_options(args, session.log());
  require_or_make_onnx(session, model);
  auto loaded = load_onnx(model, session.log());
  save_onnx(*loaded, resolve_onnx_saving(args, session.env()), session.log());
  session.discard(std::move(loaded));
}

void convert_to_onnx_like(Session& session, ModelSource model, const Metadata& shapes,
                          const std::string& output) {
  refuse_to_replace(model, "--output", output, output);
  require_script_or_make_onnx(session, model);
  const NetworkDescription network =
      describe_network(resolve_engine_job(session, model, shapes), session.log(), true);
  save_onnx(onnx_like_from_network(network), resolve_onnx_saving(session.args(), session.env()),
            session.log());
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  const ModelSource model = resolve_model(args, session.env(), session.log());
  const Metadata shapes = resolve_shapes(args);
  const std::string target = target_of(args);
  const std::string output = session.env().path(*args.text("--output"));
  if (target != "trt" || model.format == kEngineFormat) warn_of_unused_inputs(args, session.log());
  if (target == "onnx") {
    convert_to_onnx(session, model);
  } else if (target == "trt") {
    convert_to_engine(session, model, shapes, output);
  } else {
    convert_to_onnx_like(session, model, shapes, output);
  }
  return 0;
}

}  // namespace

extern constinit const Command command_convert = {
    .path = "convert",
    .summary = "Convert a model to ONNX or to a TensorRT engine.",
    .description =
        "Convert an ONNX model to a TensorRT engine, or save it as ONNX with other outputs, shapes "
        "or precision.",
    .examples =
        "polygraphy convert saved_model -o model.onnx\n"
        "polygraphy convert model.onnx --fp-to-fp16 -o half.onnx",
    .order = 20,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
