// `polygraphy surgeon weight-reconstruct`.
#include "base/error.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/surgeon/weight_reconstruct.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--seed",
     .help = "Seed of the random numbers: the same seed gives the same weights. Default: 1.",
     .type = ValueType::kInt,
     .metavar = "NUMBER",
     .origin = Origin::kOurs},
};

uint32_t seed_of(const ParsedArgs& args) {
  const int64_t seed = args.integer("--seed").value_or(kReconstructSeed);
  if (seed >= 0 && seed <= UINT32_MAX) return static_cast<uint32_t>(seed);
  throw Error("--seed " + std::to_string(seed) + " is not a number from 0 to 4294967295");
}

int run_command(Session& session) {
  const WeightReconstructOptions options{resolve_surgery(session), seed_of(session.args())};
  session.announce();
  return finish(session, weight_reconstruct(options, session.log()));
}

}  // namespace

extern constinit const Command command_surgeon_weight_reconstruct = {
    .path = "surgeon weight-reconstruct",
    .summary = "Fill stripped weights with random values.",
    .description =
        "Fill the weights stripped by `surgeon weight-strip` with normally distributed random "
        "numbers; weights that were sparse become sparse again.",
    .examples =
        "polygraphy surgeon weight-reconstruct stripped.onnx -o full.onnx\n"
        "polygraphy surgeon weight-reconstruct stripped.onnx -o full.onnx --seed 7",
    .order = 5,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
