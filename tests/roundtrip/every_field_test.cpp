// Every field of ONNX, and unknown fields, survive a new encoding.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "parsed.h"

namespace graphsurgeon::roundtrip {
namespace {

using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::TensorProto;

class EveryField : public testing::Test {
 protected:
  EveryField() : out_(testing::TempDir() + "gs_every_field.onnx") {
    model_.set_ir_version(13);
    auto* opset = model_.add_opset_import();
    opset->set_domain("");
    opset->set_version(21);
    model_.mutable_graph()->set_name("g");
  }
  ~EveryField() override { std::filesystem::remove(out_); }

  onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  NodeProto& node() {
    auto* n = graph().add_node();
    n->set_op_type("Op");
    return *n;
  }

  void survives() { bytes_survive(model_.SerializeAsString()); }
  void bytes_survive(const std::string& bytes) {
    const Model model = load_bytes(bytes);
    EXPECT_TRUE(model.untouched());
    EXPECT_EQ(encode_model(model), bytes);
    EXPECT_EQ(canonical(forced(model, out_)), canonical(bytes));
    // A second save writes the same bytes.
    const std::string once = read_file(out_);
    EXPECT_EQ(forced(load_bytes(once), out_), once);
  }

  ModelProto model_;
  std::string out_;
};

void annotate(google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries) {
  auto* entry = entries.Add();
  entry->set_key("pkg.torch.onnx.stack_trace");
  entry->set_value("line 1\nline 2");
}

// A field number that ONNX does not use, in each wire type.
void add_unknown(std::string& unknown, int salt) {
  unknown += std::string("\xb8\x3e") + static_cast<char>(salt & 0x7f);  // 999: varint
  unknown += std::string("\xc1\x3e") + "12345678";                      // 1000: 64 bits
  unknown += std::string("\xca\x3e\x03") + "abc";                       // 1001: bytes
  unknown += std::string("\xd5\x3e") + "1234";                          // 1002: 32 bits
}

TEST_F(EveryField, OfTheHeader) {
  model_.set_producer_name("maker");
  model_.set_producer_version("1.2");
  model_.set_domain("org.example");
  model_.set_model_version(7);
  model_.set_doc_string("what it is");
  annotate(*model_.mutable_metadata_props());
  auto* import = model_.add_opset_import();
  import->set_domain("com.microsoft");
  import->set_version(1);
  add_unknown(*import->mutable_unknown_fields(), 3);
  auto* configuration = model_.add_configuration();
  configuration->set_name("two");
  configuration->set_num_devices(2);
  configuration->add_device("gpu0");
  auto* training = model_.add_training_info();
  training->mutable_initialization()->set_name("init");
  training->mutable_algorithm()->add_node()->set_op_type("Gradient");
  auto* binding = training->add_update_binding();
  binding->set_key("w");
  binding->set_value("w_new");
  add_unknown(*model_.mutable_unknown_fields(), 1);
  survives();
}

TEST_F(EveryField, ThatSaysItsDefault) {
  model_.set_ir_version(0);
  model_.set_producer_name("");
  model_.set_producer_version("");
  model_.set_domain("");
  model_.set_model_version(0);
  model_.set_doc_string("");
  model_.mutable_opset_import(0)->set_version(0);
  graph().set_name("");
  graph().set_doc_string("");
  auto& n = node();
  n.set_name("");
  n.set_op_type("");
  n.set_domain("");
  n.set_doc_string("");
  n.set_overload("");
  n.add_input("");
  n.add_output("");
  auto* attribute = n.add_attribute();
  attribute->set_name("");
  attribute->set_doc_string("");
  attribute->set_ref_attr_name("");
  attribute->set_type(AttributeProto::INT);
  attribute->set_i(0);
  auto* tensor = graph().add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(0);
  tensor->set_doc_string("");
  tensor->set_raw_data("");
  tensor->set_data_location(TensorProto::DEFAULT);
  auto* input = graph().add_input();
  input->set_name("");
  input->set_doc_string("");
  input->mutable_type();
  input = graph().add_input();
  input->set_name("b");
  input->mutable_type()->set_denotation("");
  input = graph().add_input();
  input->set_name("c");
  input->mutable_type()->mutable_tensor_type();
  input = graph().add_input();
  input->set_name("d");
  input->mutable_type()->mutable_tensor_type()->set_elem_type(0);
  input->mutable_type()->mutable_tensor_type()->mutable_shape();
  survives();
}

TEST_F(EveryField, ThatIsLeftOut) {
  model_.Clear();
  model_.mutable_graph()->add_node()->add_attribute();
  model_.mutable_graph()->add_initializer();
  model_.mutable_graph()->add_sparse_initializer();
  model_.mutable_graph()->add_input();
  model_.mutable_graph()->add_output();
  model_.mutable_graph()->add_value_info();
  model_.add_functions();
  model_.add_opset_import();
  survives();
}

TEST_F(EveryField, OfNodes) {
  auto& n = node();
  n.set_name("n");
  n.set_domain("custom");
  n.set_overload("f32");
  n.set_doc_string("why");
  n.add_input("x");
  n.add_input("");
  n.add_input("x");
  n.add_output("y");
  n.add_output("");
  annotate(*n.mutable_metadata_props());
  auto* device = n.add_device_configurations();
  device->set_configuration_id("two");
  device->set_pipeline_stage(1);
  auto* sharding = device->add_sharding_spec();
  sharding->set_tensor_name("x");
  sharding->add_device(-1);
  sharding->add_sharded_dim()->set_axis(0);
  add_unknown(*n.mutable_unknown_fields(), 4);
  survives();
}

void fill(TensorProto& tensor, const std::string& name) {
  tensor.set_name(name);
  tensor.add_dims(2);
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_float_data(1);
  tensor.add_float_data(-0.0f);
  tensor.set_doc_string("two numbers");
  annotate(*tensor.mutable_metadata_props());
}

void fill(onnx::SparseTensorProto& sparse, const std::string& name) {
  sparse.add_dims(3);
  sparse.add_dims(4);
  fill(*sparse.mutable_values(), name);
  auto* indices = sparse.mutable_indices();
  indices->set_name("where");
  indices->add_dims(2);
  indices->set_data_type(TensorProto::INT64);
  indices->add_int64_data(1);
  indices->add_int64_data(11);
  add_unknown(*sparse.mutable_unknown_fields(), 5);
}

void fill(onnx::TypeProto& type) {
  auto* map = type.mutable_sequence_type()->mutable_elem_type()->mutable_map_type();
  map->set_key_type(TensorProto::STRING);
  map->mutable_value_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  type.set_denotation("IMAGE");
}

AttributeProto& add(NodeProto& n, const char* name, AttributeProto::AttributeType type) {
  auto* attribute = n.add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return *attribute;
}

TEST_F(EveryField, OfAttributes) {
  auto& n = node();
  add(n, "f", AttributeProto::FLOAT).set_f(-0.0f);
  add(n, "i", AttributeProto::INT).set_i(-1);
  add(n, "s", AttributeProto::STRING).set_s(std::string("\xff\0", 2));
  fill(*add(n, "t", AttributeProto::TENSOR).mutable_t(), "named");
  fill(*add(n, "sp", AttributeProto::SPARSE_TENSOR).mutable_sparse_tensor(), "sparse");
  fill(*add(n, "tp", AttributeProto::TYPE_PROTO).mutable_tp());
  auto& graph_attribute = add(n, "g", AttributeProto::GRAPH);
  graph_attribute.mutable_g()->set_name("inner");
  add(*graph_attribute.mutable_g()->add_node(), "f", AttributeProto::FLOAT).set_f(2);
  auto& floats = add(n, "floats", AttributeProto::FLOATS);
  floats.add_floats(1.5f);
  floats.add_floats(std::numeric_limits<float>::quiet_NaN());
  add(n, "ints", AttributeProto::INTS).add_ints(INT64_MIN);
  auto& strings = add(n, "strings", AttributeProto::STRINGS);
  strings.add_strings("a");
  strings.add_strings("");
  auto& tensors = add(n, "tensors", AttributeProto::TENSORS);
  fill(*tensors.add_tensors(), "one");
  tensors.add_tensors();
  auto& sparse = add(n, "sparse_tensors", AttributeProto::SPARSE_TENSORS);
  fill(*sparse.add_sparse_tensors(), "a");
  fill(*sparse.add_sparse_tensors(), "b");
  auto& types = add(n, "types", AttributeProto::TYPE_PROTOS);
  fill(*types.add_type_protos());
  types.add_type_protos();
  auto& graphs = add(n, "graphs", AttributeProto::GRAPHS);
  graphs.add_graphs()->set_name("first");
  graphs.add_graphs()->set_name("second");
  auto& documented = add(n, "documented", AttributeProto::INT);
  documented.set_i(3);
  documented.set_doc_string("three");
  add_unknown(*documented.mutable_unknown_fields(), 6);
  survives();
}

TEST_F(EveryField, OfEmptyLists) {
  auto& n = node();
  for (const auto type : {AttributeProto::FLOATS, AttributeProto::INTS, AttributeProto::STRINGS,
                          AttributeProto::TENSORS, AttributeProto::GRAPHS,
                          AttributeProto::SPARSE_TENSORS, AttributeProto::TYPE_PROTOS}) {
    add(n, ("empty" + std::to_string(type)).c_str(), type);
  }
  survives();
}

TEST_F(EveryField, OfOddAttributes) {
  auto& n = node();
  add(n, "no value", AttributeProto::FLOAT);
  add(n, "no graph", AttributeProto::GRAPH);
  n.add_attribute()->set_name("no type, no value");
  auto* untyped = n.add_attribute();
  untyped->set_name("IR 1");
  untyped->add_ints(3);
  add(n, "wrong type", AttributeProto::FLOAT).set_i(3);
  auto& two = add(n, "two values", AttributeProto::INT);
  two.set_i(3);
  two.set_f(4);
  add(n, "reference", AttributeProto::INTS).set_ref_attr_name("outer");
  auto& both = add(n, "reference and value", AttributeProto::TENSOR);
  both.set_ref_attr_name("outer");
  fill(*both.mutable_t(), "dummy");
  add(n, "undefined", AttributeProto::UNDEFINED);
  // A kind of tomorrow.
  auto* future = n.add_attribute();
  future->set_name("future");
  *future->mutable_unknown_fields() += std::string("\xa0\x01\x63", 3);  // type = 99
  add_unknown(*future->mutable_unknown_fields(), 7);
  survives();
}

TEST_F(EveryField, OfTensors) {
  auto* raw = graph().add_initializer();
  raw->set_name("raw");
  raw->add_dims(0);
  raw->set_data_type(TensorProto::INT4);
  raw->set_raw_data("");
  fill(*graph().add_initializer(), "typed");
  auto* doubled = graph().add_initializer();
  fill(*doubled, "two kinds of data");
  doubled->set_raw_data("abcdefgh");
  doubled->mutable_segment()->set_begin(1);
  doubled->mutable_segment()->set_end(2);
  doubled->add_uint64_data(5);
  auto* external = graph().add_initializer();
  external->set_name("external");
  external->add_dims(2);
  external->set_data_type(TensorProto::FLOAT);
  external->set_data_location(TensorProto::EXTERNAL);
  for (const auto& [key, value] : {std::pair("checksum", "abc"), std::pair("offset", "007"),
                                   std::pair("location", "w.bin"), std::pair("length", "8")}) {
    auto* entry = external->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  auto* stray = graph().add_initializer();
  stray->set_name("entries without location");
  stray->add_external_data()->set_key("location");
  auto* unknown_type = graph().add_initializer();
  unknown_type->set_name("type of tomorrow");
  unknown_type->add_dims(3);
  unknown_type->set_raw_data("xyz");
  *unknown_type->mutable_unknown_fields() += std::string("\x10\x63", 2);  // data_type = 99
  fill(*graph().add_sparse_initializer(), "sparse");
  annotate(*graph().mutable_metadata_props());
  auto* quantized = graph().add_quantization_annotation();
  quantized->set_tensor_name("typed");
  quantized->add_quant_parameter_tensor_names()->set_key("SCALE_TENSOR");
  add_unknown(*graph().mutable_unknown_fields(), 8);
  // External data stays a reference here: a model from memory has no folder.
  const std::string bytes = model_.SerializeAsString();
  Model model = load_bytes(bytes);
  model.graph->store().edited();
  ASSERT_FALSE(model.untouched());
  EXPECT_EQ(canonical(encode_model(model)), canonical(bytes));
}

TEST_F(EveryField, OfTypes) {
  const auto typed = [&](const char* name) -> onnx::TypeProto& {
    auto* info = graph().add_value_info();
    info->set_name(name);
    return *info->mutable_type();
  };
  auto* shape = typed("dims").mutable_tensor_type();
  shape->set_elem_type(TensorProto::FLOAT);
  shape->mutable_shape()->add_dim()->set_dim_value(-3);
  shape->mutable_shape()->add_dim()->set_dim_param("N");
  shape->mutable_shape()->add_dim();
  auto* denoted = typed("denoted").mutable_tensor_type();
  denoted->set_elem_type(TensorProto::FLOAT);
  denoted->mutable_shape()->add_dim()->set_denotation("DATA_BATCH");
  denoted->mutable_shape()->add_dim()->set_dim_param("");
  fill(typed("sequence"));
  typed("optional").mutable_optional_type()->mutable_elem_type()->mutable_tensor_type();
  typed("sparse").mutable_sparse_tensor_type()->set_elem_type(TensorProto::FLOAT);
  typed("opaque").mutable_opaque_type()->set_name("thing");
  add_unknown(*typed("future").mutable_tensor_type()->mutable_unknown_fields(), 9);
  auto* documented = graph().add_value_info();
  documented->set_name("documented");
  documented->set_doc_string("text");
  annotate(*documented->mutable_metadata_props());
  add_unknown(*documented->mutable_unknown_fields(), 10);
  survives();
}

TEST_F(EveryField, OfFunctions) {
  auto* function = model_.add_functions();
  function->set_name("f");
  function->set_domain("local");
  function->set_overload("v2");
  function->set_doc_string("text");
  function->add_input("a");
  function->add_output("b");
  function->add_attribute("required");
  auto* import = function->add_opset_import();
  import->set_domain("");
  import->set_version(18);
  auto* attribute = function->add_attribute_proto();
  attribute->set_name("alpha");
  attribute->set_type(AttributeProto::FLOAT);
  attribute->set_f(0.5f);
  auto* branch = function->add_attribute_proto();
  branch->set_name("body");
  branch->set_type(AttributeProto::GRAPH);
  branch->mutable_g()->add_node()->add_input("a");
  auto* inner = function->add_node();
  inner->set_op_type("Relu");
  inner->add_input("a");
  inner->add_output("b");
  add(*inner, "alpha", AttributeProto::FLOAT).set_ref_attr_name("alpha");
  auto* info = function->add_value_info();
  info->set_name("b");
  info->mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  annotate(*function->mutable_metadata_props());
  add_unknown(*function->mutable_unknown_fields(), 11);
  survives();
}

// Files say the same name twice, with or without contradiction. None of it is lost.
TEST_F(EveryField, OfNamesThatAreThereTwice) {
  const auto describe = [](onnx::ValueInfoProto& info, const char* name, int type, int dim) {
    info.set_name(name);
    if (type == 0) return;
    info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    if (dim > 0) {
      info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
    }
  };
  for (int i = 0; i < 2; ++i) {
    auto& n = node();
    n.set_name("twice");
    n.add_input("x");
    n.add_output("y");  // two producers
    fill(*graph().add_initializer(), "w");
    graph().mutable_initializer(i)->set_float_data(0, static_cast<float>(i));
    describe(*graph().add_input(), "x", TensorProto::FLOAT, 3 + i);
    describe(*graph().add_output(), "y", i == 0 ? 0 : TensorProto::FLOAT, 0);
    describe(*graph().add_value_info(), "y", TensorProto::DOUBLE, i);
    describe(*graph().add_value_info(), "y", 0, 0);
  }
  describe(*graph().add_output(), "x", TensorProto::INT64, 1);
  describe(*graph().add_input(), "w", TensorProto::FLOAT, 2);
  fill(*graph().add_initializer(), "y");
  survives();
}

TEST_F(EveryField, OfMessagesThatAreThereTwice) {
  // protobuf merges them: the second graph's nodes follow the first's.
  auto& n = node();
  n.add_output("y");
  onnx::ModelProto more;
  more.mutable_graph()->add_node()->add_input("y");
  more.mutable_graph()->set_name("renamed");
  const std::string bytes = model_.SerializeAsString() + more.SerializeAsString();
  const Model model = load_bytes(bytes);
  EXPECT_EQ(model.graph->nodes().size(), 2u);
  EXPECT_EQ(canonical(forced(model, out_)), canonical(bytes));
}

TEST_F(EveryField, InWhateverOrder) {
  auto& n = node();
  n.add_input("x");
  n.add_output("y");
  add(n, "alpha", AttributeProto::FLOAT).set_f(1);
  n.set_name("n");
  const std::string first = n.SerializeAsString();
  NodeProto rest;
  add(rest, "beta", AttributeProto::FLOAT).set_f(2);
  rest.add_input("z");
  annotate(*rest.mutable_metadata_props());
  const std::string scattered = first + rest.SerializeAsString() + first;
  onnx::GraphProto whole;
  std::string graph_bytes;
  const auto add_field = [](std::string& to, int number, const std::string& value) {
    to += static_cast<char>(number << 3 | 2);
    std::string length;
    for (size_t left = value.size();; left >>= 7) {
      length += static_cast<char>((left & 0x7f) | (left >= 0x80 ? 0x80 : 0));
      if (left < 0x80) break;
    }
    to += length + value;
  };
  onnx::ValueInfoProto output;
  output.set_name("y");
  add_field(graph_bytes, 12, output.SerializeAsString());
  add_field(graph_bytes, 1, scattered);
  add_field(graph_bytes, 2, "late name");
  std::string bytes;
  add_field(bytes, 7, graph_bytes);
  bytes += std::string("\x08\x08", 2);  // ir_version after the graph
  bytes_survive(bytes);
}

}  // namespace
}  // namespace graphsurgeon::roundtrip
