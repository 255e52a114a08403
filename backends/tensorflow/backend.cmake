# A separate folder reads and writes TensorFlow's messages, without any files of the vendor.
set(backend_folders wire)
