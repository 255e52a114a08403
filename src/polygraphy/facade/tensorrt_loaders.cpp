#include "polygraphy/facade/tensorrt_loaders.h"

#include "base/os/atomic_file.h"
#include "base/os/mapped_file.h"
#include "base/silent_log.h"
#include "polygraphy/data/inputs/calibration_feeds.h"
#include "polygraphy/facade/shared_backends.h"
#include "polygraphy/facade/tensorrt_options.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/compile.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {
namespace {

constexpr const char* kBackend = "tensorrt";

NetworkLoader network_of(ModelLoader model, TrtNetwork network) {
  network.model = std::move(model);
  return network;
}

// Each build opens it again.
CalibrationFeeds feeds_of(const DataSource& data, Logger& log) {
  return {[&data, &log] { return data.open(log); }, CalibrationFeeds::Random::kExpected, log};
}

Bytes build(const TrtNetwork& network, const TrtConfig& config, const BackendRunnerOptions& given) {
  SessionOptions options{.options = options_of(network)};
  for (const BackendOptions& more : {options_of(config), given.options})
    options.options.insert(options.options.end(), more.begin(), more.end());
  PluginHost& host = host_of(given);
  const pgb_backend_options& backend = *host.catalog().get(kBackend).options;
  Logger& log = log_or_silence(given.log);
  if (config.calibrator) options.calibration = feeds_of(config.calibrator->data, log);
  const auto compiled = [&](const auto& model) {
    return std::make_shared<const std::string>(
        compile(Compilation::kArtefact, host, backend, model, options, given.library, log));
  };
  return network.model.path() ? compiled(ModelSource{.path = *network.model.path()})
                              : compiled(network.model());
}

std::function<Bytes()> builder(NetworkLoader network, ConfigLoader config,
                               BackendRunnerOptions options) {
  return [network = std::move(network), config = std::move(config), options = std::move(options)] {
    return build(network(), config(), options);
  };
}

SessionRunner::Source source_of(EngineLoader engine) {
  SessionRunner::Source source;
  source.file = {.path = "the engine in memory", .format = "engine"};
  source.artefact = [engine = std::move(engine)] { return engine().bytes; };
  return source;
}

}  // namespace

NetworkFromOnnxPath::NetworkFromOnnxPath(std::string path, TrtNetwork network)
    : NetworkLoader(network_of(ModelLoader(std::move(path)), std::move(network))) {}

NetworkFromOnnxBytes::NetworkFromOnnxBytes(std::string bytes, TrtNetwork network)
    : NetworkLoader(network_of(OnnxFromBytes(std::move(bytes)), std::move(network))) {}

NetworkFromOnnx::NetworkFromOnnx(ModelLoader model, TrtNetwork network)
    : NetworkLoader(network_of(std::move(model), std::move(network))) {}

Profile& Profile::add(std::string input, Shape min, Shape opt, Shape max) {
  inputs_.set(std::move(input), {std::move(min), std::move(opt), std::move(max)});
  return *this;
}

BytesFromPath::BytesFromPath(std::string path)
    : BytesLoader([path = std::move(path)] {
        const auto file = MappedFile::open(path);
        const auto bytes = file->bytes();
        return std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes.data()),
                                                   bytes.size());
      }) {}

EngineFromNetwork::EngineFromNetwork(NetworkLoader network, ConfigLoader config,
                                     BackendRunnerOptions options)
    : EngineLoader([build = builder(std::move(network), std::move(config), std::move(options))] {
        return TrtEngine{build()};
      }) {}

EngineBytesFromNetwork::EngineBytesFromNetwork(NetworkLoader network, ConfigLoader config,
                                               BackendRunnerOptions options)
    : BytesLoader(builder(std::move(network), std::move(config), std::move(options))) {}

EngineFromBytes::EngineFromBytes(BytesLoader bytes)
    : EngineLoader([bytes = std::move(bytes)] { return TrtEngine{bytes()}; }) {}

EngineFromBytes::EngineFromBytes(std::string bytes)
    : EngineLoader(TrtEngine{std::make_shared<const std::string>(std::move(bytes))}) {}

EngineFromPath::EngineFromPath(std::string path)
    : EngineLoader(EngineFromBytes(BytesFromPath(std::move(path)))) {}

BytesFromEngine::BytesFromEngine(EngineLoader engine)
    : BytesLoader([engine = std::move(engine)] { return engine().bytes; }) {}

SaveEngine::SaveEngine(EngineLoader engine, std::string path)
    : EngineLoader([engine = std::move(engine), path = std::move(path)] {
        TrtEngine built = engine();
        write_file(path, *built.bytes);
        return built;
      }) {}

TrtRunner::TrtRunner(EngineLoader engine, BackendRunnerOptions options)
    : BackendRunner(kBackend, source_of(std::move(engine)), std::move(options)) {}

}  // namespace polygraphy
