"""What is sent to a remote cache is canonical, and what comes back is read strictly."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from verigate.domain.remote_call import CacheStage, InputFile, RemoteCall
from verigate.domain.remote_server import parse_address
from verigate.errors import UsageError
from verigate.remote.action import build_action, to_message
from verigate.remote.blobs import Digest, split_batches
from verigate.remote.statement import Statement, compute_expiry, decode_statement, find_time_problem
from verigate.remote.stubs import reapi

EMPTY = Digest.of(b"")
NOW = "2026-11-27T03:00:00.000Z"
FILES = {
    "subject/b.txt": InputFile(hashlib.sha256(b"b").hexdigest(), 1, executable=True),
    "subject/a/deep.txt": InputFile(hashlib.sha256(b"a").hexdigest(), 1),
    "subject/link": InputFile("", 0, target="b.txt"),
    "profile.json": InputFile(EMPTY.hash, 0),
}
CALL = RemoteCall(
    "my:check", ("/adapter/run", "my:check"), {"B": "2", "A": "1"}, FILES, ("task/x",), {"z": "1", "a": "2"}
)
STATEMENT = Statement(
    EMPTY, "my:check", CacheStage.CI, "ab", NOW, compute_expiry(NOW, void=False), {"a/b.json": EMPTY}, EMPTY, EMPTY, {}
)


def test_messages_are_canonical() -> None:
    built = build_action(CALL, CacheStage.CI)
    action = reapi.Action.FromString(built.blobs[built.digest])
    command = reapi.Command.FromString(
        built.blobs[Digest(action.command_digest.hash, action.command_digest.size_bytes)]
    )
    assert [each.name for each in command.environment_variables] == ["A", "B"]
    assert [each.name for each in action.platform.properties] == ["a", "z"]
    root = reapi.Directory.FromString(built.blobs[_digest(action.input_root_digest)])
    assert ([each.name for each in root.files], [each.name for each in root.directories]) == (
        ["profile.json"],
        ["subject"],
    )
    subject = reapi.Directory.FromString(built.blobs[_digest(root.directories[0].digest)])
    assert [(each.name, each.is_executable) for each in subject.files] == [("b.txt", True)]
    assert [(each.name, each.target) for each in subject.symlinks] == [("link", "b.txt")]
    assert all(Digest.of(content) == digest for digest, content in built.blobs.items())


def test_the_order_of_what_is_described_does_not_matter_and_all_else_does() -> None:
    shuffled = replace(CALL, files=dict(reversed(FILES.items())), environment={"A": "1", "B": "2"})
    assert build_action(shuffled, CacheStage.CI) == build_action(CALL, CacheStage.CI)
    others = [
        build_action(CALL, CacheStage.LOCAL),
        build_action(CALL, None),
        build_action(replace(CALL, environment={"A": "1", "B": "3"}), CacheStage.CI),
        build_action(replace(CALL, properties={"z": "1", "a": "3"}), CacheStage.CI),
        build_action(replace(CALL, files={**FILES, "new": FILES["profile.json"]}), CacheStage.CI),
        build_action(replace(CALL, arguments=("/adapter/run",)), CacheStage.CI),
    ]
    digests = {built.digest for built in (build_action(CALL, CacheStage.CI), *others)}
    assert len(digests) == len(others) + 1


def test_the_empty_blob_has_the_digest_of_the_standard() -> None:
    message = to_message(EMPTY)
    assert (message.hash, message.size_bytes) == ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0)


def test_a_statement_is_read_as_it_was_written() -> None:
    assert decode_statement(STATEMENT.encode()) == STATEMENT


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("schema", "verigate:other.v1"),
        ("action", ["ab", 1]),
        ("action", [EMPTY.hash, -1]),
        ("action", [EMPTY.hash, True]),
        ("action", [EMPTY.hash, 0, 0]),
        ("stage", "release"),
        ("files", {"../x": list(EMPTY)}),
        ("files", {"/x": list(EMPTY)}),
        ("files", {"": list(EMPTY)}),
        ("files", {"a//b": list(EMPTY)}),
        ("files", {"a\0b": list(EMPTY)}),
        ("files", []),
        ("out", None),
        ("worker", {"name": 1}),
        ("outcome", 1),
    ],
)
def test_what_is_no_statement_is_refused(member: str, value: Any) -> None:
    document = {**orjson.loads(STATEMENT.encode()), member: value}
    with pytest.raises(ValueError, match=r"."):
        decode_statement(orjson.dumps(document))
    del document[member]
    with pytest.raises(ValueError, match=r"."):
        decode_statement(orjson.dumps(document))


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"schema": NaN}', b"\xff", b"[" * 100_000])
def test_rubbish_is_no_statement(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_statement(content)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"expires": NOW}, "expired"),
        ({"finished": "2026-11-27T04:00:00.000Z"}, "later than now"),
        ({"expires": "2027-11-27T03:00:00.000Z"}, "longer than any result"),
        ({"expires": "soon"}, "can't be read"),
        ({"expires": "2026-11-28T03:00:00"}, "can't be read"),
    ],
)
def test_a_statement_counts_for_its_time(change: dict[str, str], said: str | None) -> None:
    problem = find_time_problem(replace(STATEMENT, **change), NOW)
    assert problem is None if said is None else said in str(problem)


def test_a_void_statement_counts_for_longer() -> None:
    span = datetime.fromisoformat(compute_expiry(NOW, void=True)) - datetime.fromisoformat(NOW)
    assert span == timedelta(days=30)


def test_batches_keep_to_the_limit() -> None:
    digests = [Digest(f"{number:064x}", number * 10) for number in range(1, 40)]
    batches = list(split_batches(digests, 1_000, 20))
    assert [digest for batch in batches for digest in batch] == digests
    assert all(sum(digest.size + 20 for digest in batch) <= 1_000 for batch in batches)


@pytest.mark.parametrize("text", ["grpc://h:1", "grpcs://cache.example.org:443/team/one", "grpc://[::1]:50051"])
def test_an_address_is_shown_as_it_is_written(text: str) -> None:
    assert str(parse_address(text, "here")) == text


@pytest.mark.parametrize(
    "text",
    ["", "h:1", "http://h:1", "grpc://h", "grpc://h:0", "grpc://h:65536", "grpc://u:p@h:1", "grpc://h:1/uploads"],
)
def test_another_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_address(text, "here")


def _digest(message: reapi.Digest) -> Digest:
    return Digest(message.hash, message.size_bytes)
