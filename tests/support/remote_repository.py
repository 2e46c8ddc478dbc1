"""A repository whose capability declares its inputs, the keys of its machines, and clones of it on other machines."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import gated_repository as gr
from sample_repository import SampleRepository
from shell_adapter import shell_adapter

from verigate.domain.remote_call import CacheStage

ADAPTER = shell_adapter(
    'echo "looked at work.txt"', """printf '{"words": "%s"}' "$(cat work.txt)" > "$folder/words.json\""""
)
BY = {CacheStage.CI: "ci", CacheStage.LOCAL: "developer"}


class Machines:
    """``origin`` is the repository; each machine has a clone of its own, another path and another home."""

    def __init__(self, folder: Path, address: str, *, adapter: str = ADAPTER, size: int = 0) -> None:
        self.folder = folder
        self.address = address
        folder.mkdir(parents=True, exist_ok=True)
        self.keys = {}
        for name in ("ci", "developer", "stranger"):
            self.keys[name] = folder / f"{name}.key"
            argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.keys[name])]
            subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)
        self.origin = gr.GatedRepository(SampleRepository.create(folder / "origin"), folder / "home")
        declared: dict[str, Any] = {"name": "my:check", "inputs": ["*.txt"], "needs": [], "sees": []}
        declared["outputs"] = [{"path": "words.json", "volatile": []}]
        manifest = {"name": "my", "version": "1.0.0", "entry": "run", "capabilities": [declared]}
        put = self.origin.put
        put("adapters/my/manifest.json", {**manifest, "sandbox": {"tools": ["cat", "head"], "timeout": 60}})
        self.origin.sample.write("adapters/my/run", adapter, executable=True)
        entry = {"order": ["my:check"], "required": ["my:check"], "optional": []}
        put("config/adapter-plan.json", {"facts": entry, "code": entry})
        put("config/verification.profiles.json", {"facts": {}, "code_default": {}})
        put("config/approvals.json", {"repository": "example.org/work"})
        put("config/allowed-signers", self.list_signers())
        put("work.txt", "one" + "x" * size)
        self.origin.sample.commit("the base")

    def list_signers(self, names: tuple[str, ...] = ("ci", "developer")) -> str:
        stages = {name: stage for stage, name in BY.items()}
        lines = []
        for name in names:
            kind, key, *_ = self.keys[name].with_name(f"{name}.key.pub").read_text().split()
            namespace = stages.get(name, CacheStage.CI).namespace
            lines.append(f'{name}@example.org namespaces="{namespace}" {kind} {key}\n')
        return "".join(lines)

    def machine(self, name: str, text: str = "two") -> gr.GatedRepository:
        """A machine that has never run anything, with the change of ``text`` in its working tree."""
        found = self.origin.copy(self.folder / name)
        found.put("work.txt", text)
        return found

    def verify(
        self,
        machine: gr.GatedRepository,
        *arguments: str,
        writes: str | None = None,
        stage: CacheStage = CacheStage.CI,
        code: int = 4,
        **environ: Any,
    ) -> dict[str, Any]:
        """Verify, with the remote cache; return run.json. ``writes`` is whose key signs what is stored."""
        given: dict[str, Any] = {
            "CI": "1" if stage is CacheStage.CI else "",
            "GATE_REMOTE_CACHE": self.address,
            **environ,
        }
        if writes is not None:
            given |= {"GATE_REMOTE_CACHE_MODE": "read-write", "GATE_REMOTE_CACHE_KEY": str(self.keys[writes])}
        done = machine.gate("verify", "--quiet", "--policy-ref", "HEAD", *arguments, **given)
        assert done.code == code, done.output  # 4: no rule decides anything
        found: dict[str, Any] = machine.published("run.json", "implicit")
        return found


def was_taken(run: dict[str, Any]) -> bool:
    """Whether the capability was found by another machine."""
    (call,) = run["invocations"]
    assert call["failure"] is None, call
    assert call["cached"] is (run["remote"]["taken"] == ["my:check"]), run
    return bool(call["cached"])


def list_notes(run: dict[str, Any]) -> list[str]:
    """What the run reports of its remote cache."""
    return [note for note in run["warnings"] if note.startswith("remote cache")]
