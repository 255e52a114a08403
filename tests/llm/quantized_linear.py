"""Products with weights, in the number formats of quantized models."""

import numpy as np
from onnx import TensorProto

QUANTIZED = ("", "int8", "int8-dynamic", "int4")
BLOCK = 32


def linear(w, x, name, matrix, bias=None, largest=None):
    """`x` times the float32 `matrix` [K, N], plus `bias`. `largest` is that of |x|, for int8."""
    how = {"": plain, "int8": qdq, "int8-dynamic": dynamic, "int4": int4}[w.spec.quantized]
    y = how(w, x, name, matrix, largest)
    if bias is None:
        return y
    return w.node("Add", [y, w.initializer(f"{name}.bias", bias.astype(w.numpy))], f"{name}/Add")


def plain(w, x, name, matrix, _):
    return w.node("MatMul", [x, w.initializer(f"{name}.weight", matrix.astype(w.numpy))], f"{name}/MatMul")


def by_column(matrix):
    """int8 values and the scale of each column, in the reduced range of ONNX Runtime's quantizer: without VNNI, its
    kernels add two products of uint8 and int8 in 16 bits, which values beyond 64 overflow."""
    scale = np.maximum(np.abs(matrix).max(axis=0), 1e-8) / 64
    return np.clip(np.rint(matrix / scale), -64, 64).astype(np.int8), scale.astype(np.float32)


def qdq(w, x, name, matrix, largest):
    """Q and DQ around activations (one scale) and DQ behind weights (a scale for each column)."""
    values, scale = by_column(matrix)
    step = w.number(largest / 127)
    zero = w.constant(0, np.int8)
    quantized = w.node("QuantizeLinear", [x, step, zero], f"{name}/input/QuantizeLinear")
    x = w.node("DequantizeLinear", [quantized, step, zero], f"{name}/input/DequantizeLinear")
    weight = w.node("DequantizeLinear",
                    [w.initializer(f"{name}.weight_quantized", values),
                     w.initializer(f"{name}.weight_scale", scale.astype(w.numpy)),
                     w.initializer(f"{name}.weight_zero_point", np.zeros(scale.shape, np.int8))],
                    f"{name}/weight/DequantizeLinear", axis=1)
    return w.node("MatMul", [x, weight], f"{name}/MatMul")


def dynamic(w, x, name, matrix, _):
    """One scale for all of x, found when it runs: prefill and steps differ by nature."""
    values, scale = by_column(matrix)
    if w.element != TensorProto.FLOAT:
        x = w.cast(x, TensorProto.FLOAT, f"{name}/input/Cast")
    quantized, step, zero = w.node("DynamicQuantizeLinear", [x], f"{name}/DynamicQuantizeLinear", outputs=3)
    product = w.node("MatMulInteger", [quantized, w.initializer(f"{name}.weight_quantized", values), zero],
                     f"{name}/MatMulInteger")
    scales = w.node("Mul", [step, w.initializer(f"{name}.weight_scale", scale)], f"{name}/scales/Mul")
    y = w.node("Mul", [w.cast(product, TensorProto.FLOAT, f"{name}/Cast"), scales], f"{name}/Mul")
    return y if w.element == TensorProto.FLOAT else w.cast(y, w.element, f"{name}/output/Cast")


def int4(w, x, name, matrix, _):
    """com.microsoft MatMulNBits: blocks of 32 rows, the zero point 8, as GenAI's builder writes it."""
    rows, columns = matrix.shape
    blocks = -(-rows // BLOCK)
    padded = np.zeros((columns, blocks * BLOCK), np.float32)
    padded[:, :rows] = matrix.T
    padded = padded.reshape(columns, blocks, BLOCK)
    # The element of the largest magnitude becomes -8.
    peak = np.take_along_axis(padded, np.abs(padded).argmax(axis=2)[..., None], axis=2)
    scale = np.where(peak == 0, 1, peak / -8).astype(w.numpy)
    values = np.clip(np.rint(padded / scale.astype(np.float32)) + 8, 0, 15).astype(np.uint8)
    packed = values[..., 0::2] | values[..., 1::2] << 4
    return w.node("MatMulNBits", [x, w.initializer(f"{name}.weight_Q4", packed),
                                  w.initializer(f"{name}.weight_scales", scale[..., 0])],
                  f"{name}/MatMul_Q4", domain="com.microsoft", K=rows, N=columns, bits=4, block_size=BLOCK,
                  accuracy_level=4 if w.spec.type == "f32" else 0)
