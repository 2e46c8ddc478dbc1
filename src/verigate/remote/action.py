"""Build the Action of a call: Command, input root as a Merkle tree, platform properties.

Messages are canonical as the API asks for: names sorted, serialized deterministically, digests of SHA-256. So every
client that describes the same call gets the same digest. Source: remote_execution.proto, v2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from verigate.domain.remote_call import CacheStage, InputFile, RemoteCall
from verigate.domain.worker_offer import NEEDS_PROPERTY
from verigate.remote.blobs import Digest
from verigate.remote.stubs import reapi


class BuiltAction(NamedTuple):
    """An Action's digest, and the blobs of its own: Action, Command and directories, not the files."""

    digest: Digest
    blobs: Mapping[Digest, bytes]


def build_action(call: RemoteCall, stage: CacheStage | None) -> BuiltAction:
    """Build the Action of a call. Its stage is in the salt: a result of one stage never replaces one of another."""
    blobs: dict[Digest, bytes] = {}
    properties = sorted([*call.properties.items(), *((NEEDS_PROPERTY, need) for need in call.needs)])
    platform = reapi.Platform(
        properties=[reapi.Platform.Property(name=name, value=value) for name, value in properties]
    )
    command = reapi.Command(
        arguments=call.arguments,
        environment_variables=[
            reapi.Command.EnvironmentVariable(name=name, value=value)
            for name, value in sorted(call.environment.items())
        ],
        output_paths=sorted(call.outputs),
        platform=platform,
    )
    action = reapi.Action(
        command_digest=to_message(_add(blobs, command)),
        input_root_digest=to_message(_add_tree(blobs, call.files)),
        platform=platform,
        salt=b"" if stage is None else f"{stage.namespace} {call.nonce}".rstrip().encode("ascii"),
        do_not_cache=bool(call.needs),
    )
    return BuiltAction(_add(blobs, action), blobs)


def to_message(digest: Digest) -> reapi.Digest:
    """Return the API's message of a digest."""
    return reapi.Digest(hash=digest.hash, size_bytes=digest.size)


def from_message(message: reapi.Digest) -> Digest:
    """Return the digest of a message."""
    return Digest(message.hash, message.size_bytes)


def _add(blobs: dict[Digest, bytes], message: Any) -> Digest:
    content: bytes = message.SerializeToString(deterministic=True)
    digest = Digest.of(content)
    blobs[digest] = content
    return digest


def _add_tree(blobs: dict[Digest, bytes], files: Mapping[str, InputFile]) -> Digest:
    root: dict[str, Any] = {}
    for path, file in files.items():
        *folders, name = path.split("/")
        place = root
        for folder in folders:
            place = place.setdefault(folder, {})
        place[name] = file
    return _add_directory(blobs, root)


def _add_directory(blobs: dict[Digest, bytes], entries: Mapping[str, Any]) -> Digest:
    """Add a directory; its names are sorted by their UTF-8 bytes."""
    message = reapi.Directory()
    for name in sorted(entries, key=lambda name: name.encode("utf-8")):
        entry = entries[name]
        if isinstance(entry, dict):
            message.directories.add(name=name, digest=to_message(_add_directory(blobs, entry)))
        elif entry.target is not None:
            message.symlinks.add(name=name, target=entry.target)
        else:
            digest = to_message(Digest(entry.sha256, entry.size))
            message.files.add(name=name, digest=digest, is_executable=entry.executable)
    return _add(blobs, message)
