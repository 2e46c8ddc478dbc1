"""Two states of a repository, as the cells read them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from code_adapter.counterfactual.sides import Sides, read_sides
from verigate.sdk.subject import Repository

GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.hooksPath=/dev/null")


def open_sides(folder: Path, base: Mapping[str, str], head: Mapping[str, str]) -> tuple[Repository, Sides]:
    """Two states of a repository: the commit, and the index."""
    folder.mkdir(exist_ok=True)
    subprocess.run(("git", "init", "-q", folder), check=True)
    for files, then in ((base, ("commit", "-qm", "base")), (head, ())):
        for path in list(folder.rglob("*")):
            if ".git" not in path.parts and path.is_file():
                path.unlink()
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        subprocess.run((*GIT, "add", "--all"), cwd=folder, check=True)
        if then:
            subprocess.run((*GIT, *then), cwd=folder, check=True)
    repository = Repository(folder, {"PATH": os.environ["PATH"]})
    return repository, read_sides(repository, "HEAD")
