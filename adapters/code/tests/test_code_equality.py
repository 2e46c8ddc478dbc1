"""Which comments and docstrings are part of the code when two versions of a source are compared."""

from __future__ import annotations

import pytest

from code_adapter.changes.code_equality import compare_code
from code_adapter.syntax.changes import ChangedFile, Side


def compare(path: str, before: str, after: str) -> str:
    sides = [Side(path, "100644", text.encode("utf-8", "surrogateescape")) for text in (before, after)]
    return compare_code(ChangedFile(*sides))


ATTRIBUTE = 'A = 1\n"""%s."""\n\n\nclass B:\n    C = 2\n    """%s."""\n'


def test_a_text_below_an_attribute_is_documentation() -> None:
    assert compare("a.py", ATTRIBUTE % ("One", "Two"), ATTRIBUTE % ("Three", "Four")) == "equal"
    assert compare("a.py", "A = 1\n", 'A = 1\n"""One."""\n') == "equal"
    assert compare("a.py", "A = 1\n", 'A = 1\nf"""{b()}"""\n') == "differs"


DOC_ATTRIBUTES = [
    ("#![cfg_attr(docsrs, feature(doc_a))]\n", "#![cfg_attr(docsrs, feature(doc_b))]\n", "documentation"),
    ("", '#[doc = "One"]\n', "documentation"),
    ("", '#[cfg_attr(docsrs, path = "b.rs")]\n', "documentation"),
    ("", '#[cfg_attr(not(docsrs), path = "b.rs")]\n', "differs"),
    ("#[inline]\n", "#[cold]\n", "differs"),
]


@pytest.mark.parametrize(("before", "after", "equality"), DOC_ATTRIBUTES)
def test_attributes_of_documentation_are_no_other_code(before: str, after: str, equality: str) -> None:
    code = "fn a() -> u8 { 1 }\n"
    assert compare("a.rs", before + code, after + code) == equality
    assert compare("a.rs", before + code, after + "fn a() -> u8 { 2 }\n") == "differs"


LITERALS = [
    ("a.py", 'A = "none"\n', 'A = "no"\n', "values"),
    ("a.py", 'A = f"{b}"\n', 'A = f""\n', "values"),
    ("a.py", 'A = "-"\n', 'A = ", "\n', "values"),
    ("a.py", 'A = "on"\n', 'A = "of"\n', "values"),
    ("a.py", 'A = "recieved"\n', 'A = "received"\n', "strings"),
    ("a.py", 'A = "colour"\n', 'A = "color"\n', "strings"),
    ("a.py", 'A = "Allow any items"\n', 'A = "Deny"\n', "strings"),
    ("a.py", 'A = "1.2"\n', 'A = "1.3"\n', "strings"),
    ("a.py", '"""None."""\nA = "An item."\n', '"""No."""\nA = "One item."\n', "strings"),
    ("a.js", 'a = b ?? "?";\n', 'a = b ?? "";\n', "values"),
    ("a.js", "a = `none`;\n", "a = `no`;\n", "values"),
    ("a.jsx", "a = <b>Save</b>;\n", "a = <b>Store</b>;\n", "strings"),
    ("a.go", 'package a\n\nvar A = "asc"\n', 'package a\n\nvar A = "desc"\n', "values"),
    ("a.rs", 'fn a() -> &\'static str { "none" }\n', 'fn a() -> &\'static str { "no" }\n', "values"),
    ("A.java", 'class A { String a = "none"; }\n', 'class A { String a = "no"; }\n', "values"),
]


@pytest.mark.parametrize(("path", "before", "after", "equality"), LITERALS)
def test_which_literals_are_values(path: str, before: str, after: str, equality: str) -> None:
    assert compare(path, before, after) == equality


GO = "package shop\n\nfunc A() int {\n\treturn 1\n}\n"
EXAMPLE = "package shop\n\nfunc ExampleA() {\n\tfmt.Println(A())\n\t// Output:\n\t// %s\n}\n"
CGO = 'package shop\n\n// #define LIMIT %s\n%simport "C"\n\nfunc A() int {\n\treturn C.LIMIT\n}\n'
PY = 'SIGN = "ä"\n'
RB = 'NAME = "a"\n'
JS = "export const a = () => import(%s'./a.js');\n"
JSX = "%s\nexport const a = <b />;\n"
PHP = "<?php\n/**\n * The shop.\n * %s\n * @return int\n */\nfunction a() { return 1; }\n"
SCRIPT = '# /// script\n# dependencies = ["six%s"]\n# ///\nimport six\n'
JAVA = "class A {\n    int a() {\n        // %s\n        return 1;\n    }\n}\n"

STEERING = [
    ("check.go", GO, f"//go:build legacy\n\n{GO}"),
    ("check.go", f"//go:build linux\n\n{GO}", f"//go:build windows\n\n{GO}"),
    ("check.go", GO, f"// +build legacy\n\n{GO}"),
    ("check.go", f"// +build legacy\n{GO}", f"// +build legacy\n\n{GO}"),
    ("a.go", GO, GO.replace("func", "//go:noinline\nfunc")),
    ("a.go", GO, GO.replace("func", "//export A\nfunc")),
    ("a.go", GO + "\n//go:noinline\nfunc B() {}\n", GO.replace("func", "//go:noinline\nfunc") + "\nfunc B() {}\n"),
    ("a.go", CGO % ("1", ""), CGO % ("2", "")),
    ("a.go", CGO % ("1", ""), CGO % ("1", "\n")),
    ("a.go", CGO.replace("import", "import (\n// #define B 1\n").replace('"C"', '"C"\n)') % ("1", ""),
     CGO.replace("import", "import (\n// #define B 2\n").replace('"C"', '"C"\n)') % ("1", "")),
    ("a_test.go", EXAMPLE % "1", EXAMPLE % "2"),
    ("s.py", PY, f"# -*- coding: latin-1 -*-\n{PY}"),
    ("s.py", f"#!/bin/python\n{PY}", f"#!/bin/python\n# vim: set fileencoding=cp1252 :\n{PY}"),
    ("s.py", f"#!/usr/bin/env python3\n{PY}", f"#!/usr/bin/env -S python3 -O\n{PY}"),
    ("s.py", SCRIPT % "", SCRIPT % "<1"),
    ("s.py", PY, f"# cython: boundscheck=False\n{PY}"),
    ("a.rb", RB, f"# frozen_string_literal: true\n{RB}"),
    ("a.rb", f"# frozen_string_literal: true\n{RB}", f"{RB}# frozen_string_literal: true\n"),
    ("a.rb", RB, f"# encoding: ascii\n{RB}"),
    ("a.rb", f"#!/usr/bin/ruby\n{RB}", f"#!/usr/bin/ruby -W0\n{RB}"),
    ("a.js", JS % "", JS % '/* webpackChunkName: "a" */ '),
    ("a.js", JS % "/* webpackInclude: /.*[.]a/ */ ", JS % "/* webpackInclude: /.*[.]b/ */ "),
    ("a.ts", JS % "", JS % "/* @vite-ignore */ "),
    ("a.ts", "export const a = b();\n", "export const a = /* #__PURE__ */ b();\n"),
    ("a.jsx", JSX % "/** @jsx h */", JSX % "/** @jsx g */"),
    ("a.tsx", JSX % "", JSX % "/** @jsxImportSource preact */"),
    ("a.ts", "let a = 1;\n", '/// <reference path="b.d.ts" />\nlet a = 1;\n'),
    ("a.js", "#!/usr/bin/env node\na();\n", "#!/usr/bin/env -S node --no-warnings\na();\n"),
    ("a.test.js", "/** @jest-environment node */\na();\n", "/** @jest-environment jsdom */\na();\n"),
    ("A.java", JAVA % "one", JAVA % r"one \u000a if (true) return 2;"),
    ("A.java", JAVA % r"\u000areturn 3;", JAVA % r"\u000areturn 4;"),
    ("a.php", PHP % "", PHP % '@Route("/a")'),
    ("a.php", PHP % '@ORM\\Column(\n * type="text")', PHP % '@ORM\\Column(\n * type="int")'),
    ("ATest.php", PHP % "@dataProvider one", PHP % "@dataProvider two"),
    ("main.rs", "#!/usr/bin/env a\nfn main() {}\n", "#!/usr/bin/env b\nfn main() {}\n"),
    ("lib.rs", "fn a() {}\n", "#![no_std]\nfn a() {}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), STEERING)
def test_a_comment_that_steers_a_program_is_code(path: str, before: str, after: str) -> None:
    assert compare(path, before, after) == "differs"
    assert compare(path, after, before) == "differs"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.go", GO, f"// Package shop sells. See //go:build.\n{GO}"),
        ("a.go", GO, GO.replace("return", "// one //go:noinline\n\treturn")),
        ("a.go", f"//go:build linux\n\n{GO}", f"//go:build linux\n\n// Package shop sells.\n{GO}"),
        ("a.go", GO, GO.replace("return 1", "return 1 //nolint:all")),
        ("a.go", CGO % ("1", ""), CGO.replace("func", "// A is one.\nfunc") % ("1", "")),
        ("a_test.go", EXAMPLE % "1", (EXAMPLE % "1").replace("// Output", "// It prints.\n\t// Output")),
        ("s.py", PY, f"# -*- coding: utf-8 -*-\n{PY}"),
        ("s.py", f"a = 1\n\n{PY}", f"a = 1\n\n# coding: latin-1\n{PY}"),
        ("s.py", PY, f"# Signs.\n{PY}"),
        ("s.py", PY, f"{PY.strip()}  # type: str\n"),
        ("s.py", SCRIPT % "", f"{SCRIPT % ''}# Made by hand.\n"),
        ("a.rb", f"# frozen_string_literal: true\n{RB}", f"# frozen_string_literal: true\n\n# Names.\n{RB}"),
        ("a.rb", RB, f"# encoding: UTF-8\n{RB}"),
        ("a.js", JS % "", JS % "/* the first */ "),
        ("a.ts", "let a = 1;\n", "// @ts-ignore\nlet a = 1;\n"),
        ("a.js", "a();\n", "a();\n//# sourceMappingURL=a.js.map\n"),
        ("a.jsx", JSX % "/** @jsx h */", JSX % "/** A page.\n * @jsx h */"),
        ("A.java", JAVA % "one", JAVA % "two"),
        ("A.java", JAVA % "one", JAVA % r"\u00fc"),
        ("a.php", PHP % '@Route("/a")', (PHP % '@Route("/a")').replace("The shop.", "A shop.")),
        ("a.php", PHP % "", PHP % "@TODO later"),
        ("lib.rs", "fn a() {}\n", "/// One.\nfn a() {}\n"),
    ],
)
def test_a_comment_for_people_or_checkers_is_none(path: str, before: str, after: str) -> None:
    assert compare(path, before, after) == "equal"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.sql", "SELECT a FROM b;\n", "SELECT /*+ FULL(b) */ a FROM b;\n"),
        ("a.sql", "SELECT 1;\n", "SELECT 1 /*!50000 + 1 */;\n"),
        ("Dockerfile", "FROM a\n", "# syntax=b/c\nFROM a\n"),
        ("a.sh", "#!/bin/sh\na\n", "#!/bin/sh -e\na\n"),
        ("a.c", "// one\nint a;\n", "// two\nint a;\n"),
    ],
)
def test_where_no_grammar_reads_comments_nothing_is_equal(path: str, before: str, after: str) -> None:
    assert compare(path, before, after) == "unknown"


USAGE = '"""Usage: shop\n\n  --limit N  [default: %s]\n"""\n%s\n'
HELP = '%s\ndef run():\n    """Sell %s."""\n    return 1\n'
MODEL = '%s\nclass Item(%s):\n    """An item %s."""\n'
RUST = "%s\nstruct Options {\n    /// How many %s.\n    limit: u8,\n}\n"

READ = [
    ("cli.py", USAGE, "import re\nre.search('a', __doc__)"),
    ("cli.py", USAGE, "from docopt import docopt\ndocopt(globals()['__do' + 'c__'])"),
    ("cli.py", HELP, "import fire"),
    ("grammar.py", HELP, "from ply import yacc"),
    ("cli.py", HELP, "@cli.command()"),
    ("cli.py", HELP, "import click\n@click.command"),
    ("server.py", HELP, "@mcp.tool()"),
    ("api.py", HELP, "@router.get('/a', tags=['b'])"),
    ("a.py", HELP, "import inspect\ninspect.getdoc(a)"),
    ("a.rs", RUST, "#[derive(Debug, Parser)]"),
]


@pytest.mark.parametrize(("path", "text", "code"), READ)
def test_documentation_that_a_program_reads_is_more_than_documentation(path: str, text: str, code: str) -> None:
    def fill(word: str) -> str:
        return text % ((word, code) if text is USAGE else (code, word))

    assert compare(path, fill("1"), fill("2")) == "documentation"
    assert compare(path, fill("1"), fill("1") + "\n") == "equal"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", USAGE % ("1", "import re"), USAGE % ("2", "import re")),
        ("a.py", HELP % ("", "one"), HELP % ("", "two")),
        ("a.py", HELP % ("@property", "one"), HELP % ("@property", "two")),
        ("a.py", HELP % ("", "one"), "\ndef run():\n    return 1\n"),
        ("cli.py", f'"""One."""\n{HELP % ("@cli.command()", "a")}', f'"""Two."""\n{HELP % ("@cli.command()", "a")}'),
        ("a.py", MODEL % ("import pydantic", "", "one"), MODEL % ("import pydantic", "", "two")),
        ("a.rs", RUST % ("#[derive(Debug)]", "1"), RUST % ("#[derive(Debug)]", "2")),
    ],
)
def test_other_documentation_is_none(path: str, before: str, after: str) -> None:
    assert compare(path, before, after) == "equal"


def test_descriptions_of_an_api_in_classes_and_comments_are_read() -> None:
    assert (
        compare("a.py", *(MODEL % ("import pydantic", "pydantic.BaseModel", word) for word in "ab")) == "documentation"
    )
    assert compare("a.js", *(f"/** @openapi\n * /a:\n *   {word} */\na();\n" for word in "ab")) == "documentation"
    assert compare("a.go", *(f"// @Router /{word} [get]\n{GO}" for word in "ab")) == "documentation"


@pytest.mark.parametrize(
    ("path", "text", "asked"),
    [
        ("shop/__init__.py", USAGE % ("%s", ""), "shop"),
        ("shop/cli.py", USAGE % ("%s", ""), "cli"),
        ("shop/cli.py", HELP % ("", "%s"), "run"),
    ],
)
def test_a_docstring_that_another_file_reads_is_more_than_documentation(path: str, text: str, asked: str) -> None:
    sides = [Side(path, "100644", (text % word).encode()) for word in "ab"]
    assert compare_code(ChangedFile(*sides), {asked}) == "documentation"
    assert compare_code(ChangedFile(*sides), {"other"}) == "equal"
