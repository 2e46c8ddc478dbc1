"""What an author of tools in TOML gets: a file to begin with, the words of a capability, faults with lines, warnings.

Programs: git, grep.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.support import forked_programs

CAP = """title = "Reverse"
command = "reverse"
[urn.tags]
op = "reverse"
out = "media:string"

[output]
media_spec = "media:nonsense"
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path / "work")], check=True)
    return tmp_path / "work"


def gate(here: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(here.parent), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    return forked_programs.gate(arguments, cwd=here, env=environ)


def _without_spaces(text: bytes) -> str:
    """The text of a message, however its lines are wrapped."""
    return "".join(text.decode().split())


def test_a_new_tool_works_at_once(here: Path) -> None:
    made = gate(here, "adapter", "new", "markers", "--language", "toml")
    assert made.returncode == 0, made.stderr
    assert (here / "adapters/markers/markers.toml").is_file()
    checked = gate(here, "adapter", "check", "adapters/markers", "--quiet")
    assert checked.stdout.startswith(b"CONFORMING  markers"), checked.stdout
    (here / "a.txt").write_text("one\n<<<<<<< ours\n")
    found = gate(here, "do", "check a.txt using markers", "--yes")
    assert found.stdout == b"a.txt:2:<<<<<<< ours\n"
    wrong = gate(here, "adapter", "new", "other", "--language", "toml", "--capability", "text:look")
    assert wrong.returncode == 2
    assert b"begin with its alias" in wrong.stderr


def test_the_words_of_a_capability_are_shown(here: Path) -> None:
    shown = gate(here, "adapters", "show", "imagemagick:scale-by")
    assert shown.returncode == 0, shown.stderr
    for text in (
        "triggers     scale, shrink, enlarge",
        "percent: required ARGUMENT quantity",
        "apt-get install imagemagick",
    ):
        assert text in shown.stdout.decode()
    document = json.loads(gate(here, "adapters", "show", "unix", "--json").stdout)
    assert {each["name"] for each in document["capabilities"]} >= {"unix:move", "unix:remove", "unix:mkdir"}
    unknown = gate(here, "adapters", "show", "unix:remov")
    assert unknown.returncode == 2
    assert b"did you mean 'remove'?" in unknown.stderr
    assert gate(here, "adapters").stdout.startswith(b"capability")


def test_a_refusal_names_where_the_words_are(here: Path) -> None:
    (here / "a.txt").touch()
    refused = gate(here, "do", "delete a.txt gently")
    assert refused.returncode == 2
    assert b"gate adapters show unix:remove" in refused.stderr


def test_a_broken_tool_stops_no_other(here: Path) -> None:
    (here / "adapters").mkdir()
    (here / "adapters/broken.toml").write_text('[adapter]\nname = "B"\naliases = ["b"]\n[[capabilities]]\nname = "x"\n')
    (here / "adapters/misspelt.toml").write_text('[adaptor]\nname = "M"\n[[capabilities]]\nname = "x"\n')
    (here / "a.txt").touch()
    done = gate(here, "do", "delete a.txt", "--yes")
    assert done.returncode == 0, done.stderr
    assert not (here / "a.txt").exists()
    assert b"broken.toml" in done.stderr
    assert b"misspelt.toml: it has the table [adaptor], and is no adapter" in done.stderr
    listed = gate(here, "adapters")
    assert listed.returncode == 2  # in a gate run a broken adapter of the repository is an error
    (here / "adapters/broken.toml").unlink()
    listed = gate(here, "adapters")
    assert listed.returncode == 0
    assert b"it has the table [adaptor]" in listed.stderr


def test_a_missing_program_is_named_with_what_installs_it(here: Path) -> None:
    (here / "a.md").write_text("# A\n")
    environ = {"PATH": "/nonexistent", "HOME": str(here.parent), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    done = forked_programs.gate(("do", "convert a.md to html", "--yes"), cwd=here, env=environ)
    assert done.returncode == 3
    assert b"pandoc is not installed" in done.stderr
    assert b"apt-get install pandoc" in done.stderr


def test_the_faults_of_a_cap_definition_have_lines(here: Path) -> None:
    folder = here / "adapters" / "text"
    folder.mkdir(parents=True)
    manifest = {"name": "text", "version": "1.0.0", "entry": "run", "capabilities": []}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "reverse.toml").write_text(CAP)
    assert "reverse.toml:8/output/media_spec" in _without_spaces(gate(here, "adapters").stderr)
    (folder / "reverse.toml").write_text(CAP.replace('command = "reverse"', "command = 5"))
    assert "reverse.toml:2/command" in _without_spaces(gate(here, "adapters").stderr)


def test_the_description_of_a_media_spec_is_shown(here: Path) -> None:
    folder = here / "adapters" / "text"
    folder.mkdir(parents=True)
    spec = {"media_type": "text/plain", "description": "A line of a poem"}
    capability = {"name": "text:poem", "outputs": [{"path": "poem.txt", "media_spec": "media:poem"}]}
    manifest = {"name": "text", "version": "1.0.0", "entry": "run", "capabilities": [capability]}
    (folder / "manifest.json").write_text(json.dumps({**manifest, "media_specs": {"media:poem": spec}}))
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    shown = gate(here, "media", "media:poem")
    assert b"A line of a poem" in shown.stdout, shown.stderr
    (meaning,) = json.loads(gate(here, "media", "media:poem", "--json").stdout)["meanings"]
    assert meaning["description"] == "A line of a poem"
