"""Bodies that do next to nothing, and their honest neighbours, in ten languages."""

from __future__ import annotations

import pytest

from code_adapter.syntax.symbols import extract

PYTHON = "import logging\nLOG = logging.getLogger()\n\n\nclass Shop:\n    def total(self, rows):\n        {}\n"
GO = "package a\n\nfunc (s *Shop) total(rows []int) (int, error) {{\n\t{}\n}}\n"
RUST = "impl Shop {{ fn total(&self, rows: &[i32]) -> Option<i32> {{ {} }} }}\n"
JAVA = "class Shop {{ Object total(List<Integer> rows) {{ {} }} }}\n"
JS = "export function total(rows) {{ {} }}\n"
TS = "class Shop {{ total(rows: number[]): number {{ {} }} }}\n"
RUBY = "def total(rows)\n  {}\nend\n"
PHP = "<?php\nclass Shop {{ function total(array $rows) {{ {} }} }}\n"
CSHARP = "class Shop {{ object total(List<int> rows) {{ {} }} }}\n"
KOTLIN = "class Shop {{\n    fun total(rows: List<Int>): Any? {{\n        {}\n    }}\n}}\n"

LITTLE = [
    ("a.py", PYTHON, "return None", "constant"),
    ("a.py", PYTHON, "return {}", "constant"),
    ("a.py", PYTHON, "result = []\n        return result", "constant"),
    ("a.py", PYTHON, 'LOG.info("totals")\n        return 0', "constant"),
    ("a.py", PYTHON, 'return {"total": 1, "rows": [1, 2]}', "constant"),
    ("a.py", PYTHON, "return dict()", "constant"),
    ("a.py", PYTHON, "return [None, None][0]", "constant"),
    ("a.py", PYTHON, "if rows:\n            return 0\n        else:\n            return 0", "constant"),
    (
        "a.py",
        PYTHON,
        "if rows:\n            return 0\n        elif self:\n            return 0\n        else:\n            return 0",
        "constant",
    ),
    ("a.js", JS, "if (rows) { return null; } else { return null; }", "constant"),
    ("a.java", JAVA, "if (rows == null) { return 0; } else { return 0; }", "constant"),
    ("a.py", PYTHON, "return rows", "argument"),
    ("a.py", PYTHON, "return self", "argument"),
    ("a.py", PYTHON, 'raise ValueError("no rows")', "raises"),
    ("a.go", GO, "return 0, nil", "constant"),
    ("a.go", GO, 'fmt.Println("totals")\n\tsum := 0\n\treturn sum, nil', "constant"),
    ("a.go", GO, 'return 0, errors.New("no rows")', "constant"),
    ("a.go", GO, 'panic("no rows")', "raises"),
    ("a.rs", RUST, "None", "constant"),
    ("a.rs", RUST, "let sum = 0; Some(sum)", "constant"),
    ("a.rs", RUST, 'println!("totals"); return Some(1);', "constant"),
    ("a.java", JAVA, "return null;", "constant"),
    ("a.java", JAVA, "return new ArrayList<>();", "constant"),
    ("a.java", JAVA, 'System.out.println("totals"); int sum = 0; return sum;', "constant"),
    ("a.java", JAVA, "return rows;", "argument"),
    ("a.js", JS, "return {};", "constant"),
    ("a.js", JS, "const sum = -1; return sum;", "constant"),
    ("a.js", "export const total = (rows) => null;\n", "", "constant"),
    ("a.js", "export const total = async rows => rows;\n", "", "argument"),
    ("a.ts", TS, "return undefined as any;", "constant"),
    ("a.ts", TS, "return Promise.resolve(0);", "constant"),
    ("a.rb", RUBY, "nil", "constant"),
    ("a.rb", RUBY, 'puts "totals"\n  return []', "constant"),
    ("a.rb", "def total(rows) = rows\n", "", "argument"),
    ("a.php", PHP, "return [];", "constant"),
    ("a.php", PHP, 'echo "totals"; $sum = 0; return $sum;', "constant"),
    ("a.php", PHP, "return $this;", "argument"),
    ("a.cs", CSHARP, "return new List<int>();", "constant"),
    ("a.cs", "class Shop { int total(List<int> rows) => 0; }\n", "", "constant"),
    ("a.kt", KOTLIN, "return null", "constant"),
    ("a.kt", "class Shop {\n    fun total(rows: List<Int>) = emptyList<Int>()\n}\n", "", "constant"),
    ("a.py", "class A:\n    @abstractmethod\n    def total(self): ...\n", "", "declaration"),
    ("a.py", "@overload\ndef total(rows: int) -> int: ...\n", "", "declaration"),
    ("a.java", "interface Shop { int total(); }\n", "", "declaration"),
    ("a.ts", "abstract class Shop { abstract total(): number; }\n", "", "declaration"),
    ("a.rs", "trait Shop { fn total(&self) -> i32; }\n", "", "declaration"),
]

ENOUGH = [
    ("a.py", PYTHON, "return len(rows)"),
    ("a.py", PYTHON, "return self.rows"),
    ("a.py", PYTHON, "return [row for row in []]"),
    ("a.py", PYTHON, 'return f"{rows}"'),
    ("a.py", PYTHON, "result = []\n        result.append(1)\n        return result"),
    ("a.py", PYTHON, "raise ValueError(rows)"),
    ("a.py", PYTHON, 'print("usage: shop")'),
    ("a.py", PYTHON, "if rows:\n            return 1\n        return 2"),
    ("a.py", PYTHON, "if rows:\n            return 1\n        else:\n            return 2"),
    ("a.py", PYTHON, "if self.save(rows):\n            return 1\n        else:\n            return 1"),
    ("a.py", PYTHON, "if rows:\n            return 1"),
    ("a.py", PYTHON, "return [1, 2][rows]"),
    ("a.js", JS, "if (rows) { return 1; } else { save(); return 1; }"),
    ("a.py", "@app.get('/')\ndef total(rows):\n    return {}\n", ""),
    ("a.go", GO, "return len(rows), nil"),
    ("a.go", GO, "sum := 0\n\tfor _, r := range rows { sum += r }\n\treturn sum, nil"),
    ("a.rs", RUST, "rows.first().copied()"),
    ("a.rs", RUST, "self.save(); None"),
    ("a.java", JAVA, "return rows.size();"),
    ("a.java", JAVA, "this.rows = rows; return null;"),
    ("a.js", JS, "return rows.length;"),
    ("a.js", JS, "const seen = {}; seen.a = 1; return seen;"),
    ("a.js", "export const total = (rows) => `${rows}`;\n", ""),
    ("a.ts", TS, "return this.sum;"),
    ("a.rb", RUBY, "rows.sum"),
    ("a.rb", RUBY, "@rows = rows"),
    ("a.php", PHP, "return count($rows);"),
    ("a.cs", CSHARP, "return rows.Count;"),
    ("a.kt", KOTLIN, "return rows.size"),
    ("a.pyi", "def total(rows: int) -> int: ...\n", ""),
]

UNDONE = [
    ("a.py", PYTHON, 'LOG.info("totals")\n        raise NotImplementedError'),
    ("a.py", PYTHON, 'sum = 0\n        print("totals")\n        raise NotImplementedError("later")'),
    ("a.go", GO, 'fmt.Println("totals")\n\tpanic("not implemented")'),
    ("a.rs", RUST, 'println!("totals"); todo!()'),
    ("a.java", JAVA, 'System.out.println("totals"); throw new UnsupportedOperationException();'),
    ("a.js", JS, 'console.log("totals"); throw new Error("not implemented");'),
    ("a.rb", RUBY, 'puts "totals"\n  raise NotImplementedError'),
    ("a.php", PHP, 'echo "totals"; throw new \\Exception("not implemented");'),
    ("a.cs", CSHARP, 'Console.WriteLine("totals"); throw new NotImplementedException();'),
    ("a.kt", KOTLIN, 'println("totals")\n        TODO()'),
]


def read(path: str, template: str, body: str) -> tuple[bool, str | None]:
    source = template.format(body) if body else template
    found = [each for each in extract(source.encode(), path).symbols if each.name == "total" and each.route is None]
    assert found, source
    return found[0].stub, found[0].only


@pytest.mark.parametrize(("path", "template", "body", "only"), LITTLE)
def test_what_a_body_is_down_to_is_read(path: str, template: str, body: str, only: str) -> None:
    assert read(path, template, body) == (False, only)


@pytest.mark.parametrize(("path", "template", "body"), ENOUGH)
def test_a_body_that_does_something_has_no_mark(path: str, template: str, body: str) -> None:
    assert read(path, template, body)[1] is None


@pytest.mark.parametrize(("path", "template", "body"), UNDONE)
def test_a_message_before_an_error_of_the_unfinished_is_a_stub(path: str, template: str, body: str) -> None:
    assert read(path, template, body) == (True, None)


def test_what_is_compiled_for_tests_alone_is_marked() -> None:
    source = b"fn total() -> i32 { 1 }\n#[cfg(test)]\nmod tests { fn total() -> i32 { 2 } }\n"
    found = {each.qualified: each.in_tests for each in extract(source, "a.rs").symbols}
    assert found == {"total": False, "tests::total": True}


def test_a_long_or_deep_body_is_not_read() -> None:
    deep = "return " + "[" * 3000 + "]" * 3000
    assert read("a.py", PYTHON, deep)[0] is False
    assert read("a.py", PYTHON, "return " + repr("x" * 30_000))[1] is None
