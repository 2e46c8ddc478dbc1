"""Adapters that are sent to a server: installed if they conform, in the sandbox, and found by its commands.

Starts git, sh, bubblewrap, strace and the gate, which checks, lists and serves.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import served
from served_client import BASE, TOKEN, client_of

from verigate.serve.installed_adapters import InstalledAdapters

ROOT = Path(__file__).resolve().parents[2]
API = "/api/v1"
BEARER = {"authorization": f"Bearer {TOKEN}"}
TAR = {**BEARER, "content-type": "application/x-tar"}
DEBT = ROOT / "examples/adapters/debt"


def pack(files: Mapping[str, tuple[bytes, int]]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, (content, mode) in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


def read_files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def with_manifest(**changed: Any) -> dict[str, tuple[bytes, int]]:
    manifest = {**json.loads((DEBT / "manifest.json").read_bytes()), **changed}
    return {**read_files(DEBT), "manifest.json": (json.dumps(manifest).encode(), 0o644)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Server]:
    folder = tmp_path_factory.mktemp("adapters")
    (folder / "shop/.artifacts").mkdir(parents=True)
    (folder / "home").mkdir()
    arguments = ("--root", str(folder / "shop"), "--adapters", str(folder / "installed"))
    with served.start(
        folder / "shop", home=folder / "home", arguments=arguments, environ={"GATE_SERVE_TOKEN": TOKEN}
    ) as found:
        found.output.append(str(folder))
        yield found


def folder_of(server: served.Server) -> Path:
    return next(Path(line) for line in server.output if line.startswith("/"))


def put(server: served.Server, name: str, files: Mapping[str, tuple[bytes, int]]) -> served.Answer:
    return server.ask(f"{API}/adapters/{name}", "PUT", pack(files), TAR)  # type: ignore[arg-type]


def list_adapters(server: served.Server) -> set[tuple[str, str]]:
    found = json.loads(server.ask(f"{API}/repositories/shop/adapters/reload", "POST", headers=BEARER).body)
    return {(each["name"], each["origin"]) for each in found["adapters"]}


@pytest.mark.slow
def test_what_conforms_is_installed_and_can_be_removed(server: served.Server) -> None:
    begun = put(server, "debt", read_files(DEBT))
    assert begun.status == 202, begun
    again = put(server, "debt", read_files(DEBT))
    assert (again.status, "checked already" in again.text) == (409, True)
    assert ("debt", "path") not in list_adapters(server)
    run = server.wait_for(begun.headers["location"], "state", "ended", within_s=120)
    assert (run["exit_code"], run["problem"]) == (0, ""), run
    assert json.loads(run["output"])["conditions"]["sandbox"] in {"bubblewrap", "namespaces"}, run["output"]
    assert ("debt", "path") in list_adapters(server)
    place = folder_of(server) / "installed"
    assert read_files(place / "debt").keys() == read_files(DEBT).keys()
    assert (place / "debt/bin/adapter-debt").stat().st_mode & 0o7777 == 0o755
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []
    removed = server.ask(f"{API}/adapters/debt", "DELETE", headers=BEARER)
    assert (removed.status, json.loads(removed.body)) == (200, {"adapter": "debt"})
    assert ("debt", "path") not in list_adapters(server)
    assert server.ask(f"{API}/adapters/debt", "DELETE", headers=BEARER).status == 404


@pytest.mark.slow
def test_what_does_not_conform_is_not_installed(server: served.Server) -> None:
    files = {**read_files(DEBT), "bin/adapter-debt": (b"#!/bin/sh\necho '{}' >debt.json\nexit 7\n", 0o755)}
    begun = put(server, "debt", files)
    assert begun.status == 202, begun
    run = server.wait_for(begun.headers["location"], "state", "ended", within_s=120)
    assert run["exit_code"] == 1, run
    assert "not installed" in run["problem"]
    assert not (folder_of(server) / "installed/debt").exists()
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("debt", {"debt/manifest.json": (b"{}", 0o644)}, "no manifest.json at the top"),
        ("debt", {"manifest.json": (b"{", 0o644)}, "not a manifest"),
        ("debt", {"manifest.json": (b"{}", 0o644)}, "not a manifest"),
        ("other", read_files(DEBT), "calls itself 'debt'"),
        ("debt", with_manifest(capabilities=["code:tests"]), "a built-in adapter has code:tests already"),
        ("debt", with_manifest(capabilities=[{"name": "bandit:scan"}]), "a built-in adapter has bandit:scan"),
        # Discovery reads these as well: as definitions of capabilities, or as tools.
        (
            "debt",
            {**read_files(DEBT), "more.toml": (b'[urn.tags]\nop = "tests"\n', 0o644)},
            "'more.toml' is at the top",
        ),
        ("debt", {**read_files(DEBT), "more.TOML": (b"[", 0o644)}, "'more.TOML' is at the top"),
        ("debt", {**read_files(DEBT), "../../evil": (b"x", 0o755)}, "leads elsewhere"),
    ],
)
def test_what_can_not_be_taken_is_refused_before_anything_runs(
    server: served.Server, name: str, files: Mapping[str, tuple[bytes, int]], said: str
) -> None:
    refused = put(server, name, files)
    assert (refused.status, said in json.loads(refused.body)["detail"]) == (422, True), refused
    assert list((folder_of(server) / "installed").iterdir()) == []
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []


def test_only_a_server_that_was_asked_to_takes_adapters(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    path = f"{API}/adapters/debt"
    for read_only in (False, True):
        with client_of(tmp_path / "shop", tmp_path, read_only=read_only) as client:
            assert "installAdapter" not in client.get(f"{API}/openapi.json").text
            for method in ("PUT", "DELETE"):
                assert client.request(method, path, headers=TAR, content=b"x").status_code == 403
    with client_of(tmp_path / "shop", tmp_path) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}):
            assert client.put(path, headers=headers, content=b"x").status_code == 401
        assert client.delete(path, headers={**BEARER, "origin": f"{BASE}0"}).status_code == 403


def test_only_what_was_installed_is_removed(tmp_path: Path) -> None:
    installed = InstalledAdapters(tmp_path / "installed", ())
    (tmp_path / "kept").mkdir()
    (tmp_path / "installed/link").symlink_to(tmp_path / "kept")
    for name in ("..", ".", "", "link", "../kept", "none", "a/b"):
        assert not installed.remove(name), name
    assert (tmp_path / "kept").is_dir()
