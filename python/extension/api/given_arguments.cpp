#include "api/given_arguments.h"

#include "python_functions.h"

namespace native {

GivenArguments::GivenArguments(PyObject* args)
    : GivenArguments(items_of<PyObject*, PyObject*, PyObject*, PyObject*, PyObject*>(args)) {}

GivenArguments::GivenArguments(const Items& items)
    : subject(std::get<1>(items)),
      keywords(std::get<2>(items)),
      places(std::get<4>(items)),
      inputs(Keywords(std::get<3>(items))),
      model(std::get<0>(items)) {}

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
