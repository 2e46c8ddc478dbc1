"""How go is called, and what its errors mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from code_adapter.testing.go_suite import split_by_package
from code_adapter.testing.make_test import read_go_options
from code_adapter.toolchains import go_cache
from code_adapter.toolchains.go import require_modules
from verigate.sdk import ToolFailed, ToolRun


@pytest.mark.parametrize(
    ("makefile", "options"),
    [
        ("test:\n\tgo test -race -cover -coverprofile=c.out -v ./...\n", ("-race",)),
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
