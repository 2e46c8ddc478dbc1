"""code:changes through the adapter's own entry, on real git repositories, and what it says of commits' messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_repository import Content
from judged_messages import Files, judge, run

PINNED: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("requirements.txt", "click==8.0.1\n", "click==8.1.7\n", "click", "8.0.1", "8.1.7"),
    (
        "pyproject.toml",
        '[project]\nname = "a"\ndependencies = ["attrs==22.1"]\n',
        '[project]\nname = "a"\ndependencies = ["attrs==23.2"]\n',
        "attrs",
        "22.1",
        "23.2",
    ),
    (
        "uv.lock",
        '[[package]]\nname = "idna"\nversion = "3.4"\n',
        '[[package]]\nname = "idna"\nversion = "3.7"\n',
        "idna",
        "3.4",
        "3.7",
    ),
    (
        "package.json",
        '{"devDependencies": {"prettier": "^3.0.2"}}',
        '{"devDependencies": {"prettier": "^3.0.3"}}',
        "prettier",
        "3.0.2",
        "3.0.3",
    ),
    (
        "package-lock.json",
        '{"packages": {"": {}, "node_modules/@types/node": {"version": "20.1.0"}}}',
        '{"packages": {"": {}, "node_modules/@types/node": {"version": "20.2.0"}}}',
        "@types/node",
        "20.1.0",
        "20.2.0",
    ),
    (
        "yarn.lock",
        '"@a/b@^1.0.0", "@a/b@^1.0.1":\n  version "1.0.1"\n',
        '"@a/b@^1.0.0", "@a/b@^1.0.1":\n  version "1.2.0"\n',
        "@a/b",
        "1.0.1",
        "1.2.0",
    ),
    (
        "pnpm-lock.yaml",
        "packages:\n  ms@2.1.2: {}\n",
        "packages:\n  ms@2.1.3: {}\n",
        "ms",
        "2.1.2",
        "2.1.3",
    ),
    (
        "go.mod",
        "module a\n\ngo 1.20\n\nrequire golang.org/x/net v0.54.0\n",
        "module a\n\ngo 1.20\n\nrequire golang.org/x/net v0.55.0\n",
        "golang.org/x/net",
        "0.54.0",
        "0.55.0",
    ),
    ("Cargo.toml", '[dependencies]\nserde = "1.0.1"\n', '[dependencies]\nserde = "1.0.9"\n', "serde", "1.0.1", "1.0.9"),
    (
        "Cargo.lock",
        '[[package]]\nname = "syn"\nversion = "2.0.1"\nsource = "registry"\n',
        '[[package]]\nname = "syn"\nversion = "2.0.9"\nsource = "registry"\n',
        "syn",
        "2.0.1",
        "2.0.9",
    ),
    (
        "pom.xml",
        (
            "<project><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
            "<version>4.12</version></dependency></dependencies></project>"
        ),
        (
            "<project><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
            "<version>4.13.2</version></dependency></dependencies></project>"
        ),
        "junit:junit",
        "4.12",
        "4.13.2",
    ),
    (
        "build.gradle",
        'dependencies { implementation "com.google.guava:guava:31.0-jre" }\n',
        'dependencies { implementation "com.google.guava:guava:33.0-jre" }\n',
        "com.google.guava:guava",
        "31.0-jre",
        "33.0-jre",
    ),
    (
        "gradle/libs.versions.toml",
        '[versions]\nmoshi = "1.14.0"\n[libraries]\nmoshi = { module = "a.b:moshi", version.ref = "moshi" }\n',
        '[versions]\nmoshi = "1.15.0"\n[libraries]\nmoshi = { module = "a.b:moshi", version.ref = "moshi" }\n',
        "moshi",
        "1.14.0",
        "1.15.0",
    ),
    (
        ".github/workflows/ci.yml",
        "jobs:\n  a:\n    steps:\n      - uses: actions/setup-python@v5\n",
        "jobs:\n  a:\n    steps:\n      - uses: actions/setup-python@v6\n",
        "actions/setup-python",
        "5",
        "6",
    ),
    (
        ".pre-commit-config.yaml",
        "repos:\n  - repo: https://github.com/psf/black\n    rev: 23.1.0\n    hooks: [{id: black}]\n",
        "repos:\n  - repo: https://github.com/psf/black\n    rev: 24.1.0\n    hooks: [{id: black}]\n",
        "psf/black",
        "23.1.0",
        "24.1.0",
    ),
    ("Dockerfile", "FROM alpine:3.19\n", "FROM alpine:3.20\n", "alpine", "3.19", "3.20"),
)


@pytest.mark.parametrize("pinned", PINNED, ids=lambda pinned: pinned[0])
def test_a_bump_holds_and_its_false_siblings_are_refuted(tmp_path: Path, pinned: tuple[str, ...]) -> None:
    path, before, after, name, old, new = pinned
    texts = (
        f"Bump {name} from {old} to {new}",
        f"chore(deps): bump {name} from {old} to {new} (#12)",
        f"Update {name} to v{new}",
        f"Bump {name} from {new} to {old}",
        f"Bump {name} from {old} to 77.7.7",
        f"Bump zorkmid-lib from {old} to {new}",
    )
    assert judge(tmp_path, {path: before}, {path: after}, *texts) == [*(["holds"] * 3), *(["refuted"] * 3)]


def test_a_comment_next_to_a_pinned_commit_may_be_stale(tmp_path: Path) -> None:
    step = "jobs:\n  a:\n    steps:\n      - uses: actions/cache@{} # v{}\n"
    path = ".github/workflows/ci.yml"
    before, after = step.format("a" * 40, "4.1"), step.format("b" * 40, "4.3")
    said = {
        "Bump actions/cache from 4.1 to 4.3": "holds",
        "Bump actions/cache from 4.2 to 4.3": "unknown",
        "Bump actions/cache from 4.1 to 4.4": "refuted",
        "Bump actions/cache from 4.3 to 4.1": "refuted",
        "Bump zorkmid-lib from 4.1 to 4.3": "refuted",
        f"Bump actions/cache to {'b' * 9}": "holds",
    }
    assert judge(tmp_path / "a", {path: before}, {path: after}, *said) == [*said.values()]
    stale = step.format("b" * 40, "4.1")
    assert judge(tmp_path / "b", {path: before}, {path: stale}, "Bump actions/cache from 4.1 to 4.4") == ["unknown"]


def test_a_property_of_maven_is_named_as_its_artifact(tmp_path: Path) -> None:
    pom = "<project><properties><guava.version>{}</guava.version></properties></project>"
    texts = ("Bump com.google.guava:guava from 33.6.0 to 33.7.0", "Bump com.google.guava:guava from 33.6.0 to 33.8.0")
    found = judge(tmp_path, {"pom.xml": pom.format("33.6.0")}, {"pom.xml": pom.format("33.7.0")}, *texts)
    assert found == ["holds", "refuted"]


def test_a_manifest_that_cannot_be_read_decides_nothing(tmp_path: Path) -> None:
    found = judge(tmp_path / "a", {"package.json": "{}"}, {"package.json": "{"}, "Bump ms from 1.0.0 to 2.0.0")
    assert found == ["unknown"]
    # Before: the capability ended with an error.
    found = judge(tmp_path / "b", {"tox.ini": "[tox]\n"}, {"tox.ini": "tox\n"}, "Bump ms from 1.0.0 to 2.0.0")
    assert found == ["unknown"]


_PYTHON = (
    '[project]\nname = "a"\nversion = "{}"\nrequires-python = ">={}"\n'
    'classifiers = [\n  "Programming Language :: Python :: {}",\n  "Programming Language :: Python :: 3.12",\n]\n'
)


def test_versions_of_the_project_and_of_its_runtimes(tmp_path: Path) -> None:
    before, after = _PYTHON.format("2.6.0", "3.8", "3.8"), _PYTHON.format("2.7.0", "3.9", "3.13")
    texts = (
        "Release 2.7.0",
        "v2.7.0",
        "Bump version to 2.8.0",
        "Drop Python 3.8 support",
        "Add support for Python 3.13",
        "Add support for Python 3.8",
        "Drop Python 3.12",
    )
    expected = ["holds", "holds", "refuted", "holds", "holds", "refuted", "unknown"]
    assert judge(tmp_path, {"pyproject.toml": before}, {"pyproject.toml": after}, *texts) == expected


def test_names_are_new_or_gone_only_if_no_other_code_has_them(tmp_path: Path) -> None:
    before = {
        "shop/cart.py": "def total(items):\n    return sum(items)\n\n\ndef legacy():\n    return 1\n",
        "shop/other.py": "def shared():\n    return 2\n",
    }
    after = {
        "shop/cart.py": "def total(items, *, round_to=2):\n    return round(sum(items), round_to)\n\n\n"
        "def shared():\n    return 3\n",
    }
    texts = (
        "Add `round_to` to `total()`",
        "Add `round_to` parameter",
        "Remove `legacy()`",
        "Add `legacy`",
        "Remove `round_to`",
        "Add `shared()`",
        "Add `frobnicate_all`",
        "Deprecate `total`",
    )
    expected = ["holds", "holds", "holds", "refuted", "refuted", "unknown", "refuted", "unknown"]
    assert judge(tmp_path, before, dict(after), *texts) == expected


def test_a_name_in_a_comment_alone_is_not_added(tmp_path: Path) -> None:
    found = judge(
        tmp_path, {"a.py": "x = 1\n"}, {"a.py": "# see round_to\nx = 1\n"}, "Add `round_to`", "Document `round_to`"
    )
    assert found == ["unknown", "holds"]


def test_tests_in_the_file_of_the_code_are_tests(tmp_path: Path) -> None:
    code = (
        "pub fn {0}(n: u32) -> u32 {{\n    n + 1\n}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n"
        "    #[test]\n    fn adds() {{\n        assert_eq!({1}(1), 2);\n    }}\n}}\n"
    )
    text = "Renamed `raise_by` to `lift_by` together with its tests."
    before = {"src/lib.rs": code.format("raise_by", "raise_by")}
    found = judge(tmp_path / "all", before, {"src/lib.rs": code.format("lift_by", "lift_by")}, text)
    assert found == ["holds"]
    found = judge(tmp_path / "code", before, {"src/lib.rs": code.format("lift_by", "raise_by")}, text)
    assert found == ["unknown"]


def test_renamed_and_moved(tmp_path: Path) -> None:
    body = "def {}(items):\n    found = []\n    for item in items:\n        found.append(item)\n    return found\n"
    before = {"a.py": body.format("gather"), "b.py": "x = 1\n", "old.py": body.format("other")}
    after: dict[str, Content | None] = {
        "a.py": body.format("collect"),
        "b.py": "x = 1\n\n\n" + body.format("other"),
        "old.py": None,
    }
    texts = (
        "Rename `gather` to `collect`",
        "Rename `collect` to `gather`",
        "Move `other` to `b.py`",
        "Rename `gather` to `assemble_all`",
    )
    assert judge(tmp_path, before, after, *texts) == ["holds", "refuted", "holds", "refuted"]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"README.md": "# Cart\n\nInstall the shop.\n"}, ["holds", "refuted", "refuted", "holds", "refuted"]),
        (
            {"cart.py": '"""Sums of prices."""\n\n\ndef total():\n    return 1\n'},
            ["holds", "refuted", "refuted", "unknown", "refuted"],
        ),
        ({"cart.py": "def total():\n    return 2\n"}, ["refuted"] * 5),
        (
            {"tests/test_cart.py": "def test_total():\n    assert 1 == 1\n"},
            # Before: "ci:" was refuted. What CI runs are tests, and a commit that changes them for its sake may say so.
            ["refuted", "holds", "unknown", "refuted", "holds"],
        ),
    ],
    ids=["texts", "docstring", "code", "tests"],
)
def test_of_which_kind_a_change_is(tmp_path: Path, after: dict[str, Content | None], expected: list[str]) -> None:
    before: Files = {
        "README.md": "# Cart\n",
        "cart.py": "def total():\n    return 1\n",
        "tests/test_cart.py": "def test_cart():\n    assert 1 == 1\n",
    }
    texts = (
        "docs: update docs",
        "test: update tests",
        "ci: update workflows",
        "docs: install the shop",
        "test: add total",
    )
    found = judge(tmp_path, before, after, *texts)
    assert found == expected


def test_a_comment_that_steers_a_program_is_no_documentation(tmp_path: Path) -> None:
    before: Files = {"check.go": "//go:build linux\n\npackage shop\n"}
    texts = ("No production code was changed.", "docs: build windows", "style: gofmt")
    steering = judge(tmp_path / "a", before, {"check.go": "//go:build windows\n\npackage shop\n"}, *texts)
    assert steering == ["refuted", "refuted", "unknown"]
    said = judge(
        tmp_path / "b", before, {"check.go": "//go:build linux\n\n// Package shop sells.\npackage shop\n"}, *texts
    )
    assert said == ["holds", "unknown", "holds"]


def test_only_comments_changed_where_the_code_is_the_same(tmp_path: Path) -> None:
    text, before = "Only comments were changed.", {"shop.py": "def total():\n    return 1  # one\n", "b.yml": "a: 1\n"}
    said = before["shop.py"].replace("one", "a unit")
    assert judge(tmp_path / "a", before, {"shop.py": said}, text) == ["holds"]
    assert judge(tmp_path / "b", before, {"shop.py": said.replace("1", "2")}, text) == ["refuted"]
    assert judge(tmp_path / "c", before, {"shop.py": said, "b.yml": "a: 1 # one\n"}, text) == ["unknown"]
    steering = "# frozen_string_literal: true\n"
    assert judge(tmp_path / "d", {"a.rb": "x = 1\n"}, {"a.rb": f"{steering}x = 1\n"}, text) == ["refuted"]


def test_a_docstring_that_the_program_reads_is_no_documentation(tmp_path: Path) -> None:
    usage = '"""Usage: shop\n\n  --limit N  [default: {}]\n"""\nimport {}\n\nfound = re.search("N", {})\n'
    texts = ("No production code was changed.", "docs: update docs")
    for name, module, value, expected in (
        ("own", "re", "__doc__", ["unknown", "unknown"]),
        ("other", "re", '""', ["holds", "holds"]),
    ):
        before: Files = {"shop/cli.py": usage.format("10", module, value)}
        assert judge(tmp_path / name, before, {"shop/cli.py": usage.format("99", module, value)}, *texts) == expected
    before = {"shop/cli.py": usage.format("10", "re", '""'), "shop/help.py": "import cli\n\nprint(cli.__doc__)\n"}
    after: dict[str, Content | None] = {"shop/cli.py": usage.format("99", "re", '""')}
    assert judge(tmp_path / "elsewhere", before, after, *texts) == ["unknown", "unknown"]


def test_examples_in_docstrings_are_tests(tmp_path: Path) -> None:
    source = 'def total():\n    """Return {}.\n\n    >>> total()\n    {}\n    """\n    return 1\n'
    before: Files = {"shop.py": source.format("one", "1")}
    texts = ("No tests were changed.", "No production code was changed.")
    assert judge(tmp_path / "a", before, {"shop.py": source.format("one", "2")}, *texts) == ["unknown", "holds"]


READERS: list[tuple[str, str, str]] = [
    ("shop/prompt.md", "shop/mail.py", '(HERE / "prompt.md").read_text()\n'),
    ("prompts/system.md", "shop/mail.py", 'open("prompts/system.md")\n'),
    ("shop/templates/mail.txt", "shop/mail.py", 'read(HERE / "templates" / name)\n'),
    ("shop/templates/mail.txt", "shop/mail.py", 'render("mail")\n'),
    ("shop/texts/mail.txt", "shop/sub/mail.py", "read(f'{name}.txt')\n"),
    ("shop/texts/mail.txt", "shop/mail.py", "HERE.rglob('*.txt')\n"),
    ("src/prompt.md", "src/lib.rs", 'const A: &str = include_str!("prompt.md");\n'),
    ("src/prompt.md", "src/a.ts", "import a from './prompt.md';\n"),
    ("shop/texts/a.md", "shop/a.go", "package shop\n\n//go:embed texts\nvar a embed.FS\n"),
    ("shop/texts/a.md", "shop/a.go", "package shop\n\n//go:embed other/*.txt texts/*.md\nvar a embed.FS\n"),
    ("prompt.md", "app.py", "open('prompt.md')\n"),
    ("shop/a\tb.md", "app.py", "open('shop/a\\tb.md')\n"),
]


@pytest.mark.parametrize(("path", "source", "code"), READERS)
def test_a_text_that_the_product_reads_is_no_documentation(tmp_path: Path, path: str, source: str, code: str) -> None:
    texts = ("This is a docs-only change.", "No production code was changed.", "docs: update texts")
    found = judge(tmp_path, {path: "Never.\n", source: code}, {path: "Always.\n"}, *texts)
    assert found == ["unknown", "unknown", "unknown"]


@pytest.mark.parametrize(
    ("path", "source", "code"),
    [
        ("shop/notes.md", "shop/mail.py", "def mail():\n    return 'a'\n"),
        ("shop/README.md", "shop/mail.py", "open('README.md')\n"),
        ("docs/mail.md", "shop/mail.py", "open('mail.md')\n"),
        ("ARCHITECTURE.md", "shop/mail.py", "# See ARCHITECTURE.md for why.\na = 1\n"),
        ("shop/notes.md", "shop/test_mail.py", "open('notes.md')\n"),
        ("guide/mail.md", "shop/mail.py", "send('mail')\n"),
        ("shop/texts/a.md", "shop/a.go", "package shop\n\n//go:embed other/*.md\nvar a embed.FS\n"),
    ],
)
def test_a_text_that_no_code_names_is_documentation(tmp_path: Path, path: str, source: str, code: str) -> None:
    texts = ("This is a docs-only change.", "No production code was changed.")
    assert judge(tmp_path, {path: "Never.\n", source: code}, {path: "Always.\n"}, *texts) == ["holds", "holds"]


def test_a_typo_is_a_change_of_letters(tmp_path: Path) -> None:
    before = {"README.md": "It recieves the items.\n", "cart.py": "def total():\n    return 1\n"}
    texts = ("Fix typo", "Fix typos in README")
    right = judge(tmp_path / "a", before, {"README.md": "It receives the items.\n"}, *texts)
    more = "def total():\n" + "".join(f"    x{n} = {n}\n" for n in range(12)) + "    return x1\n"
    assert right == ["holds", "holds"]
    assert judge(tmp_path / "b", before, {"cart.py": more}, "Fix typo") == ["refuted"]


def test_another_number_is_no_typo(tmp_path: Path) -> None:
    before = {"cart.py": "LIMIT = 10\nnote = 'Wrong encodign'  # For all encodigns.\n"}
    assert judge(tmp_path / "a", before, {"cart.py": before["cart.py"].replace("10", "100")}, "Fix typo") == ["unknown"]
    after: dict[str, Content | None] = {"cart.py": before["cart.py"].replace("encodign", "encoding")}
    assert judge(tmp_path / "b", before, after, "Fix typo") == ["holds"]


VALUES = [
    ("risk.py", "def risk():\n    return {}\n", '"none"', '"no"'),
    ("code.js", "export const sign = (s) => table[s] ?? {};\n", '"?"', '""'),
    (
        "code.go",
        "package code\n\nfunc Sign() string { return {} }\n".replace("{ return {} }", "{{ return {} }}"),
        '"a"',
        '"b"',
    ),
]


@pytest.mark.parametrize(("path", "source", "was", "now"), VALUES, ids=[each[0] for each in VALUES])
def test_another_value_in_a_string_is_no_documentation(
    tmp_path: Path, path: str, source: str, was: str, now: str
) -> None:
    before: Files = {path: source.format(was), "README.md": "One.\n", "tests/test_risk.py": "A = 1\n"}
    changed: dict[str, Content | None] = {path: source.format(now)}
    for other, content, texts in (
        (
            "README.md",
            "Two.\n",
            ("This is a docs-only change.", "docs: update texts", "No production code was changed."),
        ),
        ("tests/test_risk.py", "A = 2\n", ("test: more cases",)),
    ):
        assert judge(tmp_path / Path(other).stem, before, {**changed, other: content}, *texts) == ["refuted"] * len(
            texts
        )
    assert judge(tmp_path / "typo", before, changed, "Fix typo") == ["unknown"]


def test_another_name_in_code_may_be_no_typo(tmp_path: Path) -> None:
    """Whether ``max_size`` was a slip for ``min_size`` nobody can say; a hint that it is wrong is none."""
    before = {"cart.py": "def fits(n):\n    return n < max_size\n"}
    for folder, name in (("a", "min_size"), ("b", "maxi_size")):
        after: dict[str, Content | None] = {"cart.py": before["cart.py"].replace("max_size", name)}
        assert judge(tmp_path / folder, before, after, "Fix typo") == ["unknown"]


def test_a_hostile_name_is_looked_up_as_text(tmp_path: Path) -> None:
    names = ("`--open-files-in-pager=id`", "`-O`", "`.*`", "`$(id)`")
    value = run(tmp_path, {"a.py": "x = 1\n"}, {"a.py": "y = 1\n"}, *(f"Add {name}" for name in names))
    assert all(entry["unchanged_files"] == 0 and not entry["paths"] for entry in value["names"])


RUST = "fn a() {{\n    {}\n}}\n\n#[cfg(test)]\nmod tests {{\n"
RUST += "    #[test]\n    fn one() {{\n        assert!({});\n    }}\n}}\n"


@pytest.mark.parametrize(
    ("after", "tests", "outcome"),
    [
        (RUST.format("b()", "true"), "same", "holds"),
        (RUST.format("", "1 > 0"), "differ", "unknown"),
        (f"/// One.\n{RUST.format('', 'true')}", "same", "holds"),
        (f"/// ```\n/// a();\n/// ```\n{RUST.format('', 'true')}", "differ", "unknown"),
        ("fn a() {}\n", "differ", "unknown"),
    ],
    ids=["code", "tests", "documentation", "example", "gone"],
)
def test_tests_within_a_source_of_rust_are_compared(tmp_path: Path, after: str, tests: str, outcome: str) -> None:
    before: Files = {"src/lib.rs": RUST.format("", "true")}
    value = run(tmp_path, before, {"src/lib.rs": after})
    assert [file.get("tests") for file in value["files"]] == [tests]
    assert judge(tmp_path / "again", before, {"src/lib.rs": after}, "No tests were changed.") == [outcome]


def test_a_source_of_rust_without_tests_has_none_to_compare(tmp_path: Path) -> None:
    value = run(tmp_path, {"src/lib.rs": "fn a() {}\n", "b.py": "1\n"}, {"src/lib.rs": "fn b() {}\n", "b.py": "2\n"})
    assert [file.get("tests") for file in value["files"]] == [None, None]


@pytest.mark.parametrize(
    ("path", "was", "now", "outcome"),
    [
        ("config/app.yaml", "limit: 10\ndebug: false\n", "limit: 99\ndebug: true\n", "unknown"),
        ("config/app.yaml", "limit: 10\nnames: [a, b]\n", "limit:   10\n\nnames:\n  - a\n  - b\n", "holds"),
        ("shop/data.yaml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n", "unknown"),
        (".github/workflows/ci.yml", "on: push\njobs: {t: 1}\n", "on: push\njobs:\n  t: 1\n", "holds"),
        (".github/workflows/ci.yml", "on: push\njobs: {t: 1}\n", "on: push\njobs: {t: 2}\n", "unknown"),
        ("README.md", "# Shop\n\nIt sells\nthings.\n", "# Shop\n\nIt sells things.\n", "holds"),
        ("README.md", "# Shop\n\nIt sells things.\n", "# Shop\n\nIt never sells things.\n", "unknown"),
        ("a.py", "x = [1,2]\n", "x = [1, 2]\n", "holds"),
        ("Makefile", "a:\n\techo a\n", "a:\n\techo b\n", "unknown"),
    ],
)
def test_a_change_of_layout_leaves_each_value_and_word(
    tmp_path: Path, path: str, was: str, now: str, outcome: str
) -> None:
    # Before: of settings and texts any change was taken for one of layout.
    assert judge(tmp_path, {path: was}, {path: now}, "style: reformat") == [outcome]


@pytest.mark.parametrize(
    ("path", "was", "now", "outcome"),
    [
        ("a.go", "//go:build linux\n\npackage a\n", "//go:build windows\n\npackage a\n", "unknown"),
        ("a.go", "// It is.\npackage a\n", "// It was.\npackage a\n", "holds"),
        ("a.py", "x = f()\n", "x = f()  # type: ignore\n", "unknown"),
        ("a.py", "x = f()  # noqa: E501\n", "x = f()   # noqa: E501\n", "holds"),
        ("a.py", "x = f()\n", "x = f()  # types of it\n", "holds"),
        ("a.ts", "f();\n", "// @ts-ignore\nf();\n", "unknown"),
        ("a.ts", "f();\n", "// eslint-disable-next-line no-var\nf();\n", "unknown"),
    ],
)
def test_a_comment_that_programs_read_is_no_layout(tmp_path: Path, path: str, was: str, now: str, outcome: str) -> None:
    # Before: a build constraint was a comment like any other, so that another one was layout.
    assert judge(tmp_path, {path: was}, {path: now}, "style: reformat") == [outcome]


@pytest.mark.parametrize(
    ("path", "outcome"), [("config/app.yaml", "unknown"), (".editorconfig", "holds"), ("pytest.ini", "holds")]
)
def test_settings_of_the_product_are_none_of_dependencies_or_ci(tmp_path: Path, path: str, outcome: str) -> None:
    # Before: any file of configuration counted as one of CI and of dependencies.
    pins = {"requirements.txt": "click==8.0.1\n", path: "a: 10\n"}
    after: dict[str, Content | None] = {"requirements.txt": "click==8.1.7\n", path: "a: 99\n"}
    texts = ("deps: bump click from 8.0.1 to 8.1.7",)
    assert judge(tmp_path / "a", pins, after, *texts) == [outcome]
    assert judge(tmp_path / "b", {path: "a: 10\n"}, {path: "a: 99\n"}, "ci: update workflows") == [outcome]
