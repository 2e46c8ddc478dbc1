"""Crates as their developers build them: their own home of cargo, workspaces, own test programs, what is missing."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from code_repo import make_repo
from suite_repository import failures, judge, make_suite

CARGO = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
LIB = "pub fn one() -> i32 { 1 }\n#[test]\nfn unit() { assert_eq!(one(), 1); }\n"
IGNORED = {".gitignore": "target\nCargo.lock\n"}
STABLE = """
use std::process::Command;

#[test]
fn the_compiler_is_stable() {
    for program in ["rustc", &std::env::var("CARGO").unwrap().replace("bin/cargo", "bin/rustc")] {
        let source = std::env::temp_dir().join("unstable.rs");
        std::fs::write(&source, "#![feature(never_type)]\\nfn main() {}\\n").unwrap();
        let out = Command::new(program).arg("--emit=metadata").arg(&source).current_dir(std::env::temp_dir()).output();
        assert!(String::from_utf8_lossy(&out.unwrap().stderr).contains("E0554"));
    }
}
"""
PROBING = """
fn main() {
    println!("cargo:rerun-if-env-changed=RUSTC_BOOTSTRAP");
    println!("cargo:rustc-env=SEEN={:?}", std::env::var("RUSTC_BOOTSTRAP").ok());
}
"""


def test_nothing_but_libtest_takes_the_compiler_for_a_nightly_one(tmp_path: Path) -> None:
    files = {"Cargo.toml": CARGO, "src/lib.rs": LIB, "build.rs": PROBING, "tests/stable.rs": STABLE, **IGNORED}
    files["tests/seen.rs"] = '#[test]\nfn unseen() { assert_eq!(env!("SEEN"), "None"); }\n'
    tests = make_repo(tmp_path, files).run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], tests["failures"]) == (3, [])


DOCUMENTED = "/// ```\n/// assert_eq!(demo::two(), 2);\n/// ```\npub fn two() -> i32 { 2 }\n"


def test_a_program_with_its_own_main_function_is_one_test(tmp_path: Path) -> None:
    target = '[[test]]\nname = "own"\nharness = false\n'
    files = {"Cargo.toml": CARGO + target, "src/lib.rs": LIB + DOCUMENTED, "tests/with.rs": LIB, **IGNORED}
    files["tests/own.rs"] = "fn main() { assert_eq!(std::env::args().count(), 1); }\n"
    repo = make_repo(tmp_path, files)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], tests["total"]) == (4, 4)
    repo.write({"tests/own.rs": 'fn main() { eprintln!("one failed"); std::process::exit(1) }\n'})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], [each["id"] for each in tests["failures"]]) == (3, ["own"])
    assert "one failed" in tests["failures"][0]["message"]


def test_all_members_of_a_workspace_and_no_examples_or_benches(tmp_path: Path) -> None:
    files = {"Cargo.toml": '[workspace]\nmembers = ["a", "b"]\ndefault-members = ["a"]\nresolver = "2"\n', **IGNORED}
    for name in "ab":
        files[f"{name}/Cargo.toml"] = CARGO.replace("demo", name)
        files[f"{name}/src/lib.rs"] = LIB
        files[f"{name}/examples/ex.rs"] = "fn main() {}\n#[test]\nfn example() {}\n"
        files[f"{name}/benches/be.rs"] = "fn main() {}\n"
    repo = make_repo(tmp_path, files)
    assert repo.run("code:tests", gated=True).json("tests.json")["total"] == 2
    repo.write({"b/examples/ex.rs": "fn main() { nothing() }\n"})
    (failure,) = repo.run("code:tests", gated=True).json("tests.json")["failures"]
    assert (failure["path"], failure["line"]) == ("b/examples/ex.rs", 1)


def test_crates_that_are_not_downloaded_are_named_with_the_command(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"Cargo.toml": CARGO + '[dependencies]\nnowhere = "1"\n', "src/lib.rs": LIB, **IGNORED})
    for capability in ("code:tests", "code:build", "code:lint"):
        answer = repo.run(capability, gated=True)
        assert answer.exit_code == 1
        assert "crates are not on this machine: nowhere" in answer.stderr
        assert "run cargo fetch" in answer.stderr


def test_crates_that_a_folder_of_sources_lacks_are_named(tmp_path: Path) -> None:
    settings = f'[source.crates-io]\nreplace-with = "own"\n[source.own]\ndirectory = "{tmp_path}/sources"\n'
    (tmp_path / "sources").mkdir()
    manifest = CARGO + '[dependencies]\nnowhere = "1"\n'
    repo = make_repo(tmp_path / "r", {"Cargo.toml": manifest, "src/lib.rs": LIB, ".cargo/config.toml": settings})
    assert "crates are not on this machine: nowhere" in repo.run("code:tests", gated=True).stderr


@pytest.mark.parametrize("manifest", [CARGO + '[dependencies]\nb = { path = "b" }\n', CARGO + "[nonsense"])
def test_a_fault_of_the_manifest_is_a_failure(tmp_path: Path, manifest: str) -> None:
    repo = make_repo(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": LIB, **IGNORED})
    assert repo.run("code:tests", gated=True).json("tests.json")["failed"] == 1
    assert repo.run("code:build", gated=True).json("build.json")["success"] is False


def test_a_version_of_rust_that_is_not_there_is_named(tmp_path: Path) -> None:
    manifest = CARGO + 'rust-version = "1.999"\n'
    answer = make_repo(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": LIB, **IGNORED}).run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "Rust is too old here" in answer.stderr
    assert "install a newer Rust" in answer.stderr


def _publish(folder: Path, name: str, files: dict[str, str]) -> None:
    """Put a crate into a local registry: https://doc.rust-lang.org/cargo/reference/source-replacement.html."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0.0/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    crate = packed.getvalue()
    index = folder / "index" / name[:2] / name[2:4] / name
    index.parent.mkdir(parents=True)
    (folder / f"{name}-1.0.0.crate").write_bytes(crate)
    checksum = hashlib.sha256(crate).hexdigest()
    entry_text = {"name": name, "vers": "1.0.0", "deps": [], "cksum": checksum, "features": {}, "yanked": False}
    index.write_text(json.dumps(entry_text) + "\n")


def test_crates_are_unpacked_and_checked_out_without_touching_the_users_home(tmp_path: Path) -> None:
    _publish(tmp_path / "registry", "addone", {"Cargo.toml": CARGO.replace("demo", "addone").replace("0.1", "1.0"),
                                               "src/lib.rs": "pub fn add(n: i32) -> i32 { n + 1 }\n"})  # fmt: skip
    other = make_repo(tmp_path / "other", {"Cargo.toml": CARGO.replace("demo", "other"), "src/lib.rs": LIB}).root
    settings = f'[source.crates-io]\nreplace-with = "local"\n[source.local]\nlocal-registry = "{tmp_path}/registry"\n'
    manifest = CARGO + f'[dependencies]\naddone = "1"\nother = {{ git = "file://{other}" }}\n'
    body = "#[test]\nfn both() { assert_eq!(addone::add(other::one()), 2); }\n"
    repository = make_suite(
        tmp_path / "r", {"Cargo.toml": manifest, "src/lib.rs": body, ".gitignore": "target\n"}, build=True
    )
    home = tmp_path / "cargo"
    home.mkdir()
    (home / "config.toml").write_text(settings + f'[build]\ntarget-dir = "{tmp_path}/elsewhere"\n')
    environ = {**os.environ, "CARGO_HOME": str(home)}
    subprocess.run(["cargo", "generate-lockfile"], cwd=repository.root, env=environ, check=True)
    subprocess.run(["cargo", "fetch"], cwd=repository.root, env=environ, check=True)
    repository.sample.commit("locked")
    for place in (home / "registry/src", home / "git/checkouts"):
        place.rename(tmp_path / place.name)
    before = sorted(path.relative_to(home) for path in home.rglob("*"))
    # The registry is a folder that a sandbox hides otherwise.
    done = judge(repository, CARGO_HOME=str(home), GOPATH=str(tmp_path / "registry"))
    assert done.code == 0, (done.output, failures(repository))
    assert sorted(path.relative_to(home) for path in home.rglob("*")) == before
    assert not (tmp_path / "elsewhere").exists()
