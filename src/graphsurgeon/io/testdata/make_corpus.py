"""Writes the seeds of load_fuzz: tiny models that between them have every part of the format. scattered_entries.onnx is a find.

    python3 make_corpus.py <folder>              # needs onnx
"""
import os
import sys

from onnx import AttributeProto, ModelProto, TensorProto, TypeProto, helper

F = TensorProto.FLOAT


def model(name, graph=None, **fields):
    m = ModelProto(ir_version=10, **fields)
    m.opset_import.add(domain="", version=21)
    if graph is not None:
        m.graph.CopyFrom(graph)
    with open(os.path.join(sys.argv[1], name + ".onnx"), "wb") as f:
        f.write(m.SerializeToString())
    return m


def graph(nodes=(), inputs=(), outputs=(), inits=(), infos=()):
    return helper.make_graph(list(nodes), "g", list(inputs), list(outputs), list(inits), value_info=list(infos))


def info(name, shape=("N", 2, None)):
    return helper.make_tensor_value_info(name, F, shape)


def raw(name, kind, dims, data):
    return TensorProto(name=name, data_type=kind, dims=dims, raw_data=data)


def chain():
    model("chain", graph([helper.make_node("Relu", ["x"], ["h"], name="first"),
                          helper.make_node("Add", ["h", "w"], ["y"])],
                         [info("x"), info("w")], [info("y")], [raw("w", F, [2], b"12345678")], [info("h")]),
          producer_name="maker", producer_version="1", domain="d", model_version=3, doc_string="doc")


def attributes():
    n = helper.make_node("Op", ["x", ""], ["y"], f=1.5, i=-1, s="text", fs=[1.0, 2.0], is_=[1, -1], ss=["a", ""],
                         t=raw("t", F, [1], b"1234"), tp=helper.make_tensor_type_proto(F, [1]))
    for name, kind in (("empty", AttributeProto.INTS), ("none", AttributeProto.GRAPHS)):
        n.attribute.add(name=name, type=kind)
    a = n.attribute.add(name="ts", type=AttributeProto.TENSORS)
    a.tensors.add(data_type=7, dims=[2], int64_data=[1, -1])
    a = n.attribute.add(name="sp", type=AttributeProto.SPARSE_TENSOR)
    a.sparse_tensor.values.CopyFrom(raw("v", F, [1], b"abcd"))
    a.sparse_tensor.indices.CopyFrom(TensorProto(data_type=7, dims=[1], int64_data=[2]))
    a.sparse_tensor.dims.append(4)
    n.attribute.add(name="ref", ref_attr_name="outer", type=AttributeProto.FLOAT)
    n.attribute.add(name="untyped").ints.extend([1, 2])
    n.attribute.add(name="odd", type=AttributeProto.INT, f=1.0, doc_string="two minds")
    model("attributes", graph([n]))


def subgraphs():
    inner = graph([helper.make_node("Add", ["x", "w"], ["t"])], outputs=[info("t")], inits=[raw("v", F, [0], b"")])
    deep = graph([helper.make_node("If", ["c"], ["u"], then_branch=inner, else_branch=inner)], outputs=[info("u")],
                 infos=[info("x")])
    both = helper.make_node("Both", ["c"], ["z"])
    both.attribute.add(name="gs", type=AttributeProto.GRAPHS).graphs.extend([inner, deep])
    model("subgraphs", graph([helper.make_node("Loop", ["m", "c", "x"], ["y"], body=deep), both], [info("x")],
                             [info("y")], [raw("w", F, [1], b"1234")]))


def functions():
    m = ModelProto(ir_version=10, graph=graph([helper.make_node("f", ["x"], ["y"], domain="local", overload="v")]))
    f = helper.make_function("local", "f", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])],
                             [helper.make_opsetid("", 18)], ["alpha"])
    f.overload = "v"
    f.attribute_proto.add(name="beta", type=AttributeProto.FLOAT, f=1.0)
    f.value_info.add().CopyFrom(info("b"))
    f.metadata_props.add(key="k", value="v")
    m.functions.add().CopyFrom(f)
    with open(os.path.join(sys.argv[1], "functions.onnx"), "wb") as out:
        out.write(m.SerializeToString())


def tensors():
    external = TensorProto(name="e", data_type=F, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "../w.bin"), ("offset", "-1"), ("length", "8"), ("checksum", "x")):
        external.external_data.add(key=key, value=value)
    model("tensors", graph(inits=[
        TensorProto(name="f", data_type=F, dims=[2], float_data=[1, 2]),
        TensorProto(name="h", data_type=10, dims=[2], int32_data=[15360, 0]),
        TensorProto(name="n", data_type=22, dims=[3], int32_data=[33, 255]),
        TensorProto(name="q", data_type=25, dims=[5], raw_data=b"\x1b\xff"),
        TensorProto(name="c", data_type=14, dims=[1], float_data=[1, 2]),
        TensorProto(name="d", data_type=11, dims=[], double_data=[1.5]),
        TensorProto(name="u", data_type=13, dims=[1], uint64_data=[2**63]),
        TensorProto(name="s", data_type=8, dims=[2], string_data=[b"a", b""]),
        TensorProto(name="z", data_type=99, dims=[1], raw_data=b"x"), external]))


def sparse():
    g = graph()
    for dims in ([1], [1, 2]):
        s = g.sparse_initializer.add(dims=[3, 4])
        s.values.CopyFrom(raw("sp", 21, [1], b"\x07"))
        s.indices.CopyFrom(TensorProto(data_type=7, dims=dims, int64_data=[2] * len(dims)))
    model("sparse", g)


def types():
    tensor = helper.make_tensor_type_proto(F, ["N", None, 3])
    infos = [helper.make_value_info(f"v{i}", t) for i, t in enumerate([
        tensor, helper.make_sequence_type_proto(tensor), helper.make_optional_type_proto(tensor),
        helper.make_map_type_proto(8, tensor), helper.make_sparse_tensor_type_proto(F, [2]), TypeProto()])]
    infos[0].type.denotation = "IMAGE"
    infos[0].type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    model("types", graph(inputs=infos))


def duplicates():
    n = helper.make_node("Op", ["x"], ["y"], name="n")
    model("duplicates", graph([n, n], [info("x"), info("x", [1]), info("w")], [info("y"), info("y", None)],
                              [raw("w", F, [1], b"1234"), raw("w", F, [1], b"5678")], [info("y"), info("x", [3])]))


def annotations():
    g = graph([helper.make_node("Op", ["x"], ["y"], doc_string="why")])
    g.node[0].metadata_props.add(key="k", value="v")
    g.node[0].device_configurations.add(configuration_id="two", pipeline_stage=1)
    g.quantization_annotation.add(tensor_name="x").quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="s")
    g.metadata_props.add(key="k", value="v")
    m = model("annotations", g)
    m.metadata_props.add(key="k", value="v")
    m.configuration.add(name="two", num_devices=2)
    m.training_info.add().algorithm.CopyFrom(graph([helper.make_node("Grad", ["x"], ["y"])]))
    data = m.SerializeToString()
    # Unknown fields of each wire type, a group among them, and a second graph that is merged in.
    unknown = bytes.fromhex("b83e01c13e0102030405060708ca3e0161d53e01020304db3e0801dc3e")
    with open(os.path.join(sys.argv[1], "annotations.onnx"), "wb") as f:
        f.write(data + unknown + ModelProto(graph=graph([helper.make_node("More", ["y"], [])])).SerializeToString())


if __name__ == "__main__":
    for make in (chain, attributes, subgraphs, functions, tensors, sparse, types, duplicates, annotations):
        make()
    model("empty", graph())
    model("no_graph")
    with open(os.path.join(sys.argv[1], "not_a_model"), "wb") as f:
        f.write(b"{\"a\": [1, 2]}")
