"""A worker leaves an action alone that needs more of its machine than it offers, whoever leased it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest

from verigate.domain.remote_call import CacheStage, InputFile
from verigate.domain.worker_offer import NEEDS_PROPERTY
from verigate.remote.blobs import Digest
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import reapi
from verigate.usecases.leased_call import LeaseRefusedError, LeaseServices, run_leased_call


class Blobs:
    """What a server keeps; nothing else of it is asked for."""

    def __init__(self) -> None:
        self.kept: dict[Digest, bytes] = {}

    def keep(self, content: bytes) -> reapi.Digest:
        digest = Digest.of(content)
        self.kept[digest] = content
        return reapi.Digest(hash=digest.hash, size_bytes=digest.size)

    def read(self, digests: Sequence[Digest]) -> Mapping[Digest, bytes]:
        return {digest: self.kept[digest] for digest in digests if digest in self.kept}


def lease(needs: Sequence[str], services: LeaseServices, folder: Path) -> str:
    """Return why an action with these needs isn't executed."""
    blobs = Blobs()
    adapter = reapi.Directory(files=[reapi.FileNode(name="run", digest=blobs.keep(b"#!/bin/sh\n"), is_executable=True)])
    root = reapi.Directory(
        directories=[reapi.DirectoryNode(name="adapter", digest=blobs.keep(adapter.SerializeToString()))]
    )
    properties = [reapi.Platform.Property(name=NEEDS_PROPERTY, value=need) for need in needs]
    command = reapi.Command(arguments=["run"], platform=reapi.Platform(properties=properties))
    action = reapi.Action(
        command_digest=blobs.keep(command.SerializeToString()),
        input_root_digest=blobs.keep(root.SerializeToString()),
        salt=CacheStage.CI.namespace.encode("ascii"),
    )
    digest = blobs.keep(action.SerializeToString())
    with pytest.raises(LeaseRefusedError) as refused:
        run_leased_call(cast(RemoteServer, blobs), Digest(digest.hash, digest.size_bytes), folder, services)
    return str(refused.value)


def make_services(offers: Sequence[str], *, own: bool) -> LeaseServices:
    def never(*_: object, **__: object) -> object:
        raise AssertionError("nothing of the action is used before it is refused")

    def is_own(files: Mapping[str, InputFile]) -> bool:
        assert set(files) == {"run"}
        return own

    return LeaseServices({}, never, never, never, frozenset(offers), is_own)  # type: ignore[arg-type] - none is called


@pytest.mark.parametrize("offers", [[], ["network"], ["env:OTHER", "bind:/opt:ro"]])
def test_an_action_that_needs_what_is_not_offered_is_refused(tmp_path: Path, offers: list[str]) -> None:
    needs = ["network", "env:SHOP_TOKEN"]
    said = lease(needs, make_services(offers, own=True), tmp_path)
    assert "this worker doesn't offer env:SHOP_TOKEN" in said
    assert ("network" in said) == ("network" not in offers)


def test_what_is_offered_only_an_installed_adapter_gets(tmp_path: Path) -> None:
    said = lease(["network"], make_services(["network"], own=False), tmp_path)
    assert "adapters that are installed here" in said
    assert list(tmp_path.iterdir()) == []
