"""The evidence cache: a capability's artifacts, stored under a key over everything it declares to depend on.

Only for capabilities that declare ``inputs``, and only inside a sandbox, which hides the folder and the key. Every
entry carries an HMAC-SHA256 (RFC 2104), so that whoever can write to the folder but not read the key can't plant
evidence. Any fault of an entry is a miss.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from verigate.subject.whole_file import remove_parts, write_whole
from verigate.user_folders import UserFolders

_KEY_BYTES = 32
_MAC_HEX = 64
_KEY = re.compile(r"[0-9a-f]{64}")
SIZE_LIMIT = 64 * 1_048_576
"""Bytes of one entry; a larger one is not stored."""


class CacheEntry(NamedTuple):
    """An entry: its key, its size in bytes, and when it was stored, in seconds since the epoch."""

    key: str
    size: int
    stored: float


class EvidenceCache:
    """Entries below ``folder``, authenticated with the key in ``key_file``, which is created on first use."""

    def __init__(self, folder: Path, key_file: Path) -> None:
        self._folder = folder
        self._key_file = key_file
        self._known_secret: bytes | None = None

    @classmethod
    def from_user(cls, folders: UserFolders, name: str = "evidence") -> EvidenceCache | None:
        """Return the user's cache of this name; None without a folder for it or for its key."""
        cache, key = folders.cache(name), folders.state("cache.key")
        return None if cache is None or key is None else cls(Path(cache), Path(key))

    def lookup(self, key: str) -> dict[str, bytes] | None:
        """Return the files stored under ``key``, by task-relative path; None on a miss."""
        try:
            content = self._entry(key).read_bytes()
            mac, body = content[:_MAC_HEX], content[_MAC_HEX:]
            if not hmac.compare_digest(mac, self._mac(body, create=False)):
                return None
            entry = json.loads(body)
            if entry["key"] != key:
                return None
            return {path: base64.b64decode(text, validate=True) for path, text in entry["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def store(self, key: str, files: Mapping[str, bytes]) -> None:
        """Store ``files`` under ``key``. A cache that can't be written is no error: the next run is slower."""
        if sum(map(len, files.values())) > SIZE_LIMIT:
            return
        encoded = {path: base64.b64encode(content).decode("ascii") for path, content in sorted(files.items())}
        body = json.dumps({"key": key, "files": encoded}, sort_keys=True).encode()
        entry = self._entry(key)
        with contextlib.suppress(OSError):
            entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            remove_parts(self._folder)
            # All entries are written next to one name: that of an entry may never be written again.
            write_whole(entry, self._mac(body, create=True) + body, next_to=self._folder / "entry")

    def list_entries(self) -> Iterator[CacheEntry]:
        """Yield the entries, unread; whatever else lies in the folder is none."""
        for path in sorted(self._folder.glob("*/*")):
            if _KEY.fullmatch(path.name) and path.parent.name == path.name[:2]:
                with contextlib.suppress(OSError):
                    status = path.lstat()
                    yield CacheEntry(path.name, status.st_size, status.st_mtime)

    def remove(self, key: str) -> None:
        """Remove an entry. Raises OSError if it stays."""
        self._entry(key).unlink(missing_ok=True)

    def remove_older_than(self, seconds: float) -> None:
        """Remove the entries that were stored longer ago, unless that was done within a tenth of this time.

        Looking at every entry costs more than all else that is asked of a cache. Whoever reads an entry looks at its
        age, so that one that stays a little longer serves nobody.
        """
        now = time.time()
        if not self._begin_removal(now - seconds / 10, now):
            return
        before = now - seconds
        with contextlib.suppress(OSError), os.scandir(self._folder) as folders:
            for folder in [each.path for each in folders if each.is_dir(follow_symlinks=False)]:
                with contextlib.suppress(OSError), os.scandir(folder) as entries:
                    for path in [each.path for each in entries if each.stat(follow_symlinks=False).st_mtime < before]:
                        os.unlink(path)  # noqa: PTH108 - of hundreds

    def _begin_removal(self, since: float, now: float) -> bool:
        """Note that entries are removed now; False if they were after ``since``, seconds since the epoch."""
        mark = self._folder / ".removed"
        with contextlib.suppress(OSError):
            if since < mark.lstat().st_mtime <= now:
                return False
        with contextlib.suppress(OSError):
            mark.unlink(missing_ok=True)
            os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        return True

    def _entry(self, key: str) -> Path:
        return self._folder / key[:2] / key

    def _mac(self, body: bytes, *, create: bool) -> bytes:
        return hmac.new(self._secret(create=create), body, hashlib.sha256).hexdigest().encode("ascii")

    def _secret(self, *, create: bool) -> bytes:
        if self._known_secret is None:
            self._known_secret = self._read_secret(create=create)
        return self._known_secret

    def _read_secret(self, *, create: bool) -> bytes:
        if create and not self._key_file.exists():
            self._key_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = self._key_file.with_name(f".cache.key.{secrets.token_hex(8)}")
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as stream:
                stream.write(secrets.token_bytes(_KEY_BYTES))
            # A link, not a rename: of two runs that create the key at once, the second must use the first one's.
            with contextlib.suppress(FileExistsError):
                self._key_file.hardlink_to(draft)
            draft.unlink()
        fd = os.open(self._key_file, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(fd, "rb") as stream:
            status = os.fstat(fd)
            if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
                raise PermissionError(f"{self._key_file} is readable by others")
            key = stream.read()
        if len(key) != _KEY_BYTES:
            raise ValueError(f"{self._key_file} does not hold {_KEY_BYTES} bytes")
        return key


def compute_key(parts: Mapping[str, Any]) -> str:
    """Compute the key of an entry: sha256 of a JSON value with sorted keys, in hex."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, allow_nan=False, default=list)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def digest_tree(root: str) -> str:
    """Digest path, mode and content of the files below ``root`` (sha256), except ``.git``. Links aren't followed.

    Raises OSError if a file can't be read.
    """
    base = os.fsencode(root)
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(base, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        links = [name for name in folders if Path(os.fsdecode(os.path.join(folder, name))).is_symlink()]  # noqa: PTH118
        for name in sorted([*files, *links]):
            path = os.path.join(folder, name)  # noqa: PTH118 (bytes: a name need not be UTF-8)
            relative = path[len(base) + 1 :]
            digest.update(b"%d:%s:%s\n" % (len(relative), relative, _describe_file(path)))
    return digest.hexdigest()


_LEFT_OUT = frozenset({b".git", b"__pycache__"})


def _raise(error: OSError) -> None:
    raise error


def _describe_file(path: bytes) -> bytes:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return b"link " + os.readlink(path).hex().encode()  # noqa: PTH115
    if not stat.S_ISREG(status.st_mode):
        return b"other"
    with open(path, "rb") as stream:  # noqa: PTH123 (a path of bytes)
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    return b"%o %s" % (stat.S_IMODE(status.st_mode) & 0o111, content.encode())
