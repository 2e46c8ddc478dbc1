"""Capabilities that declare what they read: their evidence holds while that is the same, and nothing else is there."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository
from shell_adapter import shell_adapter

from content_adapter.reading.formats import SUFFIXES as TEXTS
from content_adapter.reading.linked_sheets import is_declared
from verigate.formats.path_patterns import match_paths
from verigate.sdk.languages import SUFFIXES

ADAPTERS = Path(__file__).parents[2] / "adapters"
NAMES = ["code:functions", "content:scan", "content:wordcount", "content:headings"]
TEXT_NAMES = set(NAMES[1:])


def find_declaration(name: str) -> dict[str, Any]:
    document = json.loads((ADAPTERS / name.partition(":")[0] / "manifest.json").read_bytes())
    (found,) = (each for each in document["capabilities"] if each["name"] == name)
    return dict(found)


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    made = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    made.tmp.mkdir(parents=True)
    entry = {"order": NAMES, "required": NAMES, "optional": []}
    made.put("config/adapter-plan.json", {"code": entry})
    made.put("config/verification.profiles.json", {"code_default": {}})
    made.put("calc.py", "def add(a, b):\n    return a + b\n")
    made.put("docs/guide.md", "# Guide\n\nSome words.\n")
    made.put("docs/page.html", "<h1>Page</h1><link rel=stylesheet href=style.css><p>shown <b class=x>hidden</b></p>")
    made.put("docs/style.css", ".x { display: none }\n")
    made.put("data.csv", "1\n")
    made.put(".gitignore", ".artifacts/\n")
    made.sample.commit("base")
    made.put("calc.py", "def add(a, b):\n    return b + a\n")
    return made


def verify(repository: gr.GatedRepository, *, within_the_hour: bool = False, **environ: str) -> set[str]:
    """The capabilities that ran."""
    if not within_the_hour:
        shutil.rmtree(repository.home / ".cache/verigate/runs", ignore_errors=True)
    done = repository.gate("verify", "--quiet", **environ)
    assert done.code in {1, 4}, done.output  # no rule decides anything; a change of the configuration is refuted
    calls = repository.published("run.json", "implicit")["invocations"]
    assert [call["failure"] for call in calls] == [None] * len(NAMES)
    return {call["capability"] for call in calls if not call["cached"]}


def read_evidence(repository: gr.GatedRepository) -> dict[str, bytes]:
    folder = repository.root / ".artifacts/implicit"
    names = (
        "functions.json",
        "functions.meta.json",
        *(f"content/{each.partition(':')[2]}.json" for each in TEXT_NAMES),
    )
    return {name: (folder / name).read_bytes() for name in names}


def test_an_edit_runs_only_what_reads_the_file(repository: gr.GatedRepository) -> None:
    assert verify(repository) == set(NAMES)
    steps = [
        ("data.csv", "2\n", set[str]()),
        ("calc.py", "def add(a, b):\n    return a + b + 0\n", {"code:functions"}),
        ("docs/guide.md", "# Guide\n\nSome more words.\n", TEXT_NAMES),
        ("docs/style.css", "", TEXT_NAMES),
        ("docs/.gitattributes", "*.md text eol=crlf\n", set(NAMES)),
        ("data.csv", "3\n", set[str]()),
    ]
    for path, content, expected in steps:
        repository.put(path, content)
        assert verify(repository) == expected, path
        served = read_evidence(repository)
        done = repository.gate("verify", "--quiet", "--no-cache")
        assert done.code in {0, 4}, done.output
        assert read_evidence(repository) == served, path
    repository.put("data.csv", "4\n")
    assert verify(repository, within_the_hour=True) == set()
    # All of them see the base: functions are compared with it, and a task may be about changed texts.
    repository.sample.commit("another base")
    repository.put("data.csv", "5\n")
    assert verify(repository) == set(NAMES)


def test_another_claim_runs_only_what_sees_it_and_another_gate_everything(repository: gr.GatedRepository) -> None:
    verify(repository)
    config = {"content": {"count_code": "all"}}
    repository.put("config/adapters.json", config)
    assert verify(repository) == TEXT_NAMES
    # With the PATH the tools may be others.
    (repository.home / "bin").mkdir()
    path = f"{repository.home / 'bin'}:{repository.environ()['PATH']}"
    assert verify(repository, PATH=path) == set(NAMES)


def test_a_changed_entry_is_not_served(repository: gr.GatedRepository) -> None:
    verify(repository)
    for entry in (repository.home / ".cache/verigate/evidence").glob("*/*"):
        entry.write_bytes(entry.read_bytes().replace(b'"key"', b'"kez"'))
    assert verify(repository) == set(NAMES)


READER = shell_adapter("{reads}", """printf '{{"words": "%s"}}' "$(cat work.txt)" > "$folder/words.json\"""")


@pytest.mark.parametrize(
    "reads",
    [
        "cat README.md",
        'cat "$GATE_REPO_ROOT/docs/guide.md"',
        "cat README.md < /dev/null; git ls-files --error-unmatch README.md",
        "git ls-files --error-unmatch README.md",
        "git rev-parse --verify HEAD",
        "git cat-file -p HEAD:README.md",
        "cat {tmp}/*/work/*/README.md",
        "cat .venv/pyvenv.cfg",
    ],
)
def test_a_read_of_what_is_not_declared_is_an_error(tmp_path: Path, reads: str) -> None:
    made = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    made.tmp.mkdir(parents=True)
    declared = {"name": "my:check", "inputs": ["*.txt"], "needs": [], "sees": [], "outputs": [{"path": "words.json"}]}
    manifest = {"name": "my", "version": "1.0.0", "entry": "run", "capabilities": [declared]}
    made.put("adapters/my/manifest.json", {**manifest, "sandbox": {"tools": ["git"], "timeout": 60}})
    script = READER.format(reads=reads.format(tmp=made.tmp))
    made.sample.write("adapters/my/run", script, executable=True)
    entry = {"order": ["my:check"], "required": ["my:check"], "optional": []}
    made.put("config/adapter-plan.json", {"code": entry})
    made.put("config/verification.profiles.json", {"code_default": {}})
    made.put(".gitignore", ".artifacts/\n.venv/\n")
    made.put("README.md", "read me\n")
    made.put("docs/guide.md", "guide\n")
    made.put(".venv/pyvenv.cfg", "home = /usr/bin\n")
    made.put("work.txt", "one\n")
    made.sample.commit("base")
    made.put("work.txt", "two\n")
    done = made.gate("verify", "--quiet")
    assert done.code == 3, done.output
    (call,) = made.published("run.json", "implicit")["invocations"]
    assert call["failure"]["reason"] == "ADAPTER_CRASH", call
    # The same adapter without that read works, and is served while what it declares is the same.
    made.sample.write("adapters/my/run", READER.format(reads=":"), executable=True)
    made.sample.commit("the adapter reads what it declares")
    made.put("work.txt", "three\n")
    assert made.gate("verify", "--quiet").code == 4
    made.put("README.md", "changed\n")
    assert made.gate("verify", "--quiet").code == 4
    (call,) = made.published("run.json", "implicit")["invocations"]
    assert call["cached"] is True


def test_the_manifests_declare_what_the_adapters_read() -> None:
    declared = match_paths(find_declaration("code:functions")["inputs"])
    assert all(declared(f"a/b{suffix.upper()}".encode()) for suffix in SUFFIXES)
    for name in TEXT_NAMES:
        matches = match_paths(find_declaration(name)["inputs"])
        names = [*(f"docs/x{suffix}" for suffix in TEXTS), "s.css", "S.CSS", "{{ x }}", "a/<%= b %>.js", "$x/y", "x/$y"]
        assert [path for path in names if is_declared(path) and not matches(path.encode())] == []
        assert not is_declared("docs/style.less")


def test_after_an_edit_the_facts_about_other_files_are_used(repository: gr.GatedRepository) -> None:
    verify(repository)
    before = read_facts(repository)
    assert before
    repository.put("docs/guide.md", "# Guide\n\nOther words, and more of them.\n")
    assert verify(repository) == TEXT_NAMES
    served = read_evidence(repository)
    # One page is new, the older one is still known, and the page with a sheet isn't among them.
    assert read_facts(repository) == sorted(count + 1 if count == 1 else count for count in before)
    repository.gate("verify", "--quiet", "--no-cache")
    assert read_evidence(repository) == served


def read_facts(repository: gr.GatedRepository) -> list[int]:
    """How many facts each capability has."""
    found = []
    for entry in (repository.home / ".cache/verigate/evidence").glob("*/*"):
        files = json.loads(entry.read_bytes()[64:])["files"]
        if "facts" in files:
            found.append(len(json.loads(base64.b64decode(files["facts"]))))
    return sorted(found)
