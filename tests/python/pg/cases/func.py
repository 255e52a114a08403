"""extend and constantmethod."""

import warnings, inspect
from polygraphy import func, util, mod
from polygraphy.logger import G_LOGGER


def base(a, b=3):
    return a, b


def T(f, *a, **k):
    try:
        print(f(*a, **k))
    except Exception as e:
        print(type(e).__name__, e)


@func.extend(base)
def e1(x, y):
    "d"
    print("e1", x, y)


T(e1, 1)
print(e1.__name__, e1.__doc__, inspect.signature(e1))


@func.extend(base)
def e2(a, b, x, y):
    print("e2", a, b, x, y)
    return 0


T(e2, 1)
T(e2, 1, b=4)
T(e2, a=1)


@func.extend(base)
def e3(x):
    return x


T(e3, 1)


@func.extend(lambda: None)
def e4():
    return 7


T(e4)


@func.extend(lambda: None)
def e5(x):
    return x


T(e5)


@func.extend(lambda: [1, 2])
def e6(x):
    return x


T(e6)


@func.extend(lambda: ())
def e7():
    pass


T(e7)


class L:
    def __call__(self, p, q=1):
        return p + q


@func.extend(L())
def e8(r):
    return r * 2


T(e8, 5)


@func.extend(L())
def e9(p, q, r):
    return r * 2


T(e9, 5)


@func.extend(L())
def e10(p, q, r, s):
    return r * 2


T(e10, 5)


@func.extend(L())
def e11(p, q, r=4):
    return r * 2


T(e11, 5, q=9)


def basek(*args, **kw):
    return 1


@func.extend(basek)
def e12(p):
    return p


T(e12, 5, q=9)


@func.extend(lambda x: None)
def e13():
    return 1


T(e13, 5)


@func.extend(lambda x: 5)
def e14():
    return 1


T(e14, 5)


@func.extend(lambda x: None)
def e15(x):
    return x


T(e15, 5)


@func.extend(lambda x: None)
def e16(x, y):
    return x, y


T(e16, 5)


class C:
    def __init__(s):
        s.x = 1

    @func.constantmethod
    def f(s):
        s.x += 1
        return s.x


c = C()
T(c.f)
print(C.f.__name__)
from polygraphy.func.func import make_iterable

print(make_iterable([1]), make_iterable((1, 2)), make_iterable(None))
