#include "polygraphy/facade/shared_backends.h"

#include <map>
#include <mutex>

#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {
namespace {

PluginHost& shared_backends(const std::string& tree) {
  static auto* const kHosts = new std::map<std::string, std::shared_ptr<PluginHost>>;
  static std::mutex hosts_mutex;
  const std::lock_guard lock(hosts_mutex);
  std::shared_ptr<PluginHost>& host = (*kHosts)[tree];
  if (!host) host = open_backends(tree);
  return *host;
}

}  // namespace

PluginHost& host_of(const BackendRunnerOptions& options) {
  return options.host ? *options.host : shared_backends(options.tree);
}

}  // namespace polygraphy
