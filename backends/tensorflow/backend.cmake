# TensorFlow's messages are read and written in a folder of their own; of the vendor nothing is needed.
set(backend_folders wire)
