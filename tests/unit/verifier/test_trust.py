"""Trust of run folders: what a user's own file holds stays, whoever else writes it, and however a run ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.errors import ExecutionError
from verigate.formats.jsonc import read_value
from verigate.usecases.remove_leftovers import remove_leftovers
from verigate.verifier.lifecycle.run_root import find_owning_root, hold_run_root, is_held, remove_root
from verigate.verifier.lifecycle.trust import TrustRegister
from verigate.verifier.lifecycle.trust_editors import EDITORS
from verigate.verifier.program import Trust
from verigate.verifier.programs.codex import PROGRAM as CODEX
from verigate.verifier.programs.gemini import PROGRAM as GEMINI

# A manifest may describe a file of any depth; Claude Code keeps what it trusts in one like this.
NESTED = Trust("~/.nested/state.json", "json", ("projects", "{run_dir}", "hasTrustDialogAccepted"), "yes")
TRUSTS = {"codex": CODEX.trust, "gemini": GEMINI.trust, "nested": NESTED}
OWN = {
    "codex": '# my own\nmodel = "x" # a remark\n\n[projects."/home/me/p"]\ntrust_level = "untrusted"\n\n'
    '[mcp_servers.a]\ncommand = "b"\n',
    "gemini": '{\n  // my own\n  "/home/me/p": "DO_NOT_TRUST", /* a remark */\n  "/b": "TRUST_PARENT"\n}\n',
    "nested": '{\n  "theme": "dark", // my own\n  "projects": {\n'
    '    "/home/me/p": {"hasTrustDialogAccepted": "no"} /* a remark */\n  }\n}\n',
}
ENTRY: dict[str, Callable[[str, str], object]] = {
    "codex": lambda text, folder: tomllib.loads(text).get("projects", {}).get(folder),
    "gemini": lambda text, folder: f'{json.dumps(folder)}: "TRUST_FOLDER"' in text or None,
    "nested": lambda text, folder: read_value(text.encode(), "x").get("projects", {}).get(folder),
}


def register(name: str, home: Path) -> TrustRegister:
    trust = TRUSTS[name]
    assert isinstance(trust, Trust)
    return TrustRegister(trust, {"HOME": str(home)})


@pytest.mark.parametrize("name", TRUSTS)
def test_an_entry_comes_and_goes_and_every_other_byte_stays(name: str, tmp_path: Path) -> None:
    trust = register(name, tmp_path)
    trust.path.parent.mkdir()
    trust.path.write_text(OWN[name])
    trust.path.chmod(0o640)
    trust.register("/run/a")
    trust.register("/run/b")
    during = trust.path.read_text()
    assert ENTRY[name](during, "/run/a") is not None
    assert "my own" in during
    assert "a remark" in during
    trust.unregister("/run/a")
    trust.unregister("/run/b")
    assert trust.path.read_text() == OWN[name]
    assert trust.path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", TRUSTS)
def test_a_file_that_a_run_made_goes_with_the_last_entry_and_another_stays(name: str, tmp_path: Path) -> None:
    first, second = register(name, tmp_path), register(name, tmp_path)
    home = {"HOME": str(tmp_path)}
    with hold_run_root(home, "/r", "T1") as one, hold_run_root(home, "/r", "T2") as two:
        first.register(f"{one}/x")
        second.register(f"{two}/x")
        first.unregister(f"{one}/x")
        assert ENTRY[name](first.path.read_text(), f"{two}/x") is not None
        second.unregister(f"{two}/x")
        assert list(first.path.parent.iterdir()) == []
        # What the user made stays, also where it says nothing, and so does what somebody added meanwhile.
        for content, added in (("" if name == "codex" else "{}", ""), (None, OWN[name])):
            if content is not None:
                first.path.write_text(content)
            first.register(f"{one}/x")
            if added:
                first.path.write_text(added)
            first.unregister(f"{one}/x")
            assert first.path.read_text().strip() == (added or content or "").strip()
            assert list(first.path.parent.iterdir()) == [first.path]
            first.path.unlink()


@pytest.mark.parametrize("name", TRUSTS)
def test_a_file_that_a_killed_run_made_goes_with_the_next_sweep(name: str, tmp_path: Path) -> None:
    with hold_run_root({"HOME": str(tmp_path)}, "/r", "T1") as root:
        register(name, tmp_path).register(f"{root}/x")
    trust = register(name, tmp_path)
    assert trust.path.exists()
    trust.sweep()
    assert list(trust.path.parent.iterdir()) == []


def leftovers(home: Path, *, sessions: bool = False, dry_run: bool = False) -> list[tuple[str, str]]:
    environ = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "PATH": "/usr/bin:/bin"}
    (home / "tmp").mkdir(exist_ok=True)
    found = remove_leftovers(environ, home / "repository", sessions=sessions, dry_run=dry_run)
    assert [item.problem for item in found if item.problem] == []
    return [(item.kind, item.detail or item.path) for item in found]


def test_what_finished_runs_left_is_removed_and_what_runs_stays(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert leftovers(tmp_path) == []
    with hold_run_root(home, "/r", "T1") as killed, hold_run_root(home, "/r", "T2") as kept:
        for name in TRUSTS:
            register(name, tmp_path).register(f"{killed}/x")
        (Path(kept) / "codex_cli.session.json").write_text("{}")
    temporary = tmp_path / "tmp/verigate-engine-run-t_abc"
    temporary.mkdir(parents=True)
    (temporary / ".held").touch()
    (tmp_path / "tmp/verigate-engine-run-t_new").mkdir()
    (tmp_path / "tmp/verigate-engine-run-t_link").symlink_to(tmp_path)
    with hold_run_root(home, "/r", "T3") as running:
        register("codex", tmp_path).register(f"{running}/x")
        wanted = [("trust", f"{killed}/x"), ("run", killed), ("run", str(temporary))]
        for dry_run in (True, False):
            found = leftovers(tmp_path, dry_run=dry_run)
            # The registration of the run above has swept codex' file already.
            assert sorted(found) == sorted(wanted)
            assert Path(killed).exists() is temporary.exists() is dry_run
        assert (Path(running).exists(), Path(kept).exists()) == (True, True)
        assert ENTRY["codex"](register("codex", tmp_path).path.read_text(), f"{running}/x") is not None
        assert not register("gemini", tmp_path).path.exists()
        assert leftovers(tmp_path, sessions=True) == [("run", kept)]
    assert (tmp_path / "tmp/verigate-engine-run-t_link").is_symlink()
    assert (tmp_path / "tmp/verigate-engine-run-t_new").exists()


def test_a_root_that_is_removed_while_somebody_waits_for_it_is_made_again(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    with hold_run_root(home, "/r", "T1") as root:
        assert not remove_root(Path(root))
        assert Path(root).exists()
    assert remove_root(Path(root))
    with hold_run_root(home, "/r", "T1") as again:
        assert again == root
        assert is_held(Path(root))


def test_a_file_of_trusted_folders_that_can_t_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini/trustedFolders.json").write_text("[]")
    found = remove_leftovers({"HOME": str(tmp_path)}, tmp_path / "r", sessions=False, dry_run=False)
    assert [(item.kind, bool(item.problem)) for item in found if item.kind == "trust"] == [("trust", True)]


@pytest.mark.parametrize("name", TRUSTS)
def test_the_entry_is_what_the_program_reads(name: str, tmp_path: Path) -> None:
    trust = register(name, tmp_path)
    trust.register('/run/it\'s "quoted" \\ too')
    text = trust.path.read_text()
    if name == "codex":
        assert tomllib.loads(text) == {"projects": {'/run/it\'s "quoted" \\ too': {"trust_level": "trusted"}}}
    elif name == "nested":
        entry = {"hasTrustDialogAccepted": "yes"}
        assert json.loads(text) == {"projects": {'/run/it\'s "quoted" \\ too': entry}}
    else:
        assert json.loads(text) == {'/run/it\'s "quoted" \\ too': "TRUST_FOLDER"}


@pytest.mark.parametrize("name", TRUSTS)
def test_a_file_that_is_a_link_stays_one(name: str, tmp_path: Path) -> None:
    trust = register(name, tmp_path)
    real = tmp_path / "dotfiles" / "file"
    real.parent.mkdir()
    real.write_text(OWN[name])
    trust.path.parent.mkdir()
    trust.path.symlink_to(real)
    trust.register("/run/a")
    assert trust.path.is_symlink()
    assert ENTRY[name](real.read_text(), "/run/a") is not None
    trust.unregister("/run/a")
    assert real.read_text() == OWN[name]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("codex", "= nothing"),
        ("gemini", "[1]"),
        ("gemini", "{"),
        ("gemini", '{"\\u12": 1}'),
        ("codex", "projects = 3\n"),
    ],
)
def test_a_file_that_can_t_be_read_is_left_alone_and_named(name: str, content: str, tmp_path: Path) -> None:
    trust = register(name, tmp_path)
    trust.path.parent.mkdir()
    trust.path.write_text(content)
    with pytest.raises(ExecutionError) as caught:
        trust.register("/run/a")
    assert caught.value.where == str(trust.path)
    assert trust.path.read_text() == content


@pytest.mark.parametrize("name", TRUSTS)
def test_twenty_runs_at_once_lose_nothing(name: str, tmp_path: Path) -> None:
    trust = register(name, tmp_path)
    trust.path.parent.mkdir()
    trust.path.write_text(OWN[name])

    def one(number: int) -> bool:
        mine = register(name, tmp_path)
        folder = f"/run/{number}"
        mine.register(folder)
        there = ENTRY[name](mine.path.read_text(), folder) is not None
        mine.unregister(folder)
        return there

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(one, range(20)))
    assert trust.path.read_text() == OWN[name]


_RUN = """
import os, sys
sys.path[:0] = {path!r}
from verigate.verifier.lifecycle.run_root import hold_run_root
from verigate.verifier.lifecycle.trust import TrustRegister
from verigate.verifier.program import Trust
import msgspec
environ = {{"HOME": {home!r}}}
with hold_run_root(environ, {home!r}, sys.argv[1]) as root:
    trust = TrustRegister(msgspec.json.decode({trust!r}, type=Trust), environ)
    trust.register(root + "/engine")
    print(root, flush=True)
    sys.stdin.read()
    trust.unregister(root + "/engine")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUSTS)
def test_entries_of_runs_that_were_killed_go_at_the_next_start_and_no_other(name: str, tmp_path: Path) -> None:
    """Twenty processes; half of them are killed by SIGKILL while they are registered."""
    trust = register(name, tmp_path)
    trust.path.parent.mkdir()
    trust.path.write_text(OWN[name])
    program = _RUN.format(
        path=[entry for entry in sys.path if entry], trust=msgspec.json.encode(TRUSTS[name]), home=str(tmp_path)
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", program, f"T{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(20)
    ]
    folders = []
    for run in runs:
        assert run.stdout is not None
        folders.append(f"{run.stdout.readline().strip()}/engine")
    assert all(ENTRY[name](trust.path.read_text(), folder) is not None for folder in folders)
    for run in runs[:10]:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    trust.register("/run/next")
    text = trust.path.read_text()
    assert [ENTRY[name](text, folder) is not None for folder in folders] == [False] * 10 + [True] * 10
    for run in runs[10:]:
        run.communicate("")
        assert run.returncode == 0
    for run in runs[:10]:
        run.communicate()
    trust.unregister("/run/next")
    assert trust.path.read_text() == OWN[name]


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=20)


@given(
    st.dictionaries(KEYS, st.sampled_from(["TRUST_FOLDER", "DO_NOT_TRUST"]), max_size=4),
    KEYS,
    st.sampled_from([None, 1, 4]),
)
def test_json_edits_keep_the_data_of_others(others: dict[str, str], name: str, indent: int | None) -> None:
    editor = EDITORS["json"]
    content = json.dumps(others, indent=indent, ensure_ascii=False)
    added = editor.add(content, (name,), "X")
    assert json.loads(added) == {**others, name: "X"}
    assert json.loads(editor.remove(added, (name,))) == {key: value for key, value in others.items() if key != name}
    assert set(editor.members(added, ())) == {*others, name}


@given(
    st.dictionaries(KEYS, st.sampled_from(["trusted", "untrusted"]), max_size=4),
    KEYS,
    st.sampled_from(["", "a = 1\n", "# x"]),
)
def test_toml_edits_keep_the_data_of_others(others: dict[str, str], name: str, head: str) -> None:
    editor = EDITORS["toml"]
    content = head + "".join(
        f"\n[projects.{json.dumps(key, ensure_ascii=False)}]\ntrust_level = {json.dumps(value)}\n"
        for key, value in others.items()
    )
    added = editor.add(content, ("projects", name, "trust_level"), "trusted")
    levels = {key: {"trust_level": value} for key, value in others.items()}
    assert tomllib.loads(added)["projects"] == {**levels, name: {"trust_level": "trusted"}}
    removed = tomllib.loads(editor.remove(added, ("projects", name, "trust_level")))
    assert removed.get("projects", {}) == {key: value for key, value in levels.items() if key != name}


JSON_REMOVALS = {
    "only": ('{"a": 1}', "{}"),
    "first": ('{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'),
    "last": ('{\n  "b": 2,\n  "a": 1\n}', '{\n  "b": 2\n}'),
    "a comment behind its comma stays": ('{"a": 1, // of a\n "b": 2}', '{ // of a\n "b": 2}'),
    "a comment before it stays": ('{"b": 2, /* of a */ "a": 1}', '{"b": 2 /* of a */}'),
    "twice": ('{"a": 1, "b": 2, "a": 3}', '{ "b": 2}'),
    "none": ('{"b": 2}', '{"b": 2}'),
}


NESTED_REMOVALS = {
    "the only one": ('{"t": {"a": {"x": 1}}}', "{}"),
    "one of two": ('{"t": {"a": {"x": 1}, "b": 2}}', '{"t": { "b": 2}}'),
    "another member stays": ('{"t": {"a": {"x": 1, "y": 2}}}', '{"t": {"a": { "y": 2}}}'),
    "a comment stays, and what it is in": ('{"t": {"a": {"x": 1 /* c */}}}', '{"t": {"a": { /* c */}}}'),
    "twice": ('{"t": {"a": {"x": 1}}, "t": {"a": {"x": 2}}, "u": 1}', '{ "u": 1}'),
    "no table there": ('{"t": [1]}', '{"t": [1]}'),
    "nothing there": ('{"t": {"b": {"x": 1}}}', '{"t": {"b": {"x": 1}}}'),
}


@pytest.mark.parametrize("case", NESTED_REMOVALS)
def test_members_of_members_are_removed_from_json(case: str) -> None:
    before, after = NESTED_REMOVALS[case]
    assert EDITORS["json"].remove(before, ("t", "a", "x")) == after


def test_a_table_of_another_type_is_left_alone() -> None:
    with pytest.raises(ValueError, match="must be an object"):
        EDITORS["json"].add('{"t": 1}', ("t", "a"), "x")


@given(st.dictionaries(KEYS, st.dictionaries(KEYS, st.integers(), max_size=3), max_size=4), KEYS, KEYS)
def test_nested_json_edits_keep_the_data_of_others(others: dict[str, dict[str, int]], table: str, name: str) -> None:
    editor = EDITORS["json"]
    content = json.dumps(others, indent=2, ensure_ascii=False)
    added = editor.add(content, (table, name), "X")
    assert json.loads(added) == {**others, table: {**others.get(table, {}), name: "X"}}
    assert set(editor.members(added, (table,))) == {*others.get(table, {}), name}
    left = {key: value for key, value in others.get(table, {}).items() if key != name}
    kept = {key: value for key, value in others.items() if key != table}
    assert json.loads(editor.remove(added, (table, name))) == ({**kept, table: left} if left else kept)


@pytest.mark.parametrize("case", JSON_REMOVALS)
def test_members_are_removed_from_json(case: str) -> None:
    before, after = JSON_REMOVALS[case]
    assert EDITORS["json"].remove(before, ("a",)) == after


# Run roots

ROOTS = {
    "/home/me/.local/state/verigate/engines/verigate-engine-run-0a1b/codex_cli": True,
    "/var/verigate-engine-run-t_ab12/codex_cli": True,
    "/home/me/project": False,
    "/home/me/verigate-engine-run-x/deeper/codex_cli": False,
    "verigate-engine-run-0a1b/codex_cli": False,
    "": False,
}


@pytest.mark.parametrize("path", ROOTS)
def test_only_run_folders_of_ours_are_swept(path: str) -> None:
    assert (find_owning_root(path) is not None) is ROOTS[path]


def test_a_run_root_is_the_same_each_time_and_never_two_runs(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    with hold_run_root(environ, "/repo", "T1") as first:
        assert is_held(Path(first))
        assert Path(first).parent == tmp_path / ".local/state/verigate/engines"
        assert Path(first).stat().st_mode & 0o777 == 0o700
        with hold_run_root(environ, "/repo", "T1") as second:
            assert second != first
        assert not Path(second).exists()
        with hold_run_root(environ, "/repo", "T2") as other:
            assert other != first
    assert not is_held(Path(first))
    with hold_run_root(environ, "/repo", "T1") as again:
        assert again == first


def test_without_a_home_a_run_root_is_temporary() -> None:
    with hold_run_root({}, "/repo", "T1") as root:
        assert Path(root).is_dir()
    assert not Path(root).exists()


def test_a_run_root_never_lies_in_the_repository(tmp_path: Path) -> None:
    with hold_run_root({"HOME": str(tmp_path)}, str(tmp_path), "T1") as root:
        assert not Path(root).is_relative_to(tmp_path)
    assert not Path(root).exists()
    assert not list(tmp_path.iterdir())


def test_run_roots_of_long_ago_go_and_what_runs_stays(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    with hold_run_root(environ, "/repo", "running") as running:
        with hold_run_root(environ, "/repo", "old") as old:
            pass
        for root in (running, old):
            os.utime(root, (0, 0))
        with hold_run_root(environ, "/repo", "new"):
            assert Path(running).exists()
            assert not Path(old).exists()
