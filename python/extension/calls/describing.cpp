#include <string>
#include <utility>
#include <variant>

#include "api/array_object.h"
#include "api/given_engine.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "calls/api_functions.h"
#include "polygraphy/runtimes/compiled/engine_text.h"
#include "polygraphy/runtimes/compiled/network_text.h"

namespace native {
namespace {

using polygraphy::EngineDescription;
using polygraphy::EngineLayer;
using polygraphy::EngineRange;
using polygraphy::EngineTensor;
using polygraphy::LayerAttribute;
using polygraphy::NetworkDescription;
using polygraphy::NetworkLayer;

// As a script for TensorRT's module would see the value; an enumerator is a text.
struct AttributeValue {
  PyRef operator()(int64_t value) const { return number(value); }
  PyRef operator()(double value) const { return PyRef::take(PyFloat_FromDouble(value)); }
  PyRef operator()(bool value) const { return boolean(value); }
  PyRef operator()(const std::string& value) const { return text(value); }
  PyRef operator()(const LayerAttribute::Enumerator& value) const {
    return text(value.type + "." + value.name);
  }
  PyRef operator()(const LayerAttribute::Dims& value) const { return list_of(value.sizes, number); }
  PyRef operator()(const LayerAttribute::Permutation& value) const {
    return list_of(value.order, number);
  }
  PyRef operator()(const std::vector<double>& values) const { return list_of(values, *this); }
  PyRef operator()(const LayerAttribute::Object& value) const { return text(value.name); }
  // (values, element type, shape), or None.
  PyRef operator()(const LayerAttribute::Weights& value) const {
    return value.values.empty() ? none() : to_python(value.values);
  }
};

PyRef attributes(const NetworkLayer& layer) {
  return list_of(layer.attributes, [](const LayerAttribute& each) {
    const bool weights = std::holds_alternative<LayerAttribute::Weights>(each.value);
    return PyRef::take(Py_BuildValue("(NNO)", text(each.name).release(),
                                     std::visit(AttributeValue(), each.value).release(),
                                     weights ? Py_True : Py_False));
  });
}

PyRef layer_fields(const NetworkLayer& layer) {
  return fields({{"name", text(layer.name)},
                 {"type", text(layer.type)},
                 {"op", text(layer.op)},
                 {"inputs", described_tensors(layer.inputs)},
                 {"outputs", described_tensors(layer.outputs)},
                 {"attributes", attributes(layer)},
                 {"executed", boolean(layer.executed)}});
}

PyRef layer_fields(const EngineLayer& layer) {
  return fields({{"name", text(layer.name)},
                 {"type", text(layer.type)},
                 {"origin", text(layer.origin)},
                 {"tactic", text(layer.tactic)},
                 {"inputs", described_tensors(layer.inputs)},
                 {"outputs", described_tensors(layer.outputs)}});
}

PyRef range_fields(const EngineRange& range) {
  return fields(
      {{"tensor", text(range.tensor)},
       {"least", list_of(range.least, number)},
       {"usual", list_of(range.usual, number)},
       {"greatest", list_of(range.greatest, number)},
       {"values", list_of(range.values, [](const auto& each) { return list_of(each, number); })}});
}

// The tensors that are inputs, or outputs.
PyRef ports(const EngineDescription& engine, bool inputs) {
  polygraphy::NamedTensors chosen;
  for (const EngineTensor& each : engine.tensors) {
    if (each.is_input == inputs) chosen.emplace_back(each.name, each.info);
  }
  return described_tensors(chosen);
}

PyRef network_fields(const NetworkDescription& network, const std::string& shown) {
  return fields({{"name", text(network.name)},
                 {"text", text(shown)},
                 {"flags", list_of(network.flags, text)},
                 {"layer_precisions", boolean(network.layer_precisions)},
                 {"inputs", described_tensors(network.inputs)},
                 {"outputs", described_tensors(network.outputs)},
                 {"layers", list_of(network.layers,
                                    [](const NetworkLayer& each) { return layer_fields(each); })}});
}

PyRef engine_fields(const EngineDescription& engine, const std::string& shown) {
  const auto layers = [](const auto& list) {
    return list_of(list, [](const EngineLayer& each) { return layer_fields(each); });
  };
  return fields(
      {{"name", text(engine.name)},
       {"text", text(shown)},
       {"refittable", boolean(engine.refittable)},
       {"device_memory", number(engine.device_memory)},
       {"verbosity", text(engine.verbosity)},
       {"inputs", ports(engine, true)},
       {"outputs", ports(engine, false)},
       {"profiles",
        list_of(engine.profiles, [](const auto& each) { return list_of(each, range_fields); })},
       {"layers", list_of(engine.layers, layers)}});
}

}  // namespace

PyObject* describe_network(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const polygraphy::NetworkTextOptions show{.layers = given.keywords.flag("layers"),
                                              .attrs = given.keywords.flag("attrs"),
                                              .weights = given.keywords.flag("weights")};
    const NetworkDescription network = in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      return polygraphy::describe_network(engine_job(given, factory, job), job.log(), show.weights);
    });
    const bool of_tensorflow = given.runners.specs.front().backend == "tensorflow";
    return network_fields(network, of_tensorflow ? polygraphy::tensorflow_text(network, show)
                                                 : polygraphy::network_text(network, show));
  });
}

PyObject* describe_engine(PyObject*, PyObject* args) {
  return reported([&] {
    GivenRun given(args);
    given.source().format = "engine";
    const EngineDescription engine = in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      return polygraphy::describe_engine(engine_job(given, factory, job), job.log());
    });
    return engine_fields(engine,
                         polygraphy::engine_text(engine, {.layers = given.keywords.flag("layers"),
                                                          .attrs = given.keywords.flag("attrs")}));
  });
}

}  // namespace native
