"""Engines read piece by piece, on a double of TensorRT."""

import tensorrt as trt
from polygraphy.backend.trt import FileReader


def show(f):
    try:
        print(repr(f()))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


with open("plan", "wb") as file:
    file.write(bytes(range(50)))
where = trt.SeekPosition

reader = FileReader("plan")
show(lambda: (type(reader).__name__, type(reader).__mro__[1:], reader))
show(lambda: (reader.filepath, reader.mode, reader.make_func is FileReader, reader.constructed))
show(lambda: reader.read(4))
show(lambda: (reader.read(100), reader.read(1), reader.read(0)))
for offset, whence in ((3, where.SET), (3, where.CUR), (-3, where.END), (-100, where.SET), (1, 0)):
    show(lambda: reader.seek(offset, whence))
    show(lambda: (reader.read(2), reader.read(2, None), reader.read(1, stream=0)))
show(lambda: (reader.seek(1), reader.read(1)))
show(lambda: reader.seek(1, 9))
show(lambda: (reader.free(), reader.free()))
show(lambda: reader.read(4))
with FileReader("plan") as reader:
    show(lambda: reader.read(3))
show(lambda: reader.read(1))
show(lambda: reader.__enter__() is reader)
show(lambda: FileReader("missing"))


class Base:
    def __init__(self):
        print("constructed")


show(lambda: FileReader("plan", Base).read(2))
show(lambda: type(FileReader(filepath="plan", BaseClass=Base)).__mro__[1:])
for name in ("IStreamReader", "IStreamReaderV2"):
    if hasattr(trt, name):
        show(lambda: FileReader("plan", getattr(trt, name)))
