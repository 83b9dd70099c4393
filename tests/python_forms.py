"""Every form of Python's grammar in a few lines each, and how to compare what they are lowered to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from fia_lint.extract import ir
from fia_lint.extract.lower import statements
from fia_lint.spans import Span

#: What Python 3.10 can parse.
FORMS = r'''
f  \
 (x for x in y)
(f)  (x for x in y)
f((x for x in y))
class A(f(), *b(), x=g(), **c): a; b = 1
x = a[1,]; z = a[b:c, d,]; w = a[(1, 2)]; v = a[((1, 2),)]
for i, in b,: pass
for (i) in ((j)): pass
else: pass
async def f(a: (int) = (1), *a_: (x), k: "s"=2, **kw: (d)) -> (int): return (yield)
def g(a, /, *, b): yield from (x)
def h(): return [lambda: (yield)]
lambda *a, b=1, **k: (yield)
x = not not a and (b or c or d) and (e and f)
x = a < b <= c is not d not in e != f in g is h >= i > j == k
match a, b:
    case [1, *_ , c] | (2, *  d,) | {"k": v, **rest} | A(1, x=(2),): pass
    case (1): pass
    case -1 | 1+2j | None | True | a.b.c | "x" "y": pass
    case x, : pass
    case () | []: pass
    case (A() as y) if (z): pass
with a, (b) as (c), d as (e, f): pass
with (a, b): pass
with (a as b, c): pass
del a, (b), [c, d]
del (a)
del (a, b),
x: (int) = (1)
a.b: c = d
x = y = (z)
x += (1, 2)
x = 1,
x = (1,)
x = ()
x = *a, b
print(*(a), c=(d), **(b))
f(a=1, *b, **c)
f"{a:{b}}" "c" f'{d!r}'
f"plain"
b"a" b'b'
"a" 'b'
x = (  # a comment
    a
)
x = """two
lines""" + a
try: pass
except (A, B) as e: raise X from Y
except: pass
else: a
finally: b
assert a, b
global q
import a.b as c, d
from . import a
from .. a.b import (c as d, e,)
from x import *
x = [i for i in a if b if c for j in d]
x = {i: j for i, j in a}
x = {i for i in a}
x = {**a, "b": c}
x = {*a, b}
x = (i async for i in a)
if a: pass
elif b: c
else:
    if d: e
@a
@b.c(d)
class é(Ç): "ü"; ä = "ö" + f(ß, ñ=1)
@x
async def h():
    async with a as b, c: pass
    async for i in x: await y
    return await (z)
x = -1 ** -2
x = 1j, 1.5, 0x10, 1_000, ..., 1e400
x = (yield)
x = (a := b)
x = a if b else (c if d else e)
x = ((a, b))
while a: break
else: continue
ﬁ = 1
x = a @ b % c // d << e >> f & g ^ h | ~i
x @= c; x //= d; x **= e; x >>= f; x <<= g; x ^= h; x |= i; x &= j; x %= k; x /= l; x -= m; x *= n
def f(): nonlocal x; x = 1; return
raise
if x:
  a;
  if b: c ;
else:
  try: a
  except: b; c;
a[b](c)[d].e
a[:], a[::], a[1:], a[:2:], a[1:2:3], a[(1):(2)]
a[
  1 :
]
a[
  :
 , 2
]
a[2, :
]
class B: pass
class C(): pass
def \
   foo(): pass
class \
   Foo: pass
async  def   bar(): pass
'''

#: What it takes a newer Python to parse, or libcst: form by form.
NEWER = {
    "except_star": "try: pass\nexcept* (A, B) as e: c\n",
    "starred_index": "x = a[*b]\n",
    "type_alias": "type X[T: int = str, *Ts, **P] = list[T]\n",
    "generic_function": "def f[T](x: T) -> T: return x\n",
    "generic_class": "class A[T: int](B): pass\n",
    "nested_quotes": "x = f'{a['b']}'\n",
    "fstring_lines": 'x = f"{\n  a + f(b)\n}"\n',
    "except_without_parentheses": "try: pass\nexcept A, B: c\n",
    "template_string": "x = t'{a}'\n",
}


def items(value: object) -> Iterator[Any]:
    """All dataclass instances in lowered code, found without the walk under test."""
    if is_dataclass(value):
        yield value
        for each in fields(value):
            yield from items(getattr(value, each.name))
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from items(part)


def shape(value: object) -> object:
    """Lowered code without its spans, comparable."""
    if isinstance(value, Span):
        return None
    if is_dataclass(value):
        return type(value).__name__, [shape(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, (list, tuple)):
        return [shape(part) for part in value]
    return repr(value)


def inside_strings(body: list[ir.Stmt]) -> set[int]:
    """The identities of expressions that have no source of their own: those in f-strings."""
    strings = [i for i in items(body) if isinstance(i, ir.Other) and i.kind in ("fstring", "tstring")]
    return {id(inner) for string in strings for inner in items(string.children)}


def read_again(expr: ir.Expr, text: str) -> ir.Expr:
    """What the text of an expression is lowered to on its own, its yields and walruses included."""
    if any(isinstance(each, ir.Slice) for each in [expr, *getattr(expr, "items", ())]):
        return _only(f"_[{text}]", ir.Subscript).index
    if isinstance(expr, ir.Starred):
        return _only(f"[{text}]", ir.Sequence).items[0]
    return _only(f"({text})", ir.Expr)


def _only(source: str, kind: type) -> Any:
    (stmt,) = statements(source)
    assert isinstance(stmt, ir.ExprStmt) and isinstance(stmt.value, kind)
    return stmt.value


def parses(source: str) -> bool:
    """Whether the running Python can parse a source."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
