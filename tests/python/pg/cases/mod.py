"""Lazy imports, exports, deprecation, scripts."""

import sys, os
from polygraphy import mod, util, func
from polygraphy.logger import G_LOGGER
from polygraphy.mod.importer import (
    _version_ok,
    _all_external_lazy_imports,
    lazy_import,
    autoinstall,
)
import polygraphy.mod.importer as I

for a in ["1.2.3", "1.2.3a", "8.5.0.4", "1.0+cu1", "10", "1.2.dev0", "1.2rc1", "abc", ""]:
    try:
        print(a, mod.version(a))
    except BaseException as e:
        print(a, repr(e))
for a in [
    ("1.0", "==1.0"),
    ("1.2", ">=1.0"),
    ("1.0", ">1.0"),
    ("1.0", "<2"),
    ("1.0", "<=1.0"),
    ("1.0", "==latest"),
    ("1.0", "==1.0.0"),
]:
    try:
        print(a, _version_ok(*a))
    except BaseException as e:
        print(a, repr(e))
l = mod.lazy_import("nosuchmodule>=3.2", requires=["numpy"])
try:
    print(l.is_installed(), l.is_importable())
except BaseException as e:
    print(repr(e))
try:
    l.x
except BaseException as e:
    print(repr(e))
try:
    l.x
except BaseException as e:
    print(repr(e))
np = mod.lazy_import("numpy>=99")
print(np.is_installed(), np.is_importable())
print(np.float32)
print(np.int8)
import numpy

print(np is numpy, vars(np).keys() if hasattr(np, "__dict__") else None)
try:
    np.foo = 3
    print(numpy.foo)
except BaseException as e:
    print(repr(e))
o = mod.lazy_import("onnx.helper")
print(o.make_node)
open("scr.py", "w").write("def f(x): return x+1\n")
open("scr2.txt", "w").write("def f(x): return x+1\n")
open("scr3.py", "w").write("import nonono\ndef f(x): return x+1\n")
print(mod.import_from_script("scr.py", "f")(1))
for a in [("scr.py", "g")]:
    try:
        mod.import_from_script(*a)
    except BaseException as e:
        print(repr(e))
mod.autoinstall(l)


@mod.deprecate(remove_in="9.9.9", use_instead="foo")
def old(x):
    "Doc."
    return x


import warnings

warnings.simplefilter("always")
print(old(3), old.__doc__, old.__name__)


@mod.deprecate(remove_in="9.9.9", use_instead=None)
class Old:
    def __init__(self, x):
        self.x = x


print(Old(3).x, Old.__doc__)


@mod.export_deprecated_alias("Alias", remove_in="9.9")
class New:
    "Cdoc"

    def __init__(self, x):
        self.x = x


print(Alias(4).x, Alias.__name__, Alias.__mro__, __all__)


@mod.export_deprecated_alias("falias", remove_in="9.9", use_instead="bb")
def nf(y):
    return y


print(falias(4), falias.__name__, __all__)
mod.warn_deprecated("nm", "use", "9.9")
mod.warn_deprecated("nm", None, "9.9", module_name="mm", always_show_warning=True)
try:
    mod.warn_deprecated("nm", "use", "0.1")
except BaseException as e:
    print(repr(e))
from polygraphy.backend.base import BaseLoader


@mod.export(funcify=True)
class MyLoader(BaseLoader):
    "D"

    def __init__(self, a, b=None, *args, **kw):
        self.v = (a, b, args, kw)

    def call_impl(self, c, d=5):
        return self.v + (c, d)


import inspect

print(__all__, inspect.signature(my_loader), my_loader(1, 2, b=4, d=3), my_loader.__name__)
print(my_loader(1, 2, 3, 4, 5, e=6))
for args, kwargs in [((), {}), ((1,), {}), ((1, 2), {"a": 3})]:
    try:
        my_loader(*args, **kwargs)
    except TypeError as e:
        print(e)
try:

    @mod.export(funcify=True)
    class Bad(BaseLoader):
        def __init__(self, a):
            pass

        def call_impl(self, a):
            pass

except BaseException as e:
    print(repr(e))
try:

    @mod.export(funcify=True)
    def badf():
        pass

except BaseException as e:
    print(repr(e))
try:

    @mod.export()
    def falias():
        pass

except BaseException as e:
    print(repr(e))
try:

    @mod.export(funcify=True)
    class Bad2:
        pass

except BaseException as e:
    print(repr(e))
