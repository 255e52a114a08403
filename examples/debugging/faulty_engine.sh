#!/bin/sh
# faulty_engine.sh MODEL OPTIONS...: runs a model as an engine would that computes Softsign wrongly (as Softplus), and hands
# the options to `polygraphy run`. Stands for the engine that is being debugged.
sed s/Softsign/Softplus/g "$1" >on_the_faulty_engine.onnx
shift
polygraphy run on_the_faulty_engine.onnx --onnxrt "$@"
