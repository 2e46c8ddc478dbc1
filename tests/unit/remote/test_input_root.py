"""An input root is fetched by its digests, and one that no folder can hold is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_cache import HostileCache

from verigate.domain.remote_call import InputFile
from verigate.domain.remote_server import parse_address
from verigate.remote import input_root
from verigate.remote.action import to_message
from verigate.remote.blobs import Digest
from verigate.remote.fault import RemoteFault
from verigate.remote.input_root import BadInputRootError, read_tree, write_tree
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import reapi


class Storage:
    """A server's blobs, and what reads them."""

    def __init__(self) -> None:
        self.server = HostileCache()
        self.client = RemoteServer(parse_address(self.server.address, "test"))

    def put(self, content: bytes) -> Digest:
        self.server.blobs[Digest.of(content)] = content
        return Digest.of(content)

    def folder(self, fill: Callable[[Any], None]) -> Digest:
        message = reapi.Directory()
        fill(message)
        return self.put(message.SerializeToString(deterministic=True))

    def file(self, message: Any, name: str, content: bytes = b"", *, executable: bool = False) -> None:
        message.files.add(name=name, digest=to_message(self.put(content)), is_executable=executable)


@pytest.fixture
def storage() -> Iterator[Storage]:
    found = Storage()
    yield found
    found.client.close()
    found.server.close()


def test_files_folders_and_links_are_written(storage: Storage, tmp_path: Path) -> None:
    def below(message: Any) -> None:
        storage.file(message, "run", b"#!/bin/sh\n", executable=True)
        message.symlinks.add(name="link", target="../empty")

    def top(message: Any) -> None:
        storage.file(message, "empty")
        message.directories.add(name="a", digest=to_message(storage.folder(below)))

    files = read_tree(storage.client, storage.folder(top))
    write_tree(storage.client, files, tmp_path)
    assert (tmp_path / "a/run").read_bytes() == b"#!/bin/sh\n"
    assert (tmp_path / "a/run").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "a/link").resolve() == tmp_path / "empty"
    assert (tmp_path / "empty").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", ".git", ".GIT", "a\0b"])
def test_a_name_that_leads_elsewhere_is_refused(storage: Storage, name: str) -> None:
    for fill in (
        lambda message: storage.file(message, name),
        lambda message: message.directories.add(name=name, digest=to_message(storage.put(b""))),
        lambda message: message.symlinks.add(name=name, target="x"),
    ):
        with pytest.raises(BadInputRootError, match="is no name of a file"):
            read_tree(storage.client, storage.folder(fill))


@pytest.mark.parametrize("target", ["/etc/passwd", "../x", "a/../../x", "..", "", "a/..", "a/../b", "./.."])
def test_a_link_that_leads_out_is_refused(storage: Storage, target: str) -> None:
    root = storage.folder(lambda message: message.symlinks.add(name="link", target=target))
    with pytest.raises(BadInputRootError, match="leads out of it"):
        read_tree(storage.client, root)


def test_two_entries_of_one_name_are_refused(storage: Storage) -> None:
    def fill(message: Any) -> None:
        storage.file(message, "a")
        message.symlinks.add(name="a", target="b")

    with pytest.raises(BadInputRootError, match="have one name"):
        read_tree(storage.client, storage.folder(fill))


def test_a_tree_that_grows_at_each_level_is_refused(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_root, "MOST_FILES", 1000)
    digest = storage.folder(lambda message: storage.file(message, "a"))
    for _ in range(40):

        def fill(message: Any, below: Digest = digest) -> None:
            for name in ("a", "b"):
                message.directories.add(name=name, digest=to_message(below))

        digest = storage.folder(fill)
    with pytest.raises(BadInputRootError, match="more than 1000 entries"):
        read_tree(storage.client, digest)


def test_sizes_that_nobody_can_hold_are_refused(storage: Storage) -> None:
    def fill(message: Any) -> None:
        message.files.add(name="a", digest=reapi.Digest(hash="0" * 64, size_bytes=1 << 40))

    with pytest.raises(BadInputRootError, match="GiB"):
        read_tree(storage.client, storage.folder(fill))
    with pytest.raises(BadInputRootError, match="MiB of names"):
        read_tree(storage.client, Digest("0" * 64, 1 << 40))


def test_what_the_server_lacks_or_changes_is_no_input(storage: Storage, tmp_path: Path) -> None:
    with pytest.raises(BadInputRootError, match="lacks the folder"):
        read_tree(storage.client, Digest("0" * 64, 5))
    with pytest.raises(BadInputRootError, match="is no Directory"):
        read_tree(storage.client, storage.put(b"\xff\xff\xff"))
    with pytest.raises(BadInputRootError, match="lacks a"):
        write_tree(storage.client, {"a": InputFile("0" * 64, 5)}, tmp_path)
    root = storage.folder(lambda message: storage.file(message, "a", b"text"))
    files = read_tree(storage.client, root)
    storage.server.change_blob = lambda _digest, content: content[:-1] + b"!"
    with pytest.raises(RemoteFault, match="another blob came"):
        write_tree(storage.client, files, tmp_path)
