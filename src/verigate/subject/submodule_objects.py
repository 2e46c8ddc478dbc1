"""Find the objects of submodules in their repositories, as far as these are checked out."""

from __future__ import annotations

import os

from verigate.subject.git import Git

NESTING = 5
"""How deep submodules of submodules are followed."""


def holds_submodule(git: Git, place: str, commit: str, depth: int = NESTING) -> bool:
    """Whether the repository checked out at ``place`` holds a commit, and the same of the submodules in it."""
    objects = find_submodule_objects(place)
    if objects is None or depth == 0:
        return False
    own = git.with_variables(GIT_OBJECT_DIRECTORY=objects)
    listed = own.attempt("ls-tree", "-r", "-z", "--full-tree", commit)
    if listed.returncode != 0:
        return False
    inner = (entry.partition(b"\t") for entry in listed.stdout.split(b"\0") if entry.startswith(b"160000 "))
    return all(
        holds_submodule(git, f"{place}/{os.fsdecode(path)}", head.split()[2].decode("ascii"), depth - 1)
        for head, _, path in inner
    )


def find_submodule_objects(place: str) -> str | None:
    """Find the object folder of the repository checked out at ``place``, None without one. Starts no process."""
    git_dir = f"{place}/.git"
    try:
        if os.path.isfile(git_dir):
            with open(git_dir, "rb") as file:
                text = file.read(10_000)
            if not text.startswith(b"gitdir: "):
                return None
            git_dir = os.path.join(place, os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\r\n")))
        if os.path.isfile(f"{git_dir}/commondir"):
            with open(f"{git_dir}/commondir", "rb") as file:
                git_dir = os.path.join(git_dir, os.fsdecode(file.read(10_000).rstrip(b"\r\n")))
    except (OSError, ValueError):
        return None
    return f"{git_dir}/objects" if os.path.isdir(f"{git_dir}/objects") else None
