"""Configurations of hook runners: what changes nothing, what is a weakening, and what changes the judges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.sdk.hook_runners.compare import compare_hooks

CONFIG = """\
default_language_version:
  python: python3.11
exclude: ^vendored/
ci:
  skip: [mypy]
repos:
  # linters
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.9.1
    hooks:
      - id: ruff
        args: [--fix]
      - id: ruff-format
  - repo: https://github.com/pre-commit/mirrors-mypy
    rev: v1.14.0
    hooks:
      - id: mypy
        additional_dependencies: [types-requests==2.32.0]
        exclude: ^docs/
        stages: [commit]
  - repo: https://github.com/rbubley/mirrors-prettier
    rev: v3.0.0-alpha.4
    hooks:
      - id: prettier
  - repo: local
    hooks:
      - id: licences
        name: licences
        entry: python check_licences.py
        language: system
        args: [--all]
        files: \\.py$
"""
GATE = """\
  - repo: https://git.example/gate
    rev: v0.1.0
    hooks:
      - id: gate-verify
"""
ANOTHER = "  - repo: https://git.example/codespell\n    rev: v2.4.0\n    hooks: [{id: codespell}]\n"
PREK = 'repos = [{ repo = "a", rev = "1.0", hooks = [{ id = "x" }] }]'
LOCAL_GATE = """\
  - repo: local
    hooks:
      - id: verify
        entry: bin/gate git-hook pre-commit
        language: system
"""
LEFTHOOK = """\
output: [summary]
pre-commit:
  parallel: true
  commands:
    lint:
      run: npx eslint {staged_files}
      glob: "*.js"
    types:
      run: npx tsc --noEmit
  jobs:
    - name: gate
      run: gate git-hook pre-commit
"""
SAME, WEAKER, JUDGES = "same", "weaker", "judges"


def kind(path: str, before: str | None, after: str | None) -> str:
    sides = (None if text is None else text.encode() for text in (before, after))
    found = compare_hooks(path, *sides)
    return SAME if not found else JUDGES if found[0].judges else WEAKER


def edited(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("wanted", "pairs"),
    [
        (SAME, [("v0.9.1", "v0.9.2")]),
        (SAME, [("v0.9.1", "v0.10.0"), ("v1.14.0", "v1.15.0"), ("v3.0.0-alpha.4", "v3.4.2")]),
        (SAME, [("v0.9.1", "0.11.4")]),
        (SAME, [("# linters", "# linters and formatters")]),
        (SAME, [("      - id: ruff-format\n", "      - id: ruff-format\n      - id: ruff-check\n")]),
        (
            SAME,
            [
                (
                    "repos:\n",
                    f"repos:\n{ANOTHER}",
                )
            ],
        ),
        (
            SAME,
            [
                (
                    "        args: [--fix]\n      - id: ruff-format\n",
                    "        args: [--fix]\n        name: lint\n      - id: ruff-format\n",
                )
            ],
        ),
        (SAME, [("python3.11", "python3.13")]),
        (SAME, [("exclude: ^vendored/\n", "")]),
        (SAME, [("        exclude: ^docs/\n", "")]),
        (SAME, [("stages: [commit]", "stages: [pre-commit]")]),
        (SAME, [("stages: [commit]", "stages: [pre-push, pre-commit]")]),
        (SAME, [("        stages: [commit]\n", "")]),
        (SAME, [("  skip: [mypy]", "  skip: []\n  autoupdate_schedule: monthly")]),
        (
            SAME,
            [("exclude: ^vendored/\n", "exclude: ^vendored/\nfail_fast: true\nminimum_pre_commit_version: 4.0.0\n")],
        ),
        (WEAKER, [("      - id: ruff-format\n", "")]),
        (WEAKER, [("args: [--fix]", "args: [--fix, --exit-zero]")]),
        (WEAKER, [("        args: [--fix]\n", "        stages: [manual]\n        args: [--fix]\n")]),
        (WEAKER, [("exclude: ^docs/", "exclude: ^(docs|src)/")]),
        (WEAKER, [("exclude: ^vendored/", "exclude: ^(vendored|src)/")]),
        (WEAKER, [("exclude: ^vendored/", "exclude: ^vendored/\nfiles: ^docs/")]),
        (WEAKER, [("exclude: ^vendored/", "exclude: ^vendored/\ndefault_stages: [manual]")]),
        (WEAKER, [("exclude: ^vendored/", "exclude: ^vendored/\ndefault_install_hook_types: [pre-push]")]),
        (WEAKER, [("skip: [mypy]", "skip: [mypy, ruff]")]),
        (WEAKER, [("stages: [commit]", "stages: [manual]")]),
        (WEAKER, [("files: \\.py$", "files: ^a\\.py$")]),
        (WEAKER, [("      - id: prettier\n", "      - id: prettier\n        types: [css]\n")]),
        (WEAKER, [("v0.9.1", "v0.9.2"), ("      - id: ruff-format\n", "")]),
        (JUDGES, [("v0.9.1", "v0.9.0")]),
        (JUDGES, [("v0.9.1", "main")]),
        (JUDGES, [("v0.9.1", "v1")]),
        (WEAKER, [("v0.9.1", "0123456789abcdef0123456789abcdef01234567  # v0.9.2")]),
        (JUDGES, [("v0.9.1", "0123456789abcdef  # v0.9.2")]),
        (JUDGES, [("v0.9.1", "release-0.9.2")]),
        (JUDGES, [("    rev: v0.9.1\n", "")]),
        (JUDGES, [("rev: v0.9.1", "rev: 1.10")]),
        (JUDGES, [("astral-sh/ruff-pre-commit", "mallory/ruff-pre-commit")]),
        (JUDGES, [("        args: [--fix]\n", "        args: [--fix]\n        entry: 'true'\n")]),
        (JUDGES, [("        args: [--fix]\n", "        args: [--fix]\n        language: fail\n")]),
        (JUDGES, [("types-requests==2.32.0", "./fake-mypy")]),
        (JUDGES, [("python check_licences.py", "python check_licences.py || true")]),
        (JUDGES, [("args: [--all]", "args: [--none]")]),
        (JUDGES, [("python3.11", "./fake-python")]),
        (JUDGES, [("exclude: ^vendored/", "exclude: ^vendored/\nunheard_of: 1")]),
        (JUDGES, [("        args: [--fix]\n", "        args: [--fix]\n        unheard_of: 1\n")]),
        (JUDGES, [("repos:\n", "repos: &r\n"), ("      - id: prettier\n", "      - id: prettier\n---\nrepos: []\n")]),
        (JUDGES, [("repos:\n", "repos:\n- [\n")]),
    ],
)
def test_pre_commit(wanted: str, pairs: list[tuple[str, str]]) -> None:
    assert kind(".pre-commit-config.yaml", CONFIG, edited(CONFIG, *pairs)) == wanted


COMMIT, LATER = "0123456789abcdef0123456789abcdef01234567", "89abcdef0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("wanted", "rev"),
    [
        (SAME, f"{COMMIT}  # frozen: v0.9.1, as released"),
        (WEAKER, f"{LATER}  # frozen: v0.10.0"),
        (WEAKER, LATER),
        (WEAKER, "v0.10.0"),
        (JUDGES, "main"),
        (JUDGES, "v1"),
        (JUDGES, LATER[:12]),
        (JUDGES, LATER.upper()),
    ],
)
def test_hooks_that_are_pinned_to_a_commit(wanted: str, rev: str) -> None:
    before = CONFIG.replace("v0.9.1", f"{COMMIT}  # frozen: v0.9.1")
    assert kind(".pre-commit-config.yaml", before, before.replace(f"{COMMIT}  # frozen: v0.9.1", rev)) == wanted
    other = before.replace(COMMIT, LATER).replace("astral-sh/ruff", "mallory/ruff")
    assert kind(".pre-commit-config.yaml", before, other) == JUDGES


_UPGRADE = """repos:
  - repo: https://github.com/asottile/pyupgrade
    rev: v3.21.2
    hooks:
      - id: pyupgrade
        args: [--py38-plus, --keep-runtime-typing]
        files: ^(src/.*|(docs|tests)/conf\\.py)$
"""


@pytest.mark.parametrize(
    ("wanted", "old", "new"),
    [
        (SAME, "--py38-plus", "--py310-plus"),
        (WEAKER, "--py38-plus", "--py37-plus"),
        (WEAKER, "--py38-plus", "--help"),
        (WEAKER, "--py38-plus, --keep-runtime-typing", "--py310-plus"),
        (WEAKER, "--py38-plus, --keep-runtime-typing", "--py310-plus, --keep-percent-format"),
        (SAME, "(src/.*|", "(tools/.*|src/.*|"),
        (WEAKER, "(src/.*|", "("),
        (WEAKER, "(src/.*|", "(src/a.*|"),
        (WEAKER, "(src/.*|", "((?!x)src/.*|src/.*|"),
        (WEAKER, "(src/.*|", "(a)$|^(src/.*|"),
        (WEAKER, "^(src", "(src"),
    ],
)
def test_a_hook_that_takes_in_more(wanted: str, old: str, new: str) -> None:
    assert old in _UPGRADE
    assert kind(".pre-commit-config.yaml", _UPGRADE, _UPGRADE.replace(old, new)) == wanted
    if "--" in old:
        other = _UPGRADE.replace("id: pyupgrade", "id: other")
        assert kind(".pre-commit-config.yaml", other, other.replace(old, new)) == WEAKER
        alike = _UPGRADE.replace("id: pyupgrade", "id: reorder-python-imports")
        assert kind(".pre-commit-config.yaml", alike, alike.replace(old, new)) == wanted


@pytest.mark.parametrize("own", [GATE, LOCAL_GATE])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v0.1.0", "v0.2.0"),
        ("bin/gate git-hook", "gate git-hook --advisory"),
        ("      - id: gate-verify\n", "      - id: gate-verify\n        stages: [manual]\n"),
        (GATE, ""),
        (LOCAL_GATE, ""),
        ("exclude: ^vendored/", "exclude: .*"),
        ("exclude: ^vendored/", "exclude: ^vendored/\ndefault_install_hook_types: [pre-push]"),
    ],
)
def test_all_about_the_gates_own_hook_is_for_whoever_reviews_the_judges(own: str, old: str, new: str) -> None:
    before = CONFIG + own
    if old in before:
        assert kind(".pre-commit-config.yaml", before, before.replace(old, new)) == JUDGES
    assert kind(".pre-commit-config.yaml", CONFIG, before) == JUDGES
    assert kind(".pre-commit-config.yaml", before, before.replace("v0.9.1", "v0.9.2")) == SAME
    assert kind(".pre-commit-config.yaml", before, before.replace("      - id: ruff-format\n", "")) == WEAKER


def test_the_order_of_hooks_does_not_count() -> None:
    first, rest = CONFIG.split("  - repo: https://github.com/pre-commit/mirrors-mypy")
    mypy, others = rest.split("  - repo: https://github.com/rbubley")
    head, ruff = first.split("  # linters\n")
    turned = f"{head}  - repo: https://github.com/pre-commit/mirrors-mypy{mypy}{ruff}  - repo: https://github.com/rbubley{others}"
    assert turned != CONFIG
    assert kind(".pre-commit-config.yaml", CONFIG, turned) == SAME


def test_two_hooks_of_one_id_are_compared_by_what_they_say() -> None:
    hook = "      - id: ruff\n        args: [--select, {}]\n"
    before = CONFIG.replace("      - id: ruff-format\n", hook.format("E") + hook.format("S"))
    after = CONFIG.replace("      - id: ruff-format\n", hook.format("S") + hook.format("E"))
    assert kind(".pre-commit-config.yaml", before, after) == SAME


@pytest.mark.parametrize(
    ("path", "before", "after", "wanted"),
    [
        (".pre-commit-config.yaml", None, CONFIG, SAME),
        (".pre-commit-config.yaml", CONFIG, None, WEAKER),
        (".pre-commit-config.yaml", CONFIG + GATE, None, JUDGES),
        (".pre-commit-config.yml", None, CONFIG, JUDGES),
        ("prek.toml", None, "repos = []\n", JUDGES),
        ("prek.toml", PREK, PREK.replace("1.0", "1.1"), SAME),
        ("lefthook.yml", None, LEFTHOOK, JUDGES),
        ("lefthook-local.yml", LEFTHOOK, LEFTHOOK, JUDGES),
        (".husky/pre-commit", "x", "y", JUDGES),
    ],
)  # fmt: skip
def test_files_that_come_and_go(path: str, before: str | None, after: str | None, wanted: str) -> None:
    assert kind(path, before, after) == wanted


@pytest.mark.parametrize(
    ("wanted", "pairs"),
    [
        (SAME, [("    types:\n", "    format:\n      run: npx prettier --check .\n    types:\n")]),
        (SAME, [("parallel: true", "parallel: false"), ("output: [summary]", "output: [failure]")]),
        (SAME, [('      glob: "*.js"\n', "")]),
        (SAME, [("pre-commit:\n", "pre-push:\n  commands:\n    all:\n      run: npm test\npre-commit:\n")]),
        (WEAKER, [("    types:\n      run: npx tsc --noEmit\n", "")]),
        (WEAKER, [('glob: "*.js"', 'glob: "src/*.js"')]),
        (WEAKER, [("run: npx tsc --noEmit", "run: npx tsc --noEmit\n      skip: [merge, rebase]")]),
        (JUDGES, [("npx tsc --noEmit", "true")]),
        (JUDGES, [("pre-commit:\n", "pre-commit:\n  skip: true\n")]),
        (JUDGES, [("gate git-hook pre-commit", "gate git-hook --advisory pre-commit")]),
        (JUDGES, [("  jobs:\n    - name: gate\n      run: gate git-hook pre-commit\n", "")]),
        (JUDGES, [("output: [summary]", "output: [summary]\nextends: [other.yml]")]),
        (JUDGES, [("output: [summary]", "output: [summary]\nno_auto_install: true")]),
    ],
)
def test_lefthook(wanted: str, pairs: list[tuple[str, str]]) -> None:
    assert kind("lefthook.yml", LEFTHOOK, edited(LEFTHOOK, *pairs)) == wanted


def test_a_weakening_has_both_forms() -> None:
    (found,) = compare_hooks(".pre-commit-config.yaml", CONFIG.encode(), edited(CONFIG, ("--fix", "-q")).encode())
    assert (found.base, found.head) == ('{"args": ["--fix"]}', '{"args": ["-q"], "id": "ruff"}')


@pytest.mark.parametrize("path", [".pre-commit-config.yaml", "prek.toml", "lefthook.yml", "lefthook.json"])
@given(before=st.binary(max_size=200), after=st.binary(max_size=200))
def test_any_bytes_are_compared(path: str, before: bytes, after: bytes) -> None:
    assert isinstance(compare_hooks(path, before, after), tuple)


@pytest.mark.parametrize(
    "hostile",
    [
        "a: &a [1]\n"
        + "\n".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 9)).replace("*b0", "*a"),
        "repos: &r [*r]\n",
        "repos: " + "[" * 5000,
        "repos: [{repo: a, rev: '1', hooks: [" + "{id: x}," * 2000 + "]}]",
        "1: 2\nrepos: []\n",
        "repos: [{repo: a, rev: '1', hooks: [{id: x, 1: 2, b: 3}]}]",
        "- a\n",
        "",
    ],
)
def test_what_can_not_be_compared_is_for_whoever_reviews_the_judges(hostile: str) -> None:
    assert kind(".pre-commit-config.yaml", CONFIG, hostile) == JUDGES
