"""In the place of onnx-simplifier, which the tools call behind their work."""


def simplify(model, *arguments, **keywords):
    return model, True
