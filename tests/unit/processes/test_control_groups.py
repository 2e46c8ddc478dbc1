"""Where groups can be made, told from the tables of machines with each version; a folder stands for the file system.

What the kernel does with the files is in ``tests/integration/test_resource_limits.py``, by the version of this machine.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from verigate.processes.control_groups import MEMORY, PROCESSES, ControlGroup, Limits, Parent, find_parents


def make_group(folder: Path, controllers: str = "") -> Path:
    folder.mkdir(parents=True)
    (folder / "cgroup.procs").touch()
    (folder / "cgroup.subtree_control").write_text(controllers)
    return folder


def unified(place: Path) -> str:
    return f"30 23 0:26 / {place} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"


def test_beside_the_own_group_where_systemd_delegates(tmp_path: Path) -> None:
    above = make_group(tmp_path / "user.slice" / "app.slice", "cpu memory pids")
    make_group(above / "terminal.scope")
    found = find_parents(unified(tmp_path), "0::/user.slice/app.slice/terminal.scope\n")
    assert found == {MEMORY: Parent(str(above), "cgroup2"), PROCESSES: Parent(str(above), "cgroup2")}


def test_only_controllers_that_are_passed_on(tmp_path: Path) -> None:
    above = make_group(tmp_path / "a", "pids")
    make_group(above / "b")
    assert find_parents(unified(tmp_path), "0::/a/b\n") == {PROCESSES: Parent(str(above), "cgroup2")}


def test_no_group_where_none_is_delegated(tmp_path: Path) -> None:
    make_group(tmp_path / "a" / "b")
    assert find_parents(unified(tmp_path), "0::/a/b\n") == {}
    assert find_parents("", "0::/a/b\n") == {}
    assert find_parents(unified(tmp_path / "elsewhere"), "") == {}


def test_a_container_sees_its_own_part(tmp_path: Path) -> None:
    make_group(tmp_path / "x", "memory")
    mounts = f"30 23 0:26 /docker/1 {tmp_path} rw - cgroup2 cgroup rw\n"
    assert find_parents(mounts, "0::/docker/1/x\n") == {MEMORY: Parent(str(tmp_path / "x"), "cgroup2")}
    assert find_parents(mounts, "0::/other\n") == {}


def test_version_1_has_a_hierarchy_for_each(tmp_path: Path) -> None:
    memory, processes = make_group(tmp_path / "memory" / "job"), make_group(tmp_path / "pids")
    mounts = "".join(
        f"3{at} 31 0:3{at} / {tmp_path / name} rw - cgroup cgroup rw,{name}\n"
        for at, name in enumerate(("memory", "pids"))
    )
    own = "8:pids:/\n4:memory:/job\n0::/\n"
    assert find_parents(mounts, own) == {
        MEMORY: Parent(str(memory), "cgroup"),
        PROCESSES: Parent(str(processes), "cgroup"),
    }


def test_a_group_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    make_group(tmp_path / "memory")
    parents = {MEMORY: Parent(str(tmp_path / "memory"), "cgroup"), PROCESSES: Parent(str(tmp_path / "none"), "cgroup")}
    with pytest.raises(FileNotFoundError):
        ControlGroup(Limits(parents, 1 << 20))
    assert not list((tmp_path / "memory").glob("verigate-*"))


def test_memory_that_nobody_limits_has_no_group(tmp_path: Path) -> None:
    group = ControlGroup(Limits({MEMORY: Parent(str(tmp_path), "cgroup2")}, None))
    assert not list(tmp_path.iterdir())
    assert group.find_reached() is None
    group.close()


def test_the_groups_of_gates_that_ended_are_swept(tmp_path: Path) -> None:
    own = ControlGroup(Limits({PROCESSES: Parent(str(tmp_path), "cgroup2")}, None))
    (kept,) = tmp_path.iterdir()
    number, start = kept.name.split("-")[1:3]
    with subprocess.Popen(["true"]) as unasked:
        while Path(f"/proc/{unasked.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        (tmp_path / f"verigate-{unasked.pid}-1-0").mkdir()
        (tmp_path / f"verigate-{number}-{int(start) - 1}-0").mkdir()  # the number of one that ended is used again
        (tmp_path / "verigate-mine").mkdir()
        another = ControlGroup(Limits({PROCESSES: Parent(str(tmp_path), "cgroup2")}, None))
    names = {path.name for path in tmp_path.iterdir()} - {kept.name, "verigate-mine"}
    assert [name.rpartition("-")[0] for name in names] == [f"verigate-{number}-{start}"]
    own.close()
    another.close()
    assert [path.name for path in tmp_path.iterdir()] == ["verigate-mine"]
