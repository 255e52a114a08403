#!/bin/sh
# faulty_backend.sh MODEL OPTIONS...: runs a model as a runtime would that computes Softsign wrongly (as Softplus), and hands
# the options to `polygraphy run`. Stands for the runtime that is being debugged.
sed s/Softsign/Softplus/g "$1" >on_the_faulty_backend.onnx
shift
polygraphy run on_the_faulty_backend.onnx --onnxrt "$@"
