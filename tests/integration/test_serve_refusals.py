"""What a server says about what it doesn't take names no folder of its own. Starts the gate, which makes a key."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import forked_programs
import pytest
from sample_repository import clean_environ
from served_client import BASE, GATE, TOKEN
from starlette.testclient import TestClient

from verigate.composition.serve import PushWanted, make_site
from verigate.errors import EvidenceError
from verigate.serve.web.access import Access
from verigate.serve.web.api.refusals import refuse_evidence
from verigate.serve.web.app import make_app

HEADERS = {"authorization": f"Bearer {TOKEN}", "content-type": "application/x-tar"}


def pack(files: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


def test_a_refused_push_is_told_without_the_servers_folders(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    environ = {**clean_environ(), "HOME": str(tmp_path)}
    made = forked_programs.gate(
        ("attest", "keygen", str(tmp_path / "key")), cwd=tmp_path / "work", env=environ, stdin=b""
    )
    assert made.returncode == 0, made.stderr
    wanted = PushWanted((tmp_path / "key.pub",), tmp_path / "pushed", 10**9)
    access = Access("127.0.0.1", 8642, TOKEN)
    site = make_site(access, environ, GATE, repository=None, folders=[tmp_path / "no"], rebuild=False, push=wanted)
    with TestClient(make_app(site), base_url=BASE) as client:
        for files in (
            {"a": b""},
            {"verdict.json": b"{"},
            {"artifacts.json": b"{}", "verdict.json": b"{}"},
            {"verdict.intoto.jsonl": b"{}\n", "artifacts.json": b"[]"},
            {"verdict.intoto.jsonl": b"", "artifacts.json": b"[]", "verdict.json": b"{}"},
        ):
            refused = client.put("/api/v1/pushed/T1", content=pack(files), headers=HEADERS)
            assert refused.status_code == 422, refused.text
            assert str(tmp_path) not in refused.text, (files, refused.text)
            assert ".incoming" not in refused.text, (files, refused.text)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("/srv/it (x)/.incoming/tmpa1/.artifacts/T1/verdict.json", "T1/verdict.json"),
        ("/srv/it (x)/.incoming/tmpa1/archive.tar", "archive.tar"),
        ("/srv/it (x)/shop-0123456789ab", "/shop-0123456789ab"),
        ("the archive", "the archive"),
    ],
)
def test_paths_are_those_in_what_was_sent(said: str, told: str) -> None:
    refused = refuse_evidence(EvidenceError(f"bad: {said}", where=said, hint=f"look at {said}"), Path("/srv/it (x)"))
    assert (refused.status, str(refused), refused.hint) == (422, f"bad: {told} ({told})", f"look at {told}")
