#include "api/given_options.h"
#include "api/job.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace native {

PyObject* list_backends(PyObject*, PyObject* places) {
  return reported([&] {
    const polygraphy::PluginPaths paths = plugin_paths(Keywords(places));
    const auto found =
        in_job([&](Job& job) { return polygraphy::PluginHost(paths, job.log()).status(); });
    PyRef list = PyRef::take(PyList_New(0));
    for (const polygraphy::BackendStatus& each : found) {
      const PyRef one = PyRef::take(
          Py_BuildValue("(ssOsssss)", each.name.c_str(), each.summary.c_str(),
                        each.available ? Py_True : Py_False, each.library_version.c_str(),
                        each.library_path.c_str(), each.devices.c_str(), each.reason.c_str(),
                        each.remedy.c_str()));
      check(PyList_Append(list.get(), one.get()));
    }
    return list;
  });
}

}  // namespace native
