#include "api/given_options.h"
#include "api/job.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "polygraphy/model_tools/lint/lint_job.h"

namespace native {

PyObject* lint_model(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *model = nullptr, *options = nullptr, *data = nullptr, *places = nullptr;
    if (PyArg_ParseTuple(args, "OOOO", &model, &options, &data, &places) == 0) throw PythonError();
    const Keywords keywords(options);
    const GivenInputs inputs{Keywords(data)};
    const GivenSource given(model);
    inputs.check_names(given.source());
    polygraphy::LintJob lint{.model = given.source(),
                             .shapes = metadata_of_dict(keywords.get("input_shapes")),
                             .options = {.only = keywords.texts("only_rules"),
                                         .skip = keywords.texts("skip_rules"),
                                         .advice = keywords.flag("advice"),
                                         .tools = {.paths = plugin_paths(Keywords(places)),
                                                   .program = keywords.text("program")}}};
    lint.options.runner.timeout = keywords.optional_seconds("timeout");
    static_cast<void>(polygraphy::applied_rules(lint.options));  // names that no rule has
    const polygraphy::LintResult result = in_job([&](Job& job) {
      lint.options.tools.cancel = job.cancel();
      lint.feeds = [&](polygraphy::Logger&) { return inputs.open(job, given.source()); };
      return polygraphy::lint(lint, job.log());
    });
    PyRef findings = PyRef::take(PyList_New(0));
    for (const polygraphy::Finding& each : result.report.findings()) {
      const PyRef one = PyRef::take(Py_BuildValue(
          "(NNNNNN)", to_python(polygraphy::name_of(each.level)).release(),
          to_python(polygraphy::name_of(each.source)).release(),
          to_python(std::string_view(each.message)).release(), to_python(each.rule).release(),
          to_python(std::string_view(each.node)).release(),
          to_python(std::string_view(each.op)).release()));
      check(PyList_Append(findings.get(), one.get()));
    }
    return PyRef::take(Py_BuildValue("(OO)", result.passed ? Py_True : Py_False, findings.get()));
  });
}

}  // namespace native
