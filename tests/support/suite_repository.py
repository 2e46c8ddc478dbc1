"""A repository that the real gate judges by its own tests alone, inside a sandbox where the machine has one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gated_repository
from gated_repository import Done, GatedRepository


def make_suite(folder: Path, files: dict[str, Any], *, build: bool = False) -> GatedRepository:
    """A repository with these files, whose type ``suite`` asks for its tests, and for its build if wanted."""
    found = gated_repository.make(folder, capabilities=["my:check"], files=files)
    order = ["code:tests", *(["code:build"] if build else [])]
    found.put("config/adapter-plan.json", {"suite": {"order": order, "required": order, "optional": []}})
    rules = {"tests_pass": True, "tests_min": 1, **({"build_success": True} if build else {})}
    found.put("config/verification.profiles.json", {"suite_default": rules})
    found.sample.commit("configured")
    return found


def judge(repository: GatedRepository, **environ: str) -> Done:
    """Verify a task of this repository; there has to be a verdict."""
    repository.begin(task_type="suite")
    repository.claim(type="suite")
    done = repository.verify("T1", **environ)
    assert repository.has_verdict(), done.output
    return done


def failures(repository: GatedRepository) -> dict[str, str]:
    """Name -> message of each test that failed."""
    return {each["id"]: each["message"] for each in repository.published("tests.json")["failures"]}
