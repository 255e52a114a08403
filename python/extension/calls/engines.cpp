#include <string>

#include "api/given_engine.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "calls/api_functions.h"
#include "polygraphy/runtimes/compiled/capability_text.h"

namespace native {
namespace {

using polygraphy::Capability;
using polygraphy::ModelPart;
using polygraphy::RefusedNode;

PyRef refused_fields(const RefusedNode& refused) {
  return fields({{"node", refused.node < 0 ? none() : to_python(refused.node)},
                 {"name", text(refused.name)},
                 {"op_type", text(refused.op)},
                 {"reason", text(refused.reason)},
                 {"functions", list_of(refused.functions, text)}});
}

PyRef part_fields(const ModelPart& part) {
  return fields({{"nodes", list_of(part.nodes, number)}, {"supported", boolean(part.supported)}});
}

}  // namespace

PyObject* build_engine(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const std::string path = given.keywords.text("path");
    do_in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      polygraphy::build_engine(engine_job(given, factory, job), path, job.log());
    });
    return none();
  });
}

PyObject* find_capability(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const Capability found = in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      return polygraphy::find_capability(engine_job(given, factory, job), job.log());
    });
    return fields({{"supported", boolean(found.supported)},
                   {"text", text(found.supported ? "" : polygraphy::capability_text(found))},
                   {"refused", list_of(found.refused, refused_fields)},
                   {"parts", list_of(found.parts, part_fields)}});
  });
}

}  // namespace native
