"""A composite action run here: its steps are started as the shell they are, with what the runner of GitHub gives them.

https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax. Of expressions there are as many as
``action.yml`` uses: ``inputs``, ``steps`` and ``github`` in texts, and conditions joined by ``&&``.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_EQUAL = re.compile(r"(\S+) == '([^']*)'")


@dataclass(frozen=True)
class Ended:
    """How a job ended. ``used`` holds what other actions were called with; ``summary`` is the job summary."""

    failed: bool
    codes: Mapping[str, int]
    log: str
    outputs: Mapping[str, str]
    summary: str
    used: Mapping[str, Mapping[str, str]]


@dataclass
class Job:
    """A job whose one step is the action at ``action``. ``environ`` is what every step of the job gets."""

    action: Path
    folder: Path
    environ: Mapping[str, str]
    github: Mapping[str, str] = field(default_factory=dict)

    def run(self, event: Mapping[str, Any], **inputs: str) -> Ended:
        """Run it for an event with these inputs; ``_`` in their names stands for ``-``."""
        document = yaml.safe_load(self.action.read_text("utf-8"))
        self.folder.mkdir()
        (self.folder / "event.json").write_text(json.dumps(event))
        (self.folder / "summary.md").touch()
        named = {name.replace("_", "-"): value for name, value in inputs.items()}
        context = {f"github.{name}": value for name, value in self.github.items()}
        for name, entry in document["inputs"].items():
            context[f"inputs.{name}"] = named.pop(name, _filled(entry["default"], context))
        assert not named, f"the action has no such input: {named}"
        failed, codes, log, used = False, {}, "", {}
        for number, step in enumerate(document["runs"]["steps"]):
            if not _holds(step.get("if"), context, failed=failed):
                continue
            if "uses" in step:
                used[step["uses"]] = {name: _filled(value, context) for name, value in step["with"].items()}
                continue
            name = step.get("id", step["name"])
            code, text, outputs = self._start(number, step, context)
            codes[name] = code
            log += text
            context |= {f"steps.{name}.outputs.{key}": value for key, value in outputs.items()}
            failed = failed or (code != 0 and not step.get("continue-on-error"))
        told = {name: _filled(entry["value"], context) for name, entry in document["outputs"].items()}
        return Ended(failed, codes, log, told, (self.folder / "summary.md").read_text("utf-8"), used)

    def _start(
        self, number: int, step: Mapping[str, Any], context: Mapping[str, str]
    ) -> tuple[int, str, dict[str, str]]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "an input in the text of a script is run as script"
        script, output = self.folder / f"step{number}.sh", self.folder / f"output{number}"
        script.write_text(step["run"])
        output.touch()
        given = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self.action.parent),
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "RUNNER_TEMP": str(self.folder),
        }
        own = {name: _filled(text, context) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            ("bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)),
            cwd=self.environ["GITHUB_WORKSPACE"],
            env={**self.environ, **given, **own},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120, check=False,
        )  # fmt: skip
        outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
        return done.returncode, done.stdout.decode("utf-8"), outputs


def _filled(text: str, context: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda found: context.get(found[1], ""), text)


def _holds(condition: str | None, context: Mapping[str, str], *, failed: bool) -> bool:
    if condition is None:
        return not failed
    expression = _EXPRESSION.fullmatch(condition)
    assert expression, condition
    parts = expression[1].split(" && ")
    held = [part == "!cancelled()" or _equal(part, context) for part in parts]
    # Without a function that asks for the status, success() is part of every condition.
    return all(held) and ("!cancelled()" in parts or not failed)


def _equal(part: str, context: Mapping[str, str]) -> bool:
    found = _EQUAL.fullmatch(part)
    assert found, f"this condition is not known here: {part}"
    return context.get(found[1], "") == found[2]
