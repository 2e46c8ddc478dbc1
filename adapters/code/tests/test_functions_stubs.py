"""Which functions are stubs, and support no claim, by language."""

from __future__ import annotations

import pytest

from code_adapter.syntax.symbols import extract


def stubs(source: str, path: str) -> set[str]:
    return {s.qualified for s in extract(source.encode(), path).symbols if s.stub}


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        ("def a(): pass\ndef b(): ...\ndef c():\n  'doc'\n", "a.py", {"a", "b", "c"}),
        ("def a():\n  'doc'\n  raise NotImplementedError('later')\n", "a.py", {"a"}),
        ("def a():\n  raise ValueError\ndef b(): return None\n", "a.py", set()),
        (
            "def a():\n  raise RuntimeError('TODO')\ndef b():\n  return\ndef c():\n  assert False, 'x'\n",
            "a.py",
            {"a", "b", "c"},
        ),
        ("def a():\n  return\n  return f(1)\ndef b():\n  raise ValueError\n  return 1\n", "a.py", {"a", "b"}),
        ("def a(n):\n  _ = n\ndef b(n):\n  del n\ndef c():\n  print('not implemented')\n", "a.py", {"a", "b", "c"}),
        ("def a():\n  if False:\n    return f(1)\ndef b():\n  if x:\n    return f(1)\n", "a.py", {"a"}),
        ("if False:\n  def a(): return f(1)\nif TYPE_CHECKING:\n  def b(): return f(1)\n", "a.py", {"a", "b"}),
        ("if x:\n  def a(): return f(1)\nelse:\n  def a(): pass\n", "a.py", {"a"}),
        ("def a(): return f(1)\ndel a\ndef b(): return f(1)\nb = None\n", "a.py", {"a", "b"}),
        ("def a(): return f(1)\ndef a(): pass\n", "a.py", {"a"}),
        ("def a(): return f(1)\na = cache(a)\ndef b(n):\n  print(n)\ndef c():\n  log.info('x')\n", "a.py", set()),
        ("class A:\n  @property\n  def a(self): return 1\n  @a.setter\n  def a(self, x): pass\n", "a.py", {"A.a"}),
        ("def a():\n  print('done')\n  return\ndef b():\n  return f(1)\n  x = 2\n", "a.py", set()),
        ("function a() { return; }\nfunction b() { throw e; return 1 }", "a.js", {"a", "b"}),
        (
            "function a() { console.log('TODO') }\nfunction b() { console.log('x') }\nfunction c() { throw e }",
            "a.js",
            {"a"},
        ),
        ("class P(Protocol):\n  def a(self): ...\n", "a.py", set()),
        ("class A(ABC):\n  @abstractmethod\n  def a(self): ...\n", "a.py", set()),
        ("@overload\ndef a(x: int): ...\n@overload\ndef a(x: str): ...\ndef a(x): return x\n", "a.py", set()),
        ("@click.group()\ndef cli():\n  'doc'\n", "a.py", set()),
        ("class E(Exception): pass\nclass A: pass\n", "a.py", {"A"}),
        ("function a() {}\nconst b = () => {};\nconst noop = () => {};", "a.js", {"a", "b"}),
        ("function a() { throw new Error('Not implemented yet') }", "a.js", {"a"}),
        ("class A { constructor(private x: number) {} }", "a.ts", set()),
        ("interface I { a(): void }\ndeclare function b(): void;", "a.ts", set()),
        (
            ('package a\nfunc A() {}\nfunc B() { panic("not implemented") }\nfunc C() { panic(err) }'),
            "a.go",
            {"A", "B"},
        ),
        (
            'fn a() { todo!() }\nfn b() { unimplemented!("x") }\ntrait T { fn c(&self); }\nfn d() -> u8 { 1 }',
            "a.rs",
            {"a", "b"},
        ),
        (
            (
                "class A { void a() {} void b() { throw new UnsupportedOperationException(); } A() {} "
                "abstract void c(); }"
            ),
            "A.java",
            {"A.a", "A.b"},
        ),
    ],
)
def test_stubs(source: str, path: str, expected: set[str]) -> None:
    assert stubs(source, path) == expected
