"""Images and containers for tests: buildah builds, podman runs, on a base that debootstrap makes of Debian's packages.

No registry is asked. Base and layers are kept in the tests' cache folder: the first build takes minutes, the next what
has changed. There is no daemon.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from npm_tools import cache_folder

BASE = "localhost/verigate-tests-bookworm:latest"
"""Debian's minbase, of which docker.io/library/debian:bookworm-slim is made as well."""

AS_ROOT = () if os.geteuid() == 0 else ("sudo",)
"""Debian's base can only be unpacked by root; bin/test asks for sudo for packages as well."""

_STORAGE = ("--storage-driver", "overlay")
_LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096")
"""What a machine may have where raising limits isn't allowed."""


@dataclass(frozen=True)
class Engine:
    """``storage`` holds images, and ``state`` what runs; podman wants both where they were."""

    storage: Path
    state: Path

    def _options(self) -> tuple[str, ...]:
        return (*_STORAGE, "--root", str(self.storage), "--runroot", str(self.state))

    def build(
        self, context: Path, tag: str, arguments: Mapping[str, str], volumes: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Build the Containerfile of ``context``. ``volumes`` are ``HOST:CONTAINER:ro``.

        One process builds at a time; what the first has made, the next finds. Nothing is held when it returns: workers
        of a test run that wait for each other's modules would wait to its end.
        """
        with (self.storage.parent / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._ensure_base()
            try:
                return self._build(context, tag, arguments, volumes)
            finally:
                self._remove_working_containers()

    def _remove_working_containers(self) -> None:
        """Remove what builds that failed or were killed left mounted: each sandbox reads the list of all mounts often.

        Images stay. The caller holds the lock, so that no build is under way.
        """
        argv = (*AS_ROOT, "buildah", *self._options(), "rm", "--all")
        subprocess.run(argv, check=False, capture_output=True)

    def _ensure_base(self) -> None:
        """Make the base image unless it is there. Takes a minute or two, and 220 MB."""
        exists = subprocess.run((*AS_ROOT, "podman", *self._options(), "image", "exists", BASE), check=False)
        if exists.returncode == 0:
            return
        with tempfile.TemporaryDirectory() as folder:
            debian = (
                *AS_ROOT,
                "debootstrap",
                "--variant=minbase",
                "--include=ca-certificates",
                "bookworm",
                f"{folder}/root",
            )
            subprocess.run(debian, check=True, capture_output=True)
            archive = f"{folder}/root.tar"
            subprocess.run((*AS_ROOT, "tar", "-C", f"{folder}/root", "-cf", archive, "."), check=True)
            subprocess.run(
                (*AS_ROOT, "podman", *self._options(), "import", archive, BASE), check=True, capture_output=True
            )

    def _build(
        self, context: Path, tag: str, arguments: Mapping[str, str], volumes: Sequence[str]
    ) -> subprocess.CompletedProcess[str]:
        given = [word for name, value in arguments.items() for word in ("--build-arg", f"{name}={value}")]
        mounted = [word for volume in volumes for word in ("--volume", volume)]
        argv = (*AS_ROOT, "buildah", *self._options(), "build", "--isolation", "chroot", "--layers", *given, *mounted)
        return subprocess.run(
            (*argv, "--tag", tag, "--file", context / "Containerfile", context),
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, tag: str, *words: str, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Run a container without a network to its end, and remove it."""
        argv = (
            *AS_ROOT,
            "podman",
            *self._options(),
            "--cgroup-manager",
            "cgroupfs",
            "--runtime",
            "runc",
            "run",
            "--rm",
        )
        return subprocess.run(
            (*argv, "--network", "none", *_LIMITS, *options, tag, *words), capture_output=True, text=True, check=False
        )


def find_engine() -> Engine:
    """The engine whose images are kept for later runs."""
    folder = cache_folder() / "containers"
    folder.mkdir(parents=True, exist_ok=True)
    return Engine(folder / "storage", folder / "state")
