"""How go is called, and what its errors mean."""

from __future__ import annotations

import os
from collections import UserList
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_adapter.subject_files import SubjectFiles, filter_topmost
from code_adapter.testing.go_suite import split_by_package
from code_adapter.testing.make_test import read_go_options
from code_adapter.toolchains import go_cache
from code_adapter.toolchains.go import group_by_module, require_modules
from verigate.sdk import ToolFailed, ToolRun


@pytest.mark.parametrize(
    ("makefile", "options"),
    [
        ("test:\n\tgo test -race -cover -coverprofile=c.out -v ./...\n", ("-race", "-cover", "-cover")),
        (
            "test:\n\tgo test -coverprofile c.out -covermode atomic -coverpkg=./... -p 4 -parallel 4 ./...\n",
            ("-cover", "-covermode=atomic", "-coverpkg=./...", "-p", "4", "-parallel", "4"),
        ),
        ("test:\n\t@$(GO) test -tags integration -timeout=30s ./...\n", ("-tags", "integration", "-timeout=30s")),
        ("build:\n\tgo build\n\ntest: build unit\n\nunit:\n\t-CGO_ENABLED=1 go test -short ./... -race\n", ("-short",)),
        ("test:\n\tgo vet ./... && \\\n\t  go test --race -run TestOne -skip Two ./... | tee log\n", ("--race",)),
        ("test:\n\tgo test $(FLAGS) -tags $(TAGS) -p=$(N) ./...\n", ()),
        ("test:\n\tgo test -race ./cmd\n", ()),
        ("test := 1\nX = go test -race ./...\ncheck:\n\tgo test -race ./...\n", ()),
        ("test: test\n\tgo test 'unclosed -race ./...\n", ()),
        ("", ()),
    ],
)
def test_options_of_make_test(makefile: str, options: tuple[str, ...]) -> None:
    assert read_go_options(makefile) == options


def ended(stderr: str, code: int = 1) -> ToolRun:
    return ToolRun(("go",), code, None, False, b"", stderr.encode())


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        ("go: downloading a.b/c v1.0.0\nx.go:3:8: module lookup disabled by GOPROXY=off\n", "a.b/c@v1.0.0"),
        ("x.go:9:2: open /go/pkg/mod/cache/download/a.b/c/@v/v2.0.7.lock: read-only file system\n", "a.b/c@v2.0.7"),
        (
            "go: downloading a.b/c v2.0.7\nx.go:9:2: mkdir /go/pkg/mod/cache/download/a.b: read-only file system\n",
            "a.b/c@v2.0.7",
        ),
        (
            "go: downloading go1.24.0 (linux/amd64)\ngo: download go1.24.0 for linux/amd64: toolchain",
            "asks for go1.24.0",
        ),
        ("go: go.mod requires go >= 1.23 (running go 1.21.1; GOTOOLCHAIN=local)\n", "asks for go1.23"),
        ('x.go:3:8: a.b/c@v1: Get "https://proxy.golang.org/a.b": dial tcp: lookup', ": a.b/c@v1"),
    ],
)
def test_what_go_lacks_is_named(stderr: str, words: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        require_modules(ended(stderr), "")
    assert words in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "stderr", ["# a.b/c\n./x.go:3:12: undefined: x\n", "x.go:1:1: no required module provides package a.b/c"]
)
def test_a_fault_of_the_code_is_no_lack(stderr: str) -> None:
    require_modules(ended(stderr), "")
    require_modules(ended("go: downloading a.b/c v1.0.0\nmodule lookup disabled by GOPROXY=off", 0), "")


def test_messages_of_the_compiler_by_package() -> None:
    text = "go: downloading x v1\n# a/b [a/b.test]\n./x.go:3:1: one\n./x.go:4:1: two\n"
    text += "# a/c_test [a/c.test]\nc.go:1:1: three\n"
    assert split_by_package(text) == {"a/b": "./x.go:3:1: one\n./x.go:4:1: two", "a/c": "c.go:1:1: three"}


def test_the_users_build_cache_is_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(go_cache, "_SHARED_MEMORY", tmp_path / "none")
    monkeypatch.setattr(go_cache, "MAX_LINKS_ON_DISK", 2)
    source, home = tmp_path / "users", tmp_path / "home"
    for number, name in enumerate(("00/old-a", "00/new-a", "ff/new-d")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(name)
        os.utime(source / name, (number, number))
    target = go_cache.open_build_cache(source, home)
    assert sorted(path.relative_to(target).as_posix() for path in target.glob("*/*")) == ["00/new-a", "ff/new-d"]
    assert (target / "ff/new-d").read_text() == "ff/new-d"
    assert len([path for path in target.iterdir() if path.is_dir()]) == 256
    assert go_cache.open_build_cache(source, home) == target


PATHS = st.lists(st.sampled_from(("a", "b", "ab", "a-b", "go.mod")), min_size=1, max_size=4).map("/".join)


@given(st.sets(PATHS), st.sets(PATHS | st.just("")).map(sorted))
def test_a_file_is_in_the_nearest_module_above(paths: set[str], folders: list[str]) -> None:
    found = group_by_module(SubjectFiles(Path("/nowhere"), tuple(sorted(paths))), folders)
    assert list(found) == folders
    for path in paths:
        above = [folder for folder in folders if not folder or path.startswith(f"{folder}/")]
        nearest = max(above, key=len, default=None)
        assert [folder for folder in folders if path in found[folder]] == ([] if nearest is None else [nearest])


@given(st.sets(PATHS | st.just("")).map(sorted))
def test_the_topmost_are_in_no_other(folders: list[str]) -> None:
    def is_inside(folder: str) -> bool:
        return any(not other or folder.startswith(f"{other}/") for other in folders if other != folder)

    assert list(filter_topmost(folders)) == [folder for folder in folders if not is_inside(folder)]


class _Counted(UserList[str]):
    """Counts how many of its items were looked at."""

    seen = 0

    def __iter__(self) -> Iterator[str]:
        for path in self.data:
            self.seen += 1
            yield path


def test_each_file_is_looked_at_once_however_many_modules_there_are() -> None:
    folders = ["", *(f"m{number}" for number in range(200))]
    paths = _Counted(f"m{number}/{name}" for number in range(200) for name in ("go.mod", "a.go", "a_test.go"))
    found = group_by_module(SubjectFiles(Path("/nowhere"), paths), folders)
    assert (paths.seen, sum(map(len, found.values()))) == (600, 600)
