"""A package manager that corepack has downloaded runs inside as it does outside, without a network."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import gated_repository as gr
from npm_tools import corepack
from sample_repository import SampleRepository

if TYPE_CHECKING:
    from pathlib import Path

MANAGER = "process.stdout.write(`pnpm of corepack: ${process.argv.slice(2).join(' ')}\\n`);\n"


def keep_manager(home: Path) -> None:
    """Make what corepack keeps of a pnpm that it has downloaded: here a program that prints its arguments."""
    place = home / "v1/pnpm/9.9.9"
    (place / "bin").mkdir(parents=True)
    (place / "bin/pnpm.cjs").write_text(MANAGER)
    (place / "package.json").write_text(json.dumps({"name": "pnpm", "version": "9.9.9"}))
    known = {"locator": {"name": "pnpm", "reference": "9.9.9"}, "bin": {"pnpm": "./bin/pnpm.cjs"}, "hash": "sha512.0"}
    (place / ".corepack").write_text(json.dumps(known))


def test_what_corepack_has_downloaded_runs_without_a_network(tmp_path: Path) -> None:
    repository = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    package = {"name": "a", "private": True, "packageManager": "pnpm@9.9.9", "scripts": {"build": "pnpm bundle"}}
    repository.put("package.json", json.dumps(package))
    repository.sample.commit("a package")
    programs = tmp_path / "corepack"
    shutil.copytree(corepack(), programs)
    (programs / "pnpm").symlink_to("dist/pnpm.js")
    caller = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    repository.gate("init", "--no-verdict", **caller)
    lacking = repository.gate("verify", "--base", "HEAD", "--json", **caller)
    assert "BUILD_FAIL" in {reason["code"] for reason in lacking.json["reasons"]}, lacking.output
    keep_manager(tmp_path / "home/.cache/node/corepack")
    done = repository.gate("verify", "--base", "HEAD", "--json", **caller)
    assert "BUILD_FAIL" not in {reason["code"] for reason in done.json["reasons"]}, done.output
    assert repository.published("build.json", "implicit")["success"] is True
