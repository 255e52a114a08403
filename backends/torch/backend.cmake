# torch.py runs in the user's Python.
pg_python_back_end(torch made_tensors module_trace onnx_names)
