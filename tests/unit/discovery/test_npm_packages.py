from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from verigate.composition.adapters import RepositoryAdapters
from verigate.discovery.package_digest import package_digest
from verigate.domain.adapter_package import PACKAGE_NAME, locate_copies, locate_in_copy
from verigate.domain.manifest import Origin, Registry
from verigate.errors import ConfigError
from verigate.subject.pinned_packages import copy_packages, read_pinned_names

MANIFEST = {"name": "theirs", "version": "1.0.0", "entry": "bin/run", "capabilities": ["my:check"]}
PINS = "config/adapter-packages.json"


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def package(root: Path, name: str = "@acme/gate-check", key: Any = None, folder: str = "gate") -> Path:
    place = root / "node_modules" / name
    document = {"name": name, "version": "1.0.0", "verigate": {"adapter": folder} if key is None else key}
    put(place / "package.json", {key: value for key, value in document.items() if value != "no key"})
    put(place / "gate" / "manifest.json", MANIFEST)
    put(place / "gate" / "bin" / "run", "#!/bin/sh\n").chmod(0o755)
    return place


def repository(root: Path, *dependencies: str, pins: Mapping[str, str] | None = None) -> Path:
    put(root / "package.json", {"devDependencies": dict.fromkeys(dependencies, "1.0.0")})
    if pins is not None:
        put(root / PINS, {"npm": dict(pins)})
    return root


def found(root: Path, stands: str | None = None) -> Registry:
    return RepositoryAdapters(str(root / "builtin"), {}).discover(str(root), stands)


def test_an_unpinned_package_is_reported_and_serves_nothing(tmp_path: Path) -> None:
    place = package(repository(tmp_path, "@acme/gate-check"))
    registry = found(tmp_path)
    assert registry.manifests == ()
    (warning,) = registry.warnings
    pins = warning.partition("use it, add ")[2].partition(" to ")[0]
    assert json.loads(pins) == {"npm": {"@acme/gate-check": package_digest(str(place))}}
    put(tmp_path / PINS, pins)
    registry = found(tmp_path)
    assert registry.warnings == ()
    assert [(manifest.name, manifest.origin) for manifest in registry.manifests] == [("theirs", Origin.NPM)]
    assert registry.manifests[0].entry_path == f"{place}/gate/bin/run"


def test_what_a_run_finds_is_its_copy_and_stands_where_it_was_installed(tmp_path: Path) -> None:
    root, copy = tmp_path / "root", tmp_path / "copy"
    place = package(repository(root, "@acme/gate-check"))
    put(copy / PINS, {"npm": {"@acme/gate-check": package_digest(str(place))}})
    copy_packages(read_pinned_names(str(copy / PINS)), str(root / "node_modules"), locate_copies(str(copy)))
    # What is done to the installed package after that is none of the run's business.
    put(place / "gate" / "bin" / "run", "#!/bin/sh\nexit 0\n")
    manifest = found(copy, str(root)).manifests[0]
    assert manifest.folder == f"{place}/gate"
    assert locate_in_copy(manifest.entry_path, str(root), str(copy)) == f"{copy}.npm/@acme/gate-check/gate/bin/run"
    assert Path(f"{copy}.npm/@acme/gate-check/gate/bin/run").read_text() == "#!/bin/sh\n"
    assert os.access(f"{copy}.npm/@acme/gate-check/gate/bin/run", os.X_OK)


def test_a_pin_comes_after_the_repository_s_own_adapters_and_before_all_others(tmp_path: Path) -> None:
    place = package(repository(tmp_path))
    put(tmp_path / PINS, {"npm": {"@acme/gate-check": package_digest(str(place))}})
    put(tmp_path / "adapters" / "own" / "manifest.json", {**MANIFEST, "name": "own"})
    put(tmp_path / "builtin" / "adapters" / "code" / "manifest.json", {**MANIFEST, "name": "code"})
    assert [manifest.name for manifest in found(tmp_path).providers["my:check"]] == ["own", "theirs", "code"]


def edit(place: Path) -> None:
    put(place / "gate" / "bin" / "run", "#!/bin/sh\nexit 0\n").chmod(0o755)


def add(place: Path) -> None:
    put(place / "gate" / "extra", "")


def remove(place: Path) -> None:
    (place / "package.json").unlink()


def disarm(place: Path) -> None:
    (place / "gate" / "bin" / "run").chmod(0o644)


def link_out(place: Path) -> None:
    (place / "out").symlink_to("/etc/passwd")


def replace_by_link(place: Path) -> None:
    (place / "gate" / "bin" / "run").unlink()
    (place / "gate" / "bin" / "run").symlink_to("../manifest.json")


def pipe(place: Path) -> None:
    os.mkfifo(place / "pipe")


def uninstall(place: Path) -> None:
    place.rename(place.with_name("elsewhere"))


def without_manifest(place: Path) -> None:
    (place / "gate" / "manifest.json").unlink()


def broken_manifest(place: Path) -> None:
    put(place / "gate" / "manifest.json", "{")


# A pipe isn't copied, and so the copy is what its pin says.
CHANGED = [edit, add, remove, disarm, link_out, replace_by_link, pipe, uninstall, without_manifest, broken_manifest]


@pytest.mark.parametrize(
    ("change", "copied"),
    [(change, copied) for change in CHANGED for copied in (False, True) if not (copied and change is pipe)],
)
def test_a_package_that_is_not_what_its_pin_says_stops_the_gate(tmp_path: Path, change: Any, copied: bool) -> None:
    root = tmp_path / "root"
    place = package(repository(root, "@acme/gate-check"))
    put(root / PINS, {"npm": {"@acme/gate-check": package_digest(str(place))}})
    change(place)
    policy = root
    if copied:
        policy = tmp_path / "copy"
        put(policy / PINS, (root / PINS).read_text())
        copy_packages(read_pinned_names(str(policy / PINS)), str(root / "node_modules"), locate_copies(str(policy)))
    with pytest.raises(ConfigError) as caught:
        found(policy, str(root) if copied else None)
    assert caught.value.exit_code == 2
    assert caught.value.faults[0].file == PINS
    assert caught.value.faults[0].pointer == "/npm/@acme~1gate-check"
    assert "@acme/gate-check" in str(caught.value)


KEYS: dict[str, Any] = {
    "leads out": {"adapter": "../gate"},
    "absolute": {"adapter": "/gate"},
    "empty": {"adapter": ""},
    "no text": {"adapter": 1},
    "no object": "gate",
    "a list": ["gate"],
    "not there": {"adapter": "elsewhere"},
    "null byte": {"adapter": "gate\0"},
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_names_no_adapter_is_told(tmp_path: Path, name: str) -> None:
    place = package(repository(tmp_path, "@acme/gate-check"), key=KEYS[name])
    (warning,) = found(tmp_path).warnings
    assert warning.startswith("npm package @acme/gate-check can't be used for adapters: its ")
    put(tmp_path / PINS, {"npm": {"@acme/gate-check": package_digest(str(place))}})
    with pytest.raises(ConfigError, match="npm package @acme/gate-check: its "):
        found(tmp_path)


BROKEN = {
    "name leads out": {"npm": {"../x": "sha256:" + "0" * 64}},
    "name is deep": {"npm": {"@a/b/c": "sha256:" + "0" * 64}},
    "short digest": {"npm": {"x": "sha256:0"}},
    "no digest": {"npm": {"x": "latest"}},
    "unknown registry": {"pypi": {}},
    "no object": [],
}


@pytest.mark.parametrize("name", BROKEN)
def test_pins_that_can_not_be_read_stop_the_gate(tmp_path: Path, name: str) -> None:
    put(tmp_path / PINS, BROKEN[name])
    with pytest.raises(ConfigError):
        found(tmp_path)
    assert [pin for pin in read_pinned_names(str(tmp_path / PINS)) if not PACKAGE_NAME.fullmatch(pin)] == []


def test_only_named_dependencies_are_looked_at_and_only_their_first_level(tmp_path: Path) -> None:
    repository(tmp_path, "plain", "../outside", "gone")
    package(tmp_path, "plain", key="no key")
    package(tmp_path, "plain/node_modules/deep")
    package(tmp_path, "not-a-dependency")
    package(tmp_path, "../outside")
    assert found(tmp_path).warnings == ()


def test_the_digest_is_of_paths_contents_links_and_executable_bits_alone(tmp_path: Path) -> None:
    one, two = package(tmp_path / "a"), package(tmp_path / "b")
    (one / "alias").symlink_to("gate")
    (two / "alias").symlink_to("gate")
    os.utime(two / "package.json", (1, 1))
    (two / "package.json").chmod(0o600)
    (two / "empty-folder").mkdir()
    assert package_digest(str(one)) == package_digest(str(two))
    (two / "alias").unlink()
    (two / "alias").symlink_to("gate/bin")
    assert package_digest(str(one)) != package_digest(str(two))


def test_a_package_with_nothing_in_it_has_no_digest(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no files"):
        package_digest(str(tmp_path))
    (tmp_path / "a\nb").write_text("")
    with pytest.raises(ValueError, match="line end"):
        package_digest(str(tmp_path))
