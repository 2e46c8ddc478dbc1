"""The links adapter called by hand, as its entry, in a folder with texts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ADAPTER = Path(__file__).parents[2] / "adapters" / "links"


class Called:
    """A folder with texts, ``root``, and what the adapter wrote about them, in ``task``."""

    def __init__(self, folder: Path, *, network_in_manifest: bool = True) -> None:
        self.root, self.task = folder / "texts", folder / "T1"
        self.root.mkdir()
        self.task.mkdir()
        self._entry = ADAPTER / "bin" / "adapter-links"
        if not network_in_manifest:
            shutil.copytree(ADAPTER, folder / "adapter", ignore=shutil.ignore_patterns("__pycache__", "tests"))
            self._entry = folder / "adapter" / "bin" / "adapter-links"
            manifest = folder / "adapter" / "manifest.json"
            document = json.loads(manifest.read_text())
            document["sandbox"]["network"] = False
            manifest.write_text(json.dumps(document))

    def run(
        self,
        capability: str,
        config: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        **environ: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run ``links:<capability>``, which must end with 0."""
        done = self.call(capability, config, rules, **environ)
        assert done.returncode == 0, done.stderr
        return done

    def call(
        self,
        capability: str,
        config: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        **environ: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run ``links:<capability>`` with this configuration and these rules of the active profile."""
        argv = [str(self._entry), f"links:{capability}", "--task-dir", str(self.task)]
        if rules is not None:
            profile = self.task.parent / "profile.json"
            profile.write_text(json.dumps({"active": "p", "p": dict(rules)}))
            argv += ["--profile", str(profile)]
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.task.parent),
            "GATE_CONFIG": json.dumps(dict(config or {})),
            "GATE_PYTHON": str(ADAPTER.parents[1] / ".venv" / "bin" / "python"),
            **environ,
        }
        return subprocess.run(argv, cwd=self.root, env=env, capture_output=True, text=True, check=False, timeout=60)

    def has(self, name: str) -> Any:
        """The artifact ``links/<name>.json``."""
        return json.loads((self.task / "links" / f"{name}.json").read_text())
