#include "api/given_arguments.h"

namespace native {

struct GivenArguments::Tuple {
  explicit Tuple(PyObject* args) {
    if (PyArg_ParseTuple(args, "OOOOO", &model, &subject, &options, &inputs, &places) == 0)
      throw PythonError();
  }
  PyObject *model = nullptr, *subject = nullptr, *options = nullptr, *inputs = nullptr,
           *places = nullptr;
};

GivenArguments::GivenArguments(PyObject* args) : GivenArguments(Tuple(args)) {}

GivenArguments::GivenArguments(const Tuple& tuple)
    : subject(tuple.subject),
      keywords(tuple.options),
      places(tuple.places),
      inputs(Keywords(tuple.inputs)),
      model(tuple.model) {}

GivenRun::GivenRun(PyObject* args) : GivenArguments(args), runners(subject, keywords, places) {
  set_format();
}

GivenRun::GivenRun(PyObject* args, RunnersInOptions)
    : GivenArguments(args), runners(keywords.get("runners"), keywords, places) {
  set_format();
}

void GivenRun::set_format() {
  if (!source().model) source().format = runners.format_of(source().path);
  inputs.check_names(source());
}

std::unique_ptr<GivenSource> GivenRun::further_model(const char* option) const {
  if (keywords.is_none(option)) return nullptr;
  auto further = std::make_unique<GivenSource>(keywords.get(option));
  polygraphy::ModelSource& source = further->source();
  if (!source.model) source.format = runners.format_of(source.path);
  return further;
}

void GivenRun::select_outputs() {
  source().outputs = keywords.texts("outputs");
  source().exclude_outputs = keywords.texts("exclude_outputs");
}

}  // namespace native
