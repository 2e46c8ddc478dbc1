"""Settings of agents' hosts: what is added, what stays byte for byte, what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.errors import ExecutionError, UsageError
from verigate.formats import jsonc
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.command import MARKER, is_ours
from verigate.integrations.agents.record import state_folder
from verigate.integrations.agents.settings import AgentAction, AgentChange, install, is_installed, uninstall

GATE = ("/opt/verigate/bin/gate",)
FOREIGN = '{"hooks": [{"type": "command", "command": "theirs"}]}'
OURS = f"sh -c 'x' '{MARKER}' '/opt/verigate/bin/gate' 'claude' 'stop'"
ADDITION = {"version": 1, "hooks": {"Stop": [{"hooks": [{"command": OURS}]}], "After": [{"command": OURS}]}}

SETTINGS = (
    b"",
    b"\n",
    b"{}",
    b"{ }\n",
    b"{\n}\n",
    b'{"a": 1}',
    b'{"hooks": {}}',
    b'{"hooks": {"Stop": []}, "version": 2}\n',
    b'{"hooks":{"Stop":[%s],"x":[1,2]},"z":3}\n' % FOREIGN.encode(),
    b'// top\n{\n\t"a": 1, // one\n\t/* two */\n\t"hooks": {\n\t\t"Stop": [ // mine\n\t\t\t%s // last\n\t\t]\n\t} '
    b"// end\n} // after\n" % FOREIGN.encode(),
    b"{\n  // only a comment\n}\n",
    b'{\r\n    "b": [1,\r\n 2],\r\n    "hooks": {"Stop": [\r\n      {"q": "\xc3\xa9 // no comment"}\r\n    ]}\r\n}\r\n',
    b'{\n  "a": 1 }',
    b'{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}, {"command": "theirs too"}]}]}}',
)


def put(root: Path, content: bytes | None, path: str = ".claude/settings.json") -> Path:
    target = root / path
    if content is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return target


def environ(root: Path) -> dict[str, str]:
    return {"HOME": str(root.parent / "home")}


def installed(
    root: Path, name: str = "claude", launcher: tuple[str, ...] = GATE, *, attempts: int = 5, **more: Any
) -> AgentChange:
    return install(root, HOSTS[name], launcher=launcher, attempts=attempts, environ=environ(root), **more)


def removed(root: Path, name: str = "claude") -> AgentChange:
    return uninstall(root, HOSTS[name], environ=environ(root))


ALONE = ("aider", "cline")
"""Their files aren't shared, and somebody else's may have the name: see test_agent_hosts."""


@pytest.mark.parametrize(
    ("name", "before"),
    [(name, before) for name in HOSTS for before in (None, *SETTINGS) if before is None or name not in ALONE],
    ids=lambda value: repr(value)[:40],
)
def test_installed_twice_and_uninstalled(name: str, before: bytes | None, tmp_path: Path) -> None:
    host, root = HOSTS[name], tmp_path / "repository"
    root.mkdir()
    target = put(root, before, host.settings)
    assert installed(root, name).action is AgentAction.INSTALLED
    once = target.read_bytes()
    assert is_installed(root, host)
    assert installed(root, name).action is AgentAction.UNCHANGED
    assert target.read_bytes() == once
    # How often an agent is blocked says nothing to a host that never holds it back.
    other = AgentAction.UPDATED if host.declared.holds_turns else AgentAction.UNCHANGED
    assert installed(root, name, attempts=2).action is other
    assert removed(root, name).action is (AgentAction.REMOVED if before is None else AgentAction.RESTORED)
    assert (target.read_bytes() if target.exists() else None) == before
    assert removed(root, name).action is AgentAction.LEFT
    if before is None:
        assert not list(root.iterdir())


@pytest.mark.parametrize("before", SETTINGS[5:], ids=lambda content: repr(content)[:40])
def test_what_was_there_is_there_in_its_order(before: bytes, tmp_path: Path) -> None:
    target = put(tmp_path, before)
    installed(tmp_path)
    after = target.read_bytes()
    following = iter(after)
    assert all(byte in following for byte in before)
    kept = jsonc.read_value(before, "s")
    now = jsonc.read_value(after, "s")
    assert {key: value for key, value in now.items() if key != "hooks"} == {
        key: value for key, value in kept.items() if key != "hooks"
    }
    for event, entries in kept.get("hooks", {}).items():
        assert now["hooks"][event][: len(entries)] == entries


@pytest.mark.parametrize("name", HOSTS)
def test_the_settings_of_a_project_hold_no_path_of_this_machine(name: str, tmp_path: Path) -> None:
    root, link = tmp_path / "repository", tmp_path / "home/.local/state/verigate/gate"
    root.mkdir()
    installed(root, name, dry_run=True)
    assert not link.parent.exists()
    installed(root, name)
    written = (root / HOSTS[name].settings).read_bytes()
    assert GATE[0].encode() not in written
    assert str(tmp_path).encode() not in written
    assert str(link.readlink()) == GATE[0]
    # The same bytes on the machine of a colleague, who installs another gate.
    assert installed(root, name, ("/elsewhere/gate",)).action is AgentAction.UNCHANGED
    assert str(link.readlink()) == "/elsewhere/gate"


def test_what_others_changed_since_stays(tmp_path: Path) -> None:
    target = put(tmp_path, b'{\n  "a": 1, // one\n  "hooks": {"Stop": []}\n}\n')
    installed(tmp_path)
    target.write_bytes(target.read_bytes().replace(b'"a": 1', b'"a": 2'))
    removed(tmp_path)
    assert target.read_bytes() == b'{\n  "a": 2, // one\n  "hooks": {"Stop": []}\n}\n'


def test_without_a_record_the_entries_are_known_by_their_name(tmp_path: Path) -> None:
    target = put(tmp_path, b'{\n  "hooks": {\n    "Stop": [\n      %s\n    ]\n  }\n}\n' % FOREIGN.encode())
    before = target.read_bytes()
    installed(tmp_path)
    for path in state_folder(tmp_path, environ(tmp_path)).iterdir():
        path.unlink()
    assert removed(tmp_path).action is AgentAction.REMOVED
    assert target.read_bytes() == before


def test_the_state_never_lies_in_the_repository(tmp_path: Path) -> None:
    for inside in ({"HOME": str(tmp_path)}, {"HOME": "/h", "XDG_STATE_HOME": str(tmp_path / "state")}, {}):
        with pytest.raises(ExecutionError, match="outside of the repository"):
            state_folder(tmp_path, inside)
    assert state_folder(tmp_path, {"HOME": str(tmp_path), "XDG_STATE_HOME": "/s"}).parent == Path(
        "/s/verigate/repositories"
    )


def test_a_group_that_somebody_made_of_ours_and_theirs_keeps_theirs(tmp_path: Path) -> None:
    entries = [{"matcher": "x", "hooks": [{"command": OURS}, {"command": "theirs"}]}]
    target = put(tmp_path, json.dumps({"hooks": {"Stop": entries}}).encode())
    assert removed(tmp_path).action is AgentAction.REMOVED
    assert json.loads(target.read_bytes()) == {"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "theirs"}]}]}}


def test_a_dry_run_writes_nothing_and_tells_the_bytes(tmp_path: Path) -> None:
    target = put(tmp_path, b"{}")
    told = installed(tmp_path, dry_run=True)
    assert target.read_bytes() == b"{}"
    assert (told.action, told.before) == (AgentAction.INSTALLED, b"{}")
    installed(tmp_path)
    assert target.read_bytes() == told.after
    assert not any(path.name == "home" for path in tmp_path.iterdir())


def test_comments_are_kept_and_told_where_the_host_ignores_such_a_file(tmp_path: Path) -> None:
    put(tmp_path, b"{} // theirs\n")
    put(tmp_path, b"{} // theirs\n", ".gemini/settings.json")
    assert any("ignores a settings file with comments" in note for note in installed(tmp_path).notes)
    assert not any("comments" in note for note in installed(tmp_path, "gemini").notes)


def test_permissions_stay(tmp_path: Path) -> None:
    target = put(tmp_path, b"{}")
    target.chmod(0o600)
    installed(tmp_path)
    assert target.stat().st_mode & 0o777 == 0o600


REFUSED: tuple[tuple[bytes, str], ...] = (
    (b'{"hooks": []}', "this must be an object"),
    (b'{"hooks": {"Stop": {}}}', "this must be an array"),
    (b'{"a": 1,}', "not one JSON object"),
    (b"[]", "not one JSON object"),
    (b'{"a": "\\u12"}', "not one JSON object"),
    (b'{"a": "one\ntwo"}', "not one JSON object"),
    (b'{"a": 1} {}', "not one JSON object"),
    (b'\xef\xbb\xbf{"a"', "not one JSON object"),
    (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested deeper"),
    (b'{"a": "' + b"x" * 5_000_000 + b'"}', "more than"),
)


@pytest.mark.parametrize(("content", "told"), REFUSED, ids=[told + str(n) for n, (_, told) in enumerate(REFUSED)])
def test_a_file_that_is_something_else_is_refused_and_stays(content: bytes, told: str, tmp_path: Path) -> None:
    target = put(tmp_path, content)
    with pytest.raises(UsageError, match=told) as refused:
        installed(tmp_path)
    assert (refused.value.where or "").startswith(".claude/settings.json")
    assert target.read_bytes() == content


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json"])
def test_links_are_not_followed(link: str, tmp_path: Path) -> None:
    root, outside = tmp_path / "repository", tmp_path / "outside"
    outside.mkdir()
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(outside if link == ".claude" else outside / "file")
    with pytest.raises(UsageError, match="symbolic link"):
        installed(root)
    assert not list(outside.iterdir())


def test_a_plug_in_that_was_edited_is_not_overwritten(tmp_path: Path) -> None:
    installed(tmp_path, "opencode")
    target = tmp_path / HOSTS["opencode"].settings
    target.write_bytes(target.read_bytes() + b"// mine\n")
    for act in (installed, removed):
        with pytest.raises(UsageError, match="edited since"):
            act(tmp_path, "opencode")
    target.write_bytes(b"// not the gate's\n")
    assert removed(tmp_path, "opencode").action is AgentAction.LEFT


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(
    others=st.dictionaries(st.text(max_size=6).filter(lambda key: key not in ADDITION), _JSON, max_size=3),
    stop=st.lists(st.dictionaries(st.text(max_size=6), _JSON, max_size=2), max_size=2),
    indent=st.sampled_from([None, 0, 2, "\t"]),
)
def test_any_document_holds_both_and_comes_back(others: dict[str, Any], stop: list[Any], indent: Any) -> None:
    before = {**others, "hooks": {"Stop": stop, "Other": [1]}}
    content = json.dumps(before, indent=indent, ensure_ascii=False).encode("utf-8", "replace")
    before = json.loads(content)
    after = jsonc.add(content, ADDITION, "s")
    assert jsonc.read_value(after, "s") == {
        **before,
        "version": 1,
        "hooks": {**before["hooks"], "Stop": [*before["hooks"]["Stop"], *ADDITION["hooks"]["Stop"]],  # type: ignore[index]
                  "After": ADDITION["hooks"]["After"]},  # type: ignore[index]
    }  # fmt: skip
    made = {("version",), ("hooks", "After")}
    assert jsonc.read_value(jsonc.remove(after, is_ours, made.__contains__, "s"), "s") == before
