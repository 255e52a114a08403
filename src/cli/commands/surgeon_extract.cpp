// `polygraphy surgeon extract`.
#include <optional>

#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/surgeon/extract.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --model-input-shapes"},
    {&args_data_loader},
    {&args_onnx_shape_inference,
     "--shape-inference --force-fallback-shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--inputs",
     .help = "New inputs: name, shape and type, such as conv1_out:[1,64,56,56]:float32. auto "
             "selects the shape or type in the model, else the inferred one. Default: the model's "
             "inputs. Without a value: no inputs.",
     .arity = Arity::kZeroOrMore,
     .metavar = "NAME:SHAPE:TYPE"},
    {.spellings = "--outputs",
     .help = "New outputs: name and type, such as fc_out:float32 or fc_out:auto. Default: the "
             "model's outputs.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:TYPE"},
};

std::optional<Metadata> parse_ports(const ParsedArgs& args, std::string_view key, bool with_shape) {
  if (!args.has(key)) return std::nullopt;
  return parse_metadata(args.list(key), {.shape = with_shape, .dtype = true});
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  ExtractOptions options;
  options.inputs = parse_ports(args, "--inputs", true);
  options.outputs = parse_ports(args, "--outputs", false);
  options.force_observation = args.has("--force-fallback-shape-inference");
  options.files = resolve_surgery(session);
  options.run = resolve_observed_run(session, resolve_shapes(args));
  session.announce();
  return finish(session, extract(options, session.log()).model);
}

}  // namespace

extern constinit const Command command_surgeon_extract = {
    .path = "surgeon extract",
    .summary = "Extract the part of a model between given tensors.",
    .description =
        "Write the part of a model between the given inputs and outputs, with its weights.",
    .examples =
        "polygraphy surgeon extract model.onnx -o part.onnx --inputs conv1_out:auto:auto\n"
        "polygraphy surgeon extract model.onnx -o part.onnx --outputs features:float32",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
