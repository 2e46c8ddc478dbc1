"""An adapter's name without an intent: its check if that can be said, else a question; never what writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_index import ToolFile, load_tool_index
from verigate.domain.origin import Origin
from verigate.requests.named_adapter import is_read_only
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import stem_text
from verigate.requests.working_folder import WorkingFolder

TOOLS = sorted((Path(__file__).parents[3] / "adapters" / "tools").glob("*.toml"))
INDEX = load_tool_index(
    [ToolFile(str(path), path.name, Origin.BUILTIN, path.read_bytes()) for path in TOOLS],
    read_tool,
    stem_text,
    "",
    None,
)[0]
FILES = (
    "archive/x",
    "src/a.py",
    "deploy.sh",
    "docs/guide.md",
    "requirements.txt",
    "conf.yaml",
    "talk.mp4",
    "Dockerfile",
    "b.tar",
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> WorkingFolder:
    folder = tmp_path_factory.mktemp("named")
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    return WorkingFolder(str(folder))


@pytest.mark.parametrize(
    ("words", "capability", "files"),
    [
        ("run ruff on src", "ruff:lint", ["src"]),
        ("ruff src", "ruff:lint", ["src"]),
        ("please run ruff over src", "ruff:lint", ["src"]),
        ("launch the linter ruff on src", "ruff:lint", ["src"]),
        ("src using ruff", "ruff:lint", ["src"]),
        ("use shellcheck on deploy.sh", "shellcheck:lint", ["deploy.sh"]),
        ("execute yamllint on conf.yaml", "yamllint:lint", ["conf.yaml"]),
        ("run the tool codespell over docs", "codespell:lint", ["docs"]),
        ("run detect-secrets on .", "detect-secrets:scan", ["."]),
        ("run pip-audit on requirements.txt", "pip-audit:audit", ["requirements.txt"]),
    ],
)
def test_it_means_the_check(here: WorkingFolder, words: str, capability: str, files: list[str]) -> None:
    selection = route_request(words, INDEX, here)
    assert selection.chosen is not None, selection.problem
    assert (selection.chosen.name, selection.chosen.given["source"]) == (capability, files)


@pytest.mark.parametrize(
    ("words", "problem", "hint"),
    [
        ("run ripgrep for TODO in src", "it can mean ripgrep:count, ripgrep:search", "'count', 'search'"),
        ("run git on src", "git:log, git:status", "use words that only one of them has"),
        ("run ffmpeg on talk.mp4", "ffmpeg:verify, ffmpeg:probe", "'verify', 'probe'"),
        ("run ruff", "ruff:lint: nothing fills source", "python files or folders"),
        ("run ripgrep for TODO in archive", "it can mean ripgrep:count, ripgrep:search", ""),
        ("run ruff on scr", "there is no scr", "did you mean src?"),
        ("run ruf on src", "no adapter knows what 'ruf' asks for", "did you mean ruff?"),
        ("run ruff and bandit on src", "it asks for two things: ruff, and bandit", "one at a time"),
        ("run ruff on everything except src", "nothing accounts for 'except'", ""),
        ("don't run ruff on src", "not wanted", ""),
        ("run unix on newdir", "unix has nothing", "mkdir (make, create, mkdir)"),
        ("frobnicate src using ruff", "ruff has nothing that these words ask for", "lint (lint, check)"),
        ("frobnicate ruff src", "no adapter knows what 'frobnicate' asks for", ""),
    ],
)
def test_it_is_asked_or_refused(here: WorkingFolder, words: str, problem: str, hint: str) -> None:
    selection = route_request(words, INDEX, here)
    assert selection.chosen is None
    assert problem in str(selection.problem)
    assert hint in str(selection.hint)


def test_with_an_intent_that_counts(here: WorkingFolder) -> None:
    chosen = route_request("run ruff on src and fix it", INDEX, here).chosen
    assert chosen is not None
    assert chosen.name == "ruff:fix"


NAMES = sorted(alias for alias in INDEX.aliases if not INDEX.find_by_stems(stem_text(alias)))
"""Without those that are triggers too: "tar" and "convert" say what to do."""


@settings(max_examples=2 * settings.default.max_examples)
@given(st.sampled_from(["run {} {}", "use {} on {}", "{} {}", "{1} using {0}"]), st.sampled_from(NAMES), st.data())
def test_nothing_that_writes_is_meant_by_a_name(here: WorkingFolder, form: str, name: str, data: st.DataObject) -> None:
    paths = data.draw(st.lists(st.sampled_from([*FILES, "src", "docs", ".", "'new name'", "to x.webm"]), max_size=3))
    chosen = route_request(form.format(name, " ".join(paths)), INDEX, here).chosen
    assert chosen is None or is_read_only(chosen.capability)
