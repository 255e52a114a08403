#include <optional>
#include <string>

#include "api/job.h"
#include "api/keywords.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "graphsurgeon/diff/diff.h"
#include "polygraphy/model_tools/inspect/diff_json.h"
#include "polygraphy/model_tools/inspect/diff_text.h"

namespace native {

PyObject* diff_models(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *first = nullptr, *second = nullptr, *given = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &first, &second, &given) == 0) throw PythonError();
    const Keywords keywords(given);
    graphsurgeon::DiffOptions options;
    options.names = keywords.flag("names");
    options.weights = keywords.flag("weights");
    options.metadata = keywords.flag("metadata");
    options.docs = keywords.flag("docs");
    options.versions = keywords.flag("versions");
    options.tolerances = {keywords.optional_number("atol"), keywords.optional_number("rtol")};
    const int64_t items = keywords.integer("items");
    const ModelInUse a(first);
    std::optional<ModelInUse> other;  // a model may be compared with itself
    if (second != first) other.emplace(second);
    const graphsurgeon::Model& b = other ? **other : *a;
    struct Found {
      bool equal;
      std::string text, json;
    };
    const Found found = in_job([&](Job&) {
      const graphsurgeon::DiffReport report = graphsurgeon::diff(*a, b, options);
      polygraphy::StringSink json;
      polygraphy::write_diff_json(report, a->path, b.path, json);
      return Found{report.equal(), polygraphy::diff_text(report, {items}), json.text()};
    });
    return PyRef::take(Py_BuildValue("(ONN)", found.equal ? Py_True : Py_False,
                                     to_python(std::string_view(found.text)).release(),
                                     to_python(std::string_view(found.json)).release()));
  });
}

}  // namespace native
