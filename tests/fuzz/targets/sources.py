"""Source code, settings and pipelines of a change: the checks of ``code:integrity``, and ``code:functions``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import integrity_cases

from code_adapter.integrity import capability
from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.pairing.paired_tests import pair_tests
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.settings import read_settings
from code_adapter.syntax.changes import ChangedFile, Side
from code_adapter.syntax.symbol_changes import compare
from code_adapter.syntax.symbols import extract
from targets.target import Target
from verigate.sdk import AdapterError, ToolRun
from verigate.sdk.languages import grammar_of

ROOT = Path(__file__).resolve().parents[3]
_CORPUS = ROOT / "tests" / "corpus" / "lies"
_READERS = ROOT / "adapters" / "code" / "tests"
_LONG = 80
"""Shorter texts of a test module are no sources."""

_LANGUAGES = {
    "Python": ("tests/test_a.py", ".py", "python"),
    "JavaScript": ("test/a.test.js", ".js", "javascript"),
    "TypeScript": ("test/a.test.ts", ".ts", "javascript"),
    "Go": ("a_test.go", "_test.go", "go"),
    "Rust": ("tests/a.rs", ".rs", "rust"),
    "Java": ("src/test/java/ATest.java", "Test.java", "java"),
    "C#": ("tests/ATests.cs", "csharp", ""),
    "Kotlin": ("src/test/kotlin/ATest.kt", "kotlin", ""),
    "PHP": ("tests/ATest.php", "php", ""),
    "Ruby": ("spec/a_spec.rb", "ruby", ""),
}
_WORDS = (
    *(
        b"assert",
        b"expect(",
        b"skip",
        b"@",
        b"if ",
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b";",
        b"\n",
        b"\n    ",
        b'"',
        b"'",
    ),
    *(
        b"=",
        b"==",
        b"or True",
        b"return",
        b"noqa",
        b"eslint-disable",
        b"#",
        b"//",
        b"/*",
        b"*/",
        b'"""',
        b"`",
        b"\\",
        b"$",
    ),
    *(b"test_", b"#[ignore]", b"@Disabled", b"\xef\xbb\xbf", b"\xff", b"\0", b"\xe2\x80\xae"),
)


class _NoRepository:
    """A repository with nothing in it but the change."""

    def git(self, *arguments: str, **_: Any) -> ToolRun:
        return ToolRun(("git", *arguments), 1, None, timed_out=False, stdout=b"", stderr=b"")

    def entries(self, *_: str) -> Iterator[bytes]:
        return iter(())


def list_targets() -> Iterator[Target]:
    """List a target for each language, for settings, and for pipelines and scripts."""
    for language, (path, suffix, _) in _LANGUAGES.items():
        seeds = tuple(_list_sources(suffix))
        yield Target(f"{language} sources", _read_change(path, seeds[0]), seeds, (AdapterError,), words=_WORDS)
    yield Target("settings", _read_settings, tuple(_list_settings()), (AdapterError, Unreadable))
    for path, seed in _PLAIN.items():
        yield Target(f"change of {path}", _read_change(path, seed), (seed,), (AdapterError,))


def _list_sources(suffix: str) -> Iterator[bytes]:
    if not suffix.startswith((".", "_", "T")):
        module = ast.parse((_READERS / f"test_language_{suffix}.py").read_bytes())
        texts = [node.value for node in ast.walk(module) if isinstance(node, ast.Constant)]
        yield from (text.encode() for text in texts if isinstance(text, str) and len(text) > _LONG and "\n" in text)
        return
    for path in sorted(_CORPUS.glob(f"*/*/**/*{suffix}")):
        yield path.read_bytes()


def _read_change(path: str, base: bytes) -> Callable[[Path, bytes], object]:
    """All checks of the text as the new form of a file, with ``base`` as its old one, and the other way round."""

    def read(_folder: Path, content: bytes) -> None:
        for old, new in ((base, content), (content, base)):
            file = ChangedFile(Side(path, "100644", old), Side(path, "100644", new))
            changes = ChangeSet((file,), cast("Any", _NoRepository()), "b" * 40, (path,))
            tests = pair_tests(changes, (), capability._walk(changes))
            list(capability.list_entries(changes, tests, set(capability.list_own_findings(changes, tests))))
        if grammar_of(path) is not None:
            list(compare(extract(base, path).symbols, extract(content, path).symbols))

    return read


def _list_settings() -> Iterator[bytes]:
    """A name in the first line, and below it what such a file may hold."""
    made = {
        "pyproject.toml": integrity_cases.PYPROJECT,
        "setup.cfg": integrity_cases.SETUP_CFG,
        "tox.ini": integrity_cases.SETUP_CFG,
        "package.json": integrity_cases.PACKAGE,
        "eslint.config.js": integrity_cases.ESLINT,
        "tsconfig.json": '{ "compilerOptions": { "strict": true } } // kept\n',
        ".coveragerc": "[run]\nbranch = true\nomit =\n  a/*\n[report]\nfail_under = 90\nexclude_also =\n  def __repr__\n",
        ".coveragerc.toml": "[tool.coverage.report]\nfail_under = 90\nexclude_also = ['x']\n",
        "ruff.toml": "select = ['E']\n[lint.per-file-ignores]\n'a.py' = ['F401']\n",
        "jest.config.js": "module.exports = { testPathIgnorePatterns: ['/x/'], coverageThreshold: { global: { lines: 80 } } };\n",
        "vitest.config.ts": "export default defineConfig({ test: { include: ['a'], retry: 2, coverage: { thresholds: { lines: 9 } } } });\n",
        "mypy.ini": "[mypy]\nstrict = true\n[mypy-a.*]\nignore_errors = true\n",
        "Cargo.toml": "[lints.rust]\nunsafe_code = 'deny'\n[lib]\ntest = true\n[[test]]\nname = 'a'\nharness = false\n",
        ".eslintrc.json": '{ "rules": { "eqeqeq": ["error", "always"] }, "overrides": [ { "files": ["*.ts"] } ] }\n',
        ".flake8": "[flake8]\nignore = E501,W503\nper-file-ignores =\n  a.py: F401\n",
        "pom.xml": "<project><properties><least>0.8</least></properties><build><plugins><plugin>"
        "<artifactId>jacoco-maven-plugin</artifactId><executions><execution><goals><goal>check</goal></goals>"
        "<configuration><rules><rule><limits><limit><minimum>${least}</minimum></limit></limits></rule></rules>"
        "</configuration></execution></executions></plugin></plugins></build></project>\n",
        "build.gradle": "test { useJUnitPlatform { excludeTags 'slow' } }\n"
        "jacocoTestCoverageVerification { violationRules { rule { limit { counter = 'LINE'\nminimum = 0.8 } } } }\n",
        "pytest.ini": "[pytest]\naddopts = -ra --strict-markers -k 'not slow'\ntestpaths = tests\n",
    }
    for name, text in made.items():
        yield f"{name}\n{text}".encode()


def _read_settings(_folder: Path, content: bytes) -> None:
    name, _, text = content.decode("utf-8", "replace").partition("\n")
    read_settings(name.strip(), text)


_PLAIN = {
    ".github/workflows/ci.yml": integrity_cases.WORKFLOW.encode(),
    "Makefile": integrity_cases.MAKEFILE.encode(),
    "package.json": integrity_cases.PACKAGE.encode(),
    ".pre-commit-config.yaml": (
        b"repos:\n- repo: https://github.com/a/b\n  rev: v1\n  hooks:\n  - id: x\n    args: [--fix]\n    exclude: ^a/\n"
        b"- repo: local\n  hooks:\n  - {id: y, name: y, entry: pytest, language: system, stages: [pre-push]}\n"
    ),
    "lefthook.yml": b"pre-commit:\n  parallel: true\n  commands:\n    lint:\n      run: ruff check {staged_files}\n      glob: '*.py'\n",
    "eslint.config.js": integrity_cases.ESLINT.encode(),
    "pyproject.toml": integrity_cases.PYPROJECT.encode(),
    "docs/a.md": b"# A\n\n```python\n>>> 1 + 1\n2\n```\n",
}
