import os, sys, types
if sys.path[:1] == [""]: del sys.path[0]
def read(n, d=b""):
    while len(d) < n:
        p = os.read(3, n - len(d))
        if not p: os._exit(0)
        d += p
    return d
def text(): return read(int.from_bytes(read(8), "little")).decode()
os.set_inheritable(3, False); os.set_inheritable(4, False)
parent, rows, count = int(text()), text(), int(text())
(_, host), *modules = [(text(), text()) for _ in range(count)]
module = types.ModuleType("polygraphy_back_end")
module.__file__ = "<polygraphy_back_end>"
module.ELEMENT_TYPE_ROWS = [row.split() for row in rows.splitlines()]
sys.modules["polygraphy_back_end"] = module
exec(compile(host, module.__file__, "exec"), module.__dict__)
module.main(3, 4, parent, modules)
