"""The schema of tool adapters in editors: taplo, which Even Better TOML is made of, on valid and invalid files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import editor_schemas
import pytest
from tool_documents import UNIX

ROOT = Path(__file__).parents[2]
TAPLO = Path(sys.prefix) / "bin" / "taplo"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The files that wire the schema, in a folder of their own."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "adapters" / "tools").mkdir(parents=True)
    shutil.copy(ROOT / ".taplo.toml", tmp_path)
    for name in ("adapter.schema.json", "adapter-toml.schema.json"):
        shutil.copy(ROOT / "schemas" / name, tmp_path / "schemas")
    return tmp_path


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run((TAPLO, "check"), cwd=folder, capture_output=True, text=True, check=False)


def test_the_example_and_all_shipped_files_are_valid(repository: Path) -> None:
    (repository / "adapters" / "unix.toml").write_text(UNIX)
    for path in (ROOT / "adapters" / "tools").glob("*.toml"):
        shutil.copy(path, repository / "adapters" / "tools")
    done = check(repository)
    assert done.returncode == 0, done.stderr
    assert "total=18" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('category = "TARGET"', 'category = "TARGETS"', '"TARGETS" is not one of'),
        ("destructive = true", 'destructive = "yes"', '"yes" is not of type "boolean"'),
        (', flag = "-v"', "", '"flag" is a required property'),
        ('match       = "any"', 'match = "any"\nextensions = [".x"]', "is not allowed"),
        ('match       = "any"', "", '"match" is a required property'),
        ('expansion = "inline", ', "", '"expansion" is a required property'),
        ('desc = "Files to move"', 'descr = "Files to move"', "Additional properties are not allowed"),
        (
            'type = "boolean", required = false, default = false',
            'type = "enum", required = false',
            '"values" is a required',
        ),
        ("required = true, cardinality = 1", 'required = true, default = "x"', "is not allowed"),
        ('aliases = ["unix", "filesystem", "fs"]', "aliases = []", "has less than 1 item"),
    ],
)
def test_what_is_invalid_is_underlined(old: str, new: str, said: str, repository: Path) -> None:
    broken = UNIX.replace(old, new)
    assert broken != UNIX
    (repository / "adapters" / "unix.toml").write_text(broken)
    done = check(repository)
    assert done.returncode != 0
    assert said in done.stderr, done.stderr


CAP = """title = "Reverse"
command = "reverse"
[urn.tags]
op = "reverse"
out = "media:string"
[output]
media_spec = "media:string"
"""


def test_a_cap_definition_has_its_own_schema(repository: Path) -> None:
    (repository / "adapters" / "text").mkdir()
    path = repository / "adapters" / "text" / "reverse.toml"
    path.write_text(CAP)
    assert check(repository).returncode == 0
    path.write_text(CAP.replace('title = "Reverse"', 'titel = "Reverse"'))
    done = check(repository)
    assert done.returncode != 0
    assert '"title" is a required property' in done.stderr


def test_the_schema_of_both_is_made_from_those_of_each() -> None:
    assert editor_schemas.FILE.read_text() == editor_schemas.text()


def test_editors_are_told_of_the_schema() -> None:
    settings = json.loads((ROOT / ".vscode" / "settings.json").read_text())
    (association,) = settings["evenBetterToml.schema.associations"].values()
    assert (ROOT / association).is_file()
    assert (ROOT / settings["evenBetterToml.taplo.configFile.path"]).is_file()
