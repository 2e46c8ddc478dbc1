"""What the pages say about the program is so: generated parts, links, examples, codes, environment."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
import document_console as console
import document_parts as parts
import pytest

from verigate.cli.app import COMMANDS
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.validation import find_unknown_keys, validate
from verigate.domain.rules import RULES
from verigate.domain.task_folder import RESERVED_NAMES
from verigate.domain.verdict import Status
from verigate.errors import Interrupted, UsageError
from verigate.gate.rules import JUDGES
from verigate.processes.environment import Folders, Identity, build_environment
from verigate.reporting.exit_codes import EXIT_CODES, format_exit_codes
from verigate.reporting.reasons import GATE_CHECKS, REASONS

PAGES = {str(path.relative_to(parts.ROOT)): path for path in parts.pages()}
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def text(name: str) -> str:
    return PAGES[name].read_text("utf-8")


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", _FENCED.sub("", path.read_text("utf-8")), re.MULTILINE):
        kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        found.add(kept.replace(" ", "-"))
    return found


def first_cells(page: str, heading: str) -> list[str]:
    """The code in the first cells of the tables below a heading."""
    section = re.split(rf"^#+ {re.escape(heading)}$", text(page), flags=re.MULTILINE)[1]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


@pytest.mark.parametrize("name", PAGES)
def test_generated_parts_are_what_the_program_makes(name: str) -> None:
    assert parts.renewed(text(name)) == text(name), "run .venv/bin/python tests/support/document_parts.py"


def test_every_part_stands_on_a_page() -> None:
    used = {found[2] for path in PAGES.values() for found in parts.PART.finditer(path.read_text("utf-8"))}
    assert used == set(parts.PARTS)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    page = PAGES[name]
    broken = []
    for link in _LINK.findall(_FENCED.sub("", page.read_text("utf-8"))):
        if link.startswith("https://"):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("name", PAGES)
def test_examples_are_valid(name: str) -> None:
    for block in console.read_page(PAGES[name]).blocks:
        if block.language != "json":
            continue
        document = json.loads(block.text)
        if block.schema is not None:
            assert validate(block.schema, document) == (), f"{name}:{block.line}"
            assert find_unknown_keys(block.schema, document) == (), f"{name}:{block.line}"


def test_the_pages_have_examples_of_each_kind_of_file() -> None:
    kinds = {block.schema for path in PAGES.values() for block in console.read_page(path).blocks}
    assert {"plan", "profiles", "adapters", "commitment", "claim", "manifest"} <= kinds


NO_CODE = re.compile(
    r"(?:GATE|GIT|XDG|NVM|JAVA|MAVEN|GRADLE|CARGO|RUSTUP|PYENV|POETRY|UV|SSL|CURL|REQUESTS|PIP|SSH|DBUS|VERIGATE|VIRTUAL|SOURCE|NODE)_"
    r"\w+|NO_COLOR|LC_ALL|(?:HTTPS?|NO|ALL)_PROXY"
    r"|NOT_FETCHED|NETWORK_FORBIDDEN|UNSUPPORTED_SCHEME"
)
"""Names of environment variables, and statuses of links."""


def constants(*packages: str) -> set[str]:
    """Every text that stands in the source of ``packages``; of a text with parts, the first."""
    found = set()
    for package in packages:
        for path in (parts.ROOT / "src" / "verigate" / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    return found


def test_every_reason_code_is_told_and_no_other() -> None:
    written = {text for text in constants("gate", "execution", "evidence", "planning") if _CODE.fullmatch(text)}
    given = {name for name in written if not NO_CODE.fullmatch(name)}
    others = {code for code, text in REASONS.items() if text.source in {"reserved", "reports"}}
    assert given == set(REASONS) - others, "a reason code needs a line in reporting/reasons.py"
    assert all(text.meaning for text in REASONS.values())


def test_every_check_of_the_gate_s_own_is_told_and_no_other() -> None:
    form = re.compile(r"(?:gate|claim|units)\.[a-z_]+|(?:capability|unit|weakening):|custom\.")
    files = {"claim.json", "gate.json"}
    given = {text for text in constants("gate", "reporting") if form.fullmatch(text)} - files
    assert given == set(GATE_CHECKS), "a check needs a line in reporting/reasons.py"


def test_every_rule_of_every_domain_is_a_rule_key() -> None:
    own = {"required_artifacts", "rules"}
    assert set(JUDGES) | own == {key for key, spec in RULES.items() if not spec.setting}


def test_every_exit_code_is_told_and_no_other() -> None:
    ends = {status.exit_code: status.value for status in Status}
    ends |= {UsageError.exit_code: "usage or configuration", Interrupted.exit_code: "interrupted"}
    assert {code: text.name for code, text in EXIT_CODES.items()} == ends
    assert {error.exit_code for error in parts.errors()} <= set(EXIT_CODES)
    readme = {int(code) for code in re.findall(r"^\| (\d+) \|", text("README.md"), re.MULTILINE)}
    ci = {int(code) for code in re.findall(r"^\| (\d+) \|", text("docs/ci.md"), re.MULTILINE)}
    assert readme == ci == set(EXIT_CODES)
    assert format_exit_codes() in re.sub(r"\s+", " ", text("README.md"))


@pytest.mark.parametrize("path", [path for name in COMMANDS for path in parts.command_paths(name)], ids=" ".join)
def test_every_option_and_argument_of_a_command_is_told(path: tuple[str, ...]) -> None:
    command, _ = parts.command_at(path)
    assert command.help
    said = re.sub(r"\s+", " ", command.help)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.opts
        else:
            assert str(parameter.name).upper().removesuffix("_ID") in said, parameter.name


def test_the_environment_of_an_adapter_is_the_one_that_is_told(tmp_path: Path) -> None:
    told = set(first_cells("docs/adapters.md", "The environment"))
    kept = {"GOFLAGS", "NVM_DIR", "JAVA_HOME", "GOROOT", "SOURCE_DATE_EPOCH", "USER", "LOGNAME"}
    homes = {"CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "GOPATH", "GOMODCACHE", "GRADLE_USER_HOME", "COREPACK_HOME"}
    caller = dict.fromkeys(kept, "x") | dict.fromkeys(homes, str(tmp_path)) | {"OTHER": "x", "SECRET_TOKEN": "x"}
    given = build_environment(
        caller,
        Identity("t", "/r", "", "p", "{}", "/py"),
        Folders("/h", "/t", "/b", ("/e",), {"PATH": "/p"}, "/g"),
        network=False,
    )
    assert told == set(given)


def test_the_gate_s_own_names_are_told() -> None:
    said = text("docs/adapters.md").split("The gate's names:", 1)[1].split("\n\n", 1)[0]
    assert set(re.findall(r"`([^`]+)`", said)) == RESERVED_NAMES


def test_every_decision_is_listed() -> None:
    folder = parts.ROOT / "docs" / "decisions"
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert re.findall(r"\(([0-9][^)]*\.md)\)", text("docs/decisions/README.md")) == pages
    for name in pages:
        headings = re.findall(r"^## (.+)$", (folder / name).read_text("utf-8"), re.MULTILINE)
        assert headings == ["Context", "Decision", "Consequences"], name


def test_the_hooks_that_are_offered_are_the_ones_that_are_told() -> None:
    offered = re.findall(r"^- id: (\S+)", (parts.ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE)
    # The last one, after the commit, is left out of the example as `gate install` leaves it out.
    assert re.findall(r"^      - id: (\S+)", text("docs/git-hooks.md"), re.MULTILINE) == offered[:-1]
    assert f"`{offered[-1]}`" in text("docs/git-hooks.md")


def test_this_repository_s_own_adapter_configuration_ships_to_nobody(tmp_path: Path) -> None:
    builtin = find_builtin_root()
    assert load_configuration(builtin, builtin).adapters.own["code"]["tests"]
    assert load_configuration(tmp_path, builtin).adapters.merged == {}


def test_no_example_puts_a_secret_into_the_arguments_of_curl() -> None:
    """Every user of a machine can read the arguments of its programs; a shell's own printf has none."""
    found = [
        (name, call)
        for name, path in PAGES.items()
        for block in _FENCED.findall(path.read_text("utf-8"))
        for call in re.findall(r"\bcurl\b(?:[^\n]*\\\n)*[^\n]*", block)
    ]
    assert [each for each in found if re.search(r"(?i)authorization|bearer|token:|\s(-u|--user)\s", each[1])] == []
    assert any("@token.header" in call for _, call in found)
