from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import literal_facts as lf
import pytest

from verigate.config.validation import check_media
from verigate.domain.manifest import Capability, Manifest, Origin, Output
from verigate.domain.plan import PlannedCapability
from verigate.domain.ports import Collected
from verigate.evidence.staging import RunStaging

INPUTS = {"commitment.json": b'{"task_id":"T1"}', "claim.json": b'{"task_id":"T1"}'}


def planned(name: str, *outputs: Output, media_specs: dict[str, Any] | None = None) -> PlannedCapability:
    capability = Capability(name, outputs=outputs, as_string=not outputs)
    manifest = Manifest(
        "a", "1", "run", "/a", Origin.PATH, "d", capabilities=(capability,), media_specs=media_specs or {}
    )
    return PlannedCapability(name, True, ("test",), manifest)


def staging(root: Path) -> RunStaging:
    return RunStaging(root, "T1", INPUTS, check_media)


def collect(
    root: Path, capability: PlannedCapability, files: dict[str, bytes | Any], stage: RunStaging | None = None
) -> Collected:
    stage = stage or staging(root)
    folder = stage.open(capability, ())
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return stage.collect(capability, folder)


def test_the_folder_ends_in_the_task_id_and_holds_the_inputs(tmp_path: Path) -> None:
    folder = staging(tmp_path).open(planned("my:check"), ())
    assert folder.name == "T1"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == INPUTS


def test_what_was_written_is_attributed_typed_and_hashed(tmp_path: Path) -> None:
    found = collect(tmp_path, planned("code:lint"), {"lint.json": lf.GOOD["lint.json"], "lint.meta.json": {"a": 1}})
    assert found.failure is None
    by_path = {item.path: item for item in found.artifacts}
    assert by_path["lint.json"].media_spec == "verigate:lint.v1"
    assert by_path["lint.meta.json"].media_spec is None
    assert {item.producer for item in found.artifacts} == {"code:lint"}


def test_volatile_values_are_in_the_bytes_and_not_in_the_digest(tmp_path: Path) -> None:
    digests = set()
    hashes = set()
    for index, duration in enumerate((1, 2.5)):
        value = {**lf.GOOD["tests.json"], "duration": duration, "timestamp": f"2024-01-0{index + 1}T00:00:00Z"}
        found = collect(tmp_path / str(index), planned("code:tests"), {"tests.json": value})
        digests.add(found.artifacts[0].digest)
        hashes.add(found.artifacts[0].sha256)
    assert (len(digests), len(hashes)) == (1, 2)


def test_the_digest_does_not_hang_on_how_the_json_was_written(tmp_path: Path) -> None:
    value = lf.GOOD["lint.json"]
    forms = (json.dumps(value), json.dumps(value, indent=4, sort_keys=True), json.dumps(dict(reversed(value.items()))))
    digests = {
        collect(tmp_path / str(index), planned("code:lint"), {"lint.json": text.encode()}).artifacts[0].digest
        for index, text in enumerate(forms)
    }
    assert len(digests) == 1


@pytest.mark.parametrize("path", ["mine/run.json", "./mine/run.json"])
def test_what_a_planned_capability_declares_is_its_own_before_it_has_run(tmp_path: Path, path: str) -> None:
    """Tests run the change's own code, which could write what an optional capability after them is to say."""
    mine, tests = planned("mine:check", Output(path)), planned("code:tests")
    stage = RunStaging(tmp_path, "T1", INPUTS, check_media, (tests, mine))
    forged = collect(tmp_path, tests, {"tests.json": lf.GOOD["tests.json"], "mine/run.json": {"errors": 0}}, stage)
    assert forged.failure is not None
    assert forged.failure.reason == "ARTIFACT_CONFLICT"
    assert forged.failure.message == "it wrote mine/run.json, which belongs to mine:check"
    assert "mine/run.json" not in stage.accepted.paths


@pytest.mark.parametrize(("origin", "reason"), [(Origin.BUILTIN, "ARTIFACT_CONFLICT"), (Origin.REPOSITORY, None)])
def test_what_ships_writes_what_it_declares_and_nothing_else(
    tmp_path: Path, origin: Origin, reason: str | None
) -> None:
    """code:tests runs the change's own code, and audit.txt would be shown to a verifier as evidence."""
    capability = Capability("code:tests", outputs=(Output("tests.json", "verigate:tests.v1"),), as_string=False)
    manifest = Manifest("code", "1", "run", "/a", origin, "d", capabilities=(capability,))
    tests = PlannedCapability("code:tests", True, ("test",), manifest)
    found = collect(tmp_path, tests, {"tests.json": lf.GOOD["tests.json"], "audit.txt": b"No endpoint leaks.\n"})
    assert (found.failure and found.failure.reason) == reason


INVALID: dict[str, bytes | Any] = {
    "empty": b"",
    "truncated": b'{"errors": 1,',
    "NaN": json.dumps({**lf.GOOD["lint.json"], "x": float("nan")}).encode(),
    "infinity": b'{"errors":0,"warnings":0,"files_checked":1,"issues":[],"x":1e999}',
    "repeated key": b'{"errors":1,"errors":0,"warnings":0,"files_checked":1,"issues":[]}',
    "not UTF-8": b'{"errors":0,"warnings":0,"files_checked":1,"issues":[],"x":"\xff"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "too deep": b"[" * 5000 + b"]" * 5000,
    "large integer": b'{"errors":9007199254740993,"warnings":0,"files_checked":1,"issues":[]}',
    "missing field": {"errors": 0, "warnings": 0, "issues": []},
    "wrong type": {**lf.GOOD["lint.json"], "errors": "0"},
    "negative": {**lf.GOOD["lint.json"], "errors": -1},
    "array": [],
    "counts contradict": {**lf.GOOD["lint.json"], "issues": [{"severity": "error"}]},
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_artifact_fails_its_capability_whole(tmp_path: Path, name: str) -> None:
    stage = staging(tmp_path)
    found = collect(tmp_path, planned("code:lint"), {"a-first.json": {}, "lint.json": INVALID[name]}, stage)
    assert found.failure is not None
    assert found.failure.reason == "ARTIFACT_INVALID"
    assert "lint.json" in found.failure.message
    assert found.artifacts == ()
    assert stage.accepted.paths == (), "nothing of a capability that failed is published"


@pytest.mark.parametrize("content", [b"{", b"NaN", b'{"a":1,"a":2}', b"\xff"])
def test_any_json_file_is_strict_json(tmp_path: Path, content: bytes) -> None:
    found = collect(tmp_path, planned("my:check"), {"deep/other.json": content})
    assert found.failure is not None
    assert found.failure.reason == "ARTIFACT_INVALID"


def test_other_files_are_taken_as_they_are(tmp_path: Path) -> None:
    found = collect(tmp_path, planned("my:check"), {"notes.txt": b"\xff\x00", "x/y.bin": b""})
    assert found.failure is None
    assert [item.path for item in found.artifacts] == ["notes.txt", "x/y.bin"]
    assert all(item.digest == item.sha256 for item in found.artifacts)


def test_nothing_written_and_a_declared_artifact_missing(tmp_path: Path) -> None:
    for number, (capability, files) in enumerate(
        [
            (planned("my:check"), {}),
            (planned("code:diff"), {"diff.json": lf.GOOD["diff.json"]}),
            (planned("my:check", Output("due.json")), {"other.json": {}}),
        ]
    ):
        found = collect(tmp_path / str(number), capability, files)
        assert found.failure is not None
        assert found.failure.reason == "ARTIFACT_MISSING"


@pytest.mark.parametrize(
    "path",
    ["commitment.json", "claim.json", "verdict.json", "run.json", "artifacts.json", "checksums.sha256",
     "attestation.json", "UNVERIFIED", "logs/x.out", "tests.json"],
)  # fmt: skip
def test_a_reserved_name_or_another_s_path_is_a_conflict(tmp_path: Path, path: str) -> None:
    found = collect(tmp_path, planned("my:check"), {"mine.json": {}, path: lf.GOOD["tests.json"]})
    assert found.failure is not None
    assert found.failure.reason == "ARTIFACT_CONFLICT"


def test_a_changed_or_removed_copy_is_a_conflict_and_the_producer_s_version_stands(tmp_path: Path) -> None:
    stage = staging(tmp_path)
    lint, mine = planned("code:lint"), planned("my:check")
    folder = stage.open(lint, ())
    (folder / "lint.json").write_text(json.dumps(lf.BAD["lint.json"]))
    honest = stage.collect(lint, folder)
    for name, act in (("my:one", "change"), ("my:two", "remove")):
        second = stage.open(planned(name), honest.artifacts)
        (second / "mine.json").write_text("{}")
        if act == "change":
            (second / "lint.json").write_text(json.dumps(lf.GOOD["lint.json"]))
        else:
            (second / "lint.json").unlink()
        found = stage.collect(planned(name), second)
        assert found.failure is not None
        assert found.failure.reason == "ARTIFACT_CONFLICT"
    assert json.loads(stage.accepted.read("lint.json")) == lf.BAD["lint.json"]
    third = stage.open(mine, honest.artifacts)
    assert json.loads((third / "lint.json").read_text()) == lf.BAD["lint.json"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("x", "x/y.json"), ("x/y.json", "x"), ("a.json", "verdict.json/a.json"), ("a.json", "logs/a.json")],
)
def test_a_file_in_the_place_of_a_folder_is_a_conflict(tmp_path: Path, first: str, second: str) -> None:
    stage = staging(tmp_path)
    reasons = []
    for name, path in (("my:one", first), ("my:two", second)):
        folder = stage.open(planned(name), ())
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("{}")
        found = stage.collect(planned(name), folder)
        reasons.append(found.failure.reason if found.failure else None)
    assert reasons == [None, "ARTIFACT_CONFLICT"]


def test_links_pipes_and_names_that_lead_astray(tmp_path: Path) -> None:
    import os

    secret = tmp_path / "secret.json"
    secret.write_text('{"token": 1}')
    acts = {
        "link out": lambda folder: (folder / "x.json").symlink_to(secret),
        "relative link out": lambda folder: (folder / "x.json").symlink_to("../../../secret.json"),
        "link to nothing": lambda folder: (folder / "x.json").symlink_to("gone.json"),
        "circle": lambda folder: (folder / "x.json").symlink_to("x.json"),
        "pipe": lambda folder: os.mkfifo(folder / "x.json"),
        "newline": lambda folder: (folder / "a\nb.json").write_text("{}"),
        "not UTF-8": lambda folder: Path(os.fsdecode(os.fsencode(folder) + b"/\xff.json")).write_text("{}"),
        "backslash": lambda folder: (folder / "a\\b.json").write_text("{}"),
        "folder link": lambda folder: (folder / "x").symlink_to(tmp_path),
    }
    for number, (name, act) in enumerate(acts.items()):
        stage = staging(tmp_path / str(number))
        folder = stage.open(planned("my:check"), ())
        (folder / "fine.json").write_text("{}")
        act(folder)
        found = stage.collect(planned("my:check"), folder)
        assert found.failure is not None, name
        assert found.failure.reason == "ARTIFACT_INVALID", name


def test_a_link_inside_the_folder_is_read_as_what_it_names(tmp_path: Path) -> None:
    stage = staging(tmp_path)
    folder = stage.open(planned("my:check"), ())
    (folder / "real.json").write_text('{"a": 1}')
    (folder / "also.json").symlink_to("real.json")
    found = stage.collect(planned("my:check"), folder)
    assert found.failure is None
    assert [item.value for item in found.artifacts] == [{"a": 1}, {"a": 1}]


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    stage = staging(tmp_path)
    folder = stage.open(planned("my:check"), ())
    with (folder / "huge.json").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    found = stage.collect(planned("my:check"), folder)
    assert found.failure is not None
    assert found.failure.reason == "ARTIFACT_INVALID"
    assert "MiB" in found.failure.message


def test_a_declared_media_spec_is_enforced_and_its_own_volatile_places_count(tmp_path: Path) -> None:
    specs = {"my:check.v1": {"media_type": "application/json", "schema": {"type": "object", "required": ["ok"]}}}
    capability = planned("my:check", Output("check.json", "my:check.v1", ("/at",)), media_specs=specs)
    refused = collect(tmp_path / "a", capability, {"check.json": {"at": 1}})
    assert refused.failure is not None
    assert refused.failure.reason == "ARTIFACT_INVALID"
    digests = {
        collect(tmp_path / f"b{at}", capability, {"check.json": {"ok": True, "at": at}}).artifacts[0].digest
        for at in (1, 2)
    }
    assert len(digests) == 1
