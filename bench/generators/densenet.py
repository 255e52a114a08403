"""DenseNet-121's layout: every layer of a block reads the results of all layers before it."""
import common


def layer(g, x, i, o, k):
    one = lambda: g.randn(i)  # noqa: E731
    x = g.op("Relu", g.op("BatchNormalization", x, one(), one(), one(), g.weight(abs(g.rng.standard_normal(i)).astype("f"))))
    return g.op("Conv", x, g.randn(o, i, k, k), kernel_shape=[k, k], pads=[k // 2] * 4)


def build(blocks, growth, seed):
    g = common.Graph(seed)
    x = g.input("image", [1, 3, 224, 224])
    width = 2 * growth
    x = g.op("Conv", x, g.randn(width, 3, 7, 7), kernel_shape=[7, 7], strides=[2, 2], pads=[3] * 4)
    for b, layers in enumerate(blocks):
        parts = [x]
        for i in range(layers):
            g.scope(f"/block{b}/layer{i}")
            joined = g.op("Concat", *parts, axis=1) if i else x
            parts.append(layer(g, layer(g, joined, width, 4 * growth, 1), 4 * growth, growth, 3))
            width += growth
        x = layer(g, g.op("Concat", *parts, axis=1), width, width // 2, 1)
        x, width = g.op("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2]), width // 2
    g.output(g.op("Flatten", g.op("GlobalAveragePool", x)), [1, width], rename="features")
    return g.model("densenet_like")


if __name__ == "__main__":
    p = common.parser(__doc__)
    p.add_argument("--blocks", type=int, nargs="+", default=[6, 12, 24, 16])
    p.add_argument("--growth", type=int, default=32)
    a = p.parse_args()
    common.save(build(a.blocks, a.growth, a.seed), a.output)
