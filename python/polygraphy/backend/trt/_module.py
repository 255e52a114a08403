"""The module of TensorRT, or of TensorRT-RTX."""

from polygraphy.mod.trt_importer import lazy_import_trt

trt = lazy_import_trt()
