from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from verigate.execution.evidence_cache import EvidenceCache, compute_key, digest_tree
from verigate.user_folders import UserFolders

KEY = "ab" * 32
OTHER = "cd" * 32
FILES = {"lint.json": b'{"errors": 0}', "deep/\xe9.bin": bytes(range(256))}


def caches(tmp_path: Path) -> EvidenceCache:
    found = EvidenceCache.from_user(UserFolders({"HOME": str(tmp_path)}))
    assert found is not None
    return found


def entry(tmp_path: Path, key: str = KEY) -> Path:
    return tmp_path / ".cache" / "verigate" / "evidence" / key[:2] / key


def test_what_is_stored_is_found(tmp_path: Path) -> None:
    caches(tmp_path).store(KEY, FILES)
    assert caches(tmp_path).lookup(KEY) == FILES
    assert caches(tmp_path).lookup(OTHER) is None
    key_file = tmp_path / ".local" / "state" / "verigate" / "cache.key"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert len(key_file.read_bytes()) == 32
    assert [path.name for path in entry(tmp_path).parent.iterdir()] == [KEY]


def test_a_lookup_makes_no_key(tmp_path: Path) -> None:
    assert caches(tmp_path).lookup(KEY) is None
    assert not (tmp_path / ".local").exists()


def test_an_entry_that_was_changed_by_one_byte_is_a_miss(tmp_path: Path) -> None:
    caches(tmp_path).store(KEY, FILES)
    content = entry(tmp_path).read_bytes()
    for position in range(0, len(content), 7):
        changed = bytearray(content)
        changed[position] ^= 1
        entry(tmp_path).write_bytes(bytes(changed))
        assert caches(tmp_path).lookup(KEY) is None


def test_an_entry_of_another_key_or_another_secret_is_a_miss(tmp_path: Path) -> None:
    caches(tmp_path).store(KEY, FILES)
    entry(tmp_path, OTHER).parent.mkdir(parents=True)
    entry(tmp_path, OTHER).write_bytes(entry(tmp_path).read_bytes())
    assert caches(tmp_path).lookup(OTHER) is None
    (tmp_path / ".local" / "state" / "verigate" / "cache.key").write_bytes(b"\0" * 32)
    assert caches(tmp_path).lookup(KEY) is None


@pytest.mark.parametrize("content", [b"", b"x", b"0" * 64, b"0" * 64 + b"{", b"0" * 64 + b"[" * 100_000])
def test_rubbish_is_a_miss(tmp_path: Path, content: bytes) -> None:
    caches(tmp_path).store(KEY, FILES)
    entry(tmp_path).write_bytes(content)
    assert caches(tmp_path).lookup(KEY) is None


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    caches(tmp_path).store(KEY, FILES)
    (tmp_path / ".local" / "state" / "verigate" / "cache.key").chmod(0o644)
    assert caches(tmp_path).lookup(KEY) is None


def test_without_a_home_there_is_no_cache() -> None:
    assert EvidenceCache.from_user(UserFolders({})) is None


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "XDG_STATE_HOME"])
def test_neither_entries_nor_key_lie_in_the_repository(tmp_path: Path, variable: str) -> None:
    environ = {"HOME": str(tmp_path / "home"), variable: str(tmp_path / "repository")}
    assert EvidenceCache.from_user(UserFolders(environ, str(tmp_path / "repository"))) is None
    assert EvidenceCache.from_user(UserFolders(environ, str(tmp_path / "other"))) is not None


def test_keys_depend_on_every_part() -> None:
    assert compute_key({"a": 1, "b": ["x"]}) == compute_key({"b": ("x",), "a": 1})
    assert compute_key({"a": 1, "b": ["x"]}) != compute_key({"a": 1, "b": ["y"]})


def test_tree_digest_sees_content_name_mode_and_links(tmp_path: Path) -> None:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "a.py").write_text("1")
    (tmp_path / "src" / "deep" / "b.py").write_text("2")
    seen = {digest_tree(str(tmp_path))}

    def changes() -> bool:
        before = len(seen)
        seen.add(digest_tree(str(tmp_path)))
        return len(seen) > before

    (tmp_path / ".git" / "HEAD").write_text("changed")
    assert not changes()
    (tmp_path / "src" / "deep" / "b.py").write_text("changed")
    assert changes()
    (tmp_path / "src" / "a.py").chmod(0o755)
    assert changes()
    (tmp_path / "src" / "a.py").rename(tmp_path / "src" / "c.py")
    assert changes()
    (tmp_path / "src" / "link.py").symlink_to("/etc/passwd")
    assert changes()
    Path(os.fsdecode(os.fsencode(tmp_path / "src") + b"/\xff\n.py")).write_text("odd")
    assert changes()
