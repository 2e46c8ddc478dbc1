"""Phase 2: the run folder, and in it the skill, with a SKILL.md that says where artifacts go."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.errors import ExecutionError
from verigate.verifier.lifecycle.run_root import find_owning_root, is_held
from verigate.verifier.lifecycle.skill import SKILL_FILE, SkillManifest, digest_folder, redirect_artifacts
from verigate.verifier.program import SkillDelivery

UPLOADS, ARTIFACTS, LOGS = "uploads", "artifacts", "logs"
_LINK = "verigate-run-"


def prepare_run_folder(run_dir: Path, inputs: Mapping[str, Any]) -> None:
    """Prepare an empty run folder with the input files in its ``uploads``.

    An unreadable input is left out and reported by phase 3, as is a value that is no path. Raises ExecutionError if the
    folder can't be created.
    """
    try:
        if run_dir.exists():
            shutil.rmtree(run_dir)
        for name in (UPLOADS, ARTIFACTS, LOGS):
            (run_dir / name).mkdir(mode=0o700, parents=True)
        for name, path in inputs.items():
            if isinstance(path, str) and Path(name).name == name and Path(path).is_file():
                shutil.copyfile(path, run_dir / UPLOADS / name)
    except OSError as problem:
        raise ExecutionError(f"the run folder can't be made: {problem.strerror}", where=str(run_dir)) from problem


class InstalledSkill(Struct, frozen=True):
    """A skill in the run folder. ``sha256`` is the digest of its files as the user has them, None without a skill."""

    folder: Path
    sha256: str | None = None


def install_skill(skill: SkillManifest, run_dir: Path, engine_folder: str) -> InstalledSkill:
    """Copy the skill into the run folder and patch it; without a skill create the empty folder for it."""
    skills = run_dir / engine_folder / "skills"
    skills.mkdir(mode=0o700, parents=True, exist_ok=True)
    if skill.folder is None:
        return InstalledSkill(skills)
    target = skills / skill.id
    try:
        shutil.copytree(skill.folder, target)
        sha256 = digest_folder(target)
        path = target / SKILL_FILE
        path.write_text(redirect_artifacts(path.read_text("utf-8"), str(run_dir / ARTIFACTS)), "utf-8")
    except (OSError, shutil.Error, UnicodeDecodeError) as problem:
        raise ExecutionError(f"the skill can't be copied: {problem}", where=skill.folder) from problem
    return InstalledSkill(target, sha256)


class DeliveredSkill(Struct, frozen=True):
    """How a skill is delivered to the program. ``link`` is in its global folder, to be removed after the run."""

    by_flag: bool = False
    link: Path | None = None
    variable: str | None = None
    in_prompt: str = ""


def name_delivery(how: SkillDelivery) -> str:
    """Name the way in which ``deliver_skill`` delivers, of a caller that has a home."""
    ways = (("flag", how.flag), ("global folder", how.global_folder), ("variable", how.variable))
    return next((name for name, there in ways if there), "prompt")


def deliver_skill(
    skill: SkillManifest, installed: Path, how: SkillDelivery, environ: Mapping[str, str]
) -> DeliveredSkill:
    """Deliver a skill by the first way that the program supports: a flag, its global folder, a variable, the prompt."""
    if skill.folder is None:
        return DeliveredSkill()
    if how.flag:
        return DeliveredSkill(by_flag=True)
    home = environ.get("HOME", "")
    if how.global_folder is not None and home.startswith("/"):
        return DeliveredSkill(link=_link_skill(installed, Path(home) / how.global_folder.removeprefix("~/"), skill.id))
    if how.variable is not None:
        return DeliveredSkill(variable=how.variable)
    return DeliveredSkill(in_prompt=(installed / SKILL_FILE).read_text("utf-8"))


def _link_skill(installed: Path, folder: Path, skill: str) -> Path:
    link = folder / f"{_LINK}{os.getpid()}-{skill}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep_links(folder)
        link.unlink(missing_ok=True)
        link.symlink_to(installed)
    except OSError as problem:
        hint = "make that folder writable, or leave the skill out"
        raise ExecutionError(
            f"the skill can't be linked: {problem.strerror}", where=str(folder), hint=hint
        ) from problem
    return link


def find_stale_links(folder: Path) -> Iterator[Path]:
    """Find the links of finished runs: those of ours whose run root isn't held."""
    for link in folder.glob(f"{_LINK}*"):
        with contextlib.suppress(OSError, IndexError):
            # .../<run root>/<run folder>/.<engine>/skills/<id>
            root = find_owning_root(str(Path(link.readlink()).parents[2]))
            if root is not None and not is_held(root):
                yield link


def sweep_links(folder: Path) -> None:
    """Remove the links of finished runs."""
    for link in find_stale_links(folder):
        with contextlib.suppress(OSError):
            link.unlink()
