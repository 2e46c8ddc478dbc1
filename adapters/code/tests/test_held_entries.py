"""Entries that git doesn't track are put back as they were held."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from code_adapter import held_entries
from code_adapter.held_entries import MAX_HELD_BYTES, HeldEntries, Tracked, find_untracked
from verigate.sdk import ToolFailed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {"node_modules/.package-lock.json": "{}", "vendor/a/b.php": "1", "src/a.py": "1"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "node_modules/dep").symlink_to("/elsewhere/dep")
    return tmp_path


def look(root: Path) -> dict[str, str]:
    paths = [path for path in root.rglob("*") if path.is_symlink() or not path.is_dir()]
    return {
        path.relative_to(root).as_posix(): str(path.readlink()) if path.is_symlink() else path.read_text()
        for path in paths
    }


def replace_link(root: Path) -> None:
    (root / "node_modules/dep").unlink()
    (root / "node_modules/dep").mkdir()
    (root / "node_modules/dep/index.js").write_text("2")


def edit_with_its_times(root: Path) -> None:
    place = root / "vendor/a/b.php"
    before = place.stat()
    place.write_text("2")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def close_folder(root: Path) -> None:
    (root / "vendor/a/new.php").write_text("2")
    (root / "vendor/a").chmod(0o555)


def replace_folder(root: Path) -> None:
    (root / "vendor").rename(root / "src/vendor")
    (root / "vendor").symlink_to("src/vendor")


@pytest.mark.parametrize(
    "change",
    [
        replace_link,
        edit_with_its_times,
        close_folder,
        replace_folder,
        lambda root: (root / "node_modules/new").mkdir(),
        lambda root: (root / "vendor/a/b.php").unlink(),
        lambda root: os.mkfifo(root / "vendor/pipe"),
        lambda root: (root / "vendor/.rustc_info.json").write_text("{}"),
    ],
)
def test_what_was_held_is_there_again(root: Path, change: Callable[[Path], object]) -> None:
    before = look(root)
    held = HeldEntries(root, ["node_modules", "vendor"])
    for _ in range(2):
        change(root)
        held.restore(["node_modules", "vendor"])
        there = {path: text for path, text in look(root).items() if not path.startswith("src/vendor")}
        assert there == before
        if (root / "src/vendor").exists():
            return


def test_what_was_held_in_a_folder_that_moved_is_there_again(root: Path) -> None:
    # Of src the file a.py is tracked, which git would write again.
    for name in ("src/vendor/c.js", "src/deep/node_modules/d.js", "src/notes.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("1")
    before = look(root)
    entries = ["src/vendor", "src/deep/node_modules", "src/notes.txt", "vendor"]
    held = HeldEntries(root, entries)
    (root / "src").rename(root / "kept")
    (root / "src").symlink_to("kept")
    assert held.restore([*entries, "src", "kept"])
    assert not held.restore(entries)
    assert look(root) == {path: text for path, text in before.items() if path != "src/a.py"}


def test_whether_anything_was_removed_is_known(root: Path) -> None:
    held = HeldEntries(root, ["node_modules", "vendor"])
    assert not held.restore(["node_modules", "vendor", "gone"])
    (root / "vendor/a/b.php").unlink()
    assert not held.restore(["node_modules", "vendor"])
    (root / "vendor/new").mkdir()
    assert held.restore(["node_modules", "vendor"])
    (root / "vendor/a/b.php").unlink()
    (root / "vendor/a/b.php").symlink_to("/dev/null")
    assert held.restore(["node_modules", "vendor"])
    assert not held.restore(["node_modules", "vendor"])


def test_a_link_to_a_folder_that_is_read_only_is_put_back(root: Path) -> None:
    # So a package is in a sandbox: a link into what is mounted to be read. /proc is such a folder for everybody.
    (root / "node_modules/mounted").symlink_to("/proc/self/fdinfo")
    held = HeldEntries(root, ["node_modules"])
    (root / "node_modules/mounted").unlink()
    (root / "node_modules/mounted").mkdir()
    (root / "node_modules/mounted/index.js").write_text("2")
    held.restore(["node_modules"])
    assert (root / "node_modules/mounted").readlink() == Path("/proc/self/fdinfo")


def test_what_is_mounted_is_neither_read_nor_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = root / "mounts"
    granted = root / "data of\tmine/deep"
    granted.mkdir(parents=True)
    name = str(granted.resolve()).replace(" ", r"\040").replace("\t", r"\011")
    listed.write_text(f"36 35 98:0 / {name} rw - ext4 /dev/sda rw\n")
    monkeypatch.setattr(held_entries, "_MOUNTS", listed)
    (granted / "a").write_text("1")
    held = HeldEntries(root, ["data of\tmine"])
    (granted / "a").write_text("2")
    (granted / "b").write_text("2")
    (granted.parent / "new").write_text("2")
    held.restore(["data of\tmine"])
    assert sorted(path.name for path in granted.parent.rglob("*")) == ["a", "b", "deep"]
    assert (granted / "a").read_text() == "2"


def test_entries_that_are_not_named_stay(root: Path) -> None:
    held = HeldEntries(root, ["node_modules", "vendor"])
    (root / "vendor/new.php").write_text("2")
    (root / "dist").mkdir()
    held.restore(["node_modules"])
    assert (root / "vendor/new.php").exists()
    held.restore(["node_modules", "vendor", "dist"])
    assert not (root / "vendor/new.php").exists()
    assert not (root / "dist").exists()


def test_caches_and_what_cargo_builds_are_left_alone(root: Path) -> None:
    (root / "target").mkdir()
    (root / "target/.rustc_info.json").write_text("{}")
    held = HeldEntries(root, ["target"], [".cache/go-build"])
    (root / "target/debug").mkdir()
    (root / ".cache/go-build/00").mkdir(parents=True)
    (root / ".cache/corepack").mkdir()
    held.restore(["target", ".cache"])
    assert (root / "target/debug").exists()
    assert [path.name for path in (root / ".cache").iterdir()] == ["go-build"]
    assert (root / ".cache/go-build/00").exists()


def test_a_large_file_that_changed_is_an_error(root: Path) -> None:
    place = root / "vendor/large"
    place.write_bytes(b"1" * (MAX_HELD_BYTES + 1))
    held = HeldEntries(root, ["vendor"])
    held.restore(["vendor"])
    place.write_bytes(b"2")
    with pytest.raises(ToolFailed, match="a large file that git doesn't track"):
        held.restore(["vendor"])


def test_what_is_untracked_is_found_next_to_tracked_files(root: Path) -> None:
    (root / "src/__pycache__").mkdir()
    (root / ".git").mkdir()
    tracked = Tracked.read(["src/a.py"])
    assert sorted(find_untracked(root, tracked)) == ["node_modules", "src/__pycache__", "vendor"]
