"""``gate doctor`` on real repositories: what it finds, what it fixes, and a false commit through the installed hook."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from verigate.doctor.versions import read_versions


def checks(done: gr.Done) -> dict[str, Any]:
    return {check["code"]: check for check in done.json["checks"]}


def everything(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_planted_lie_shows_whether_the_installed_hook_blocks(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    key = tmp_path / "key.pem"
    key.write_bytes(Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    key.chmod(0o644)
    hook = place.root / ".git/hooks/pre-commit"
    assert place.gate("install", "--hook", "pre-commit", "--hook", "pre-push").code == 0
    before = everything(place.root)
    good = place.gate("doctor", "--json", VERIGATE_SIGNING_KEY=str(key))
    assert everything(place.root) == before
    assert not list(place.tmp.iterdir())
    told = checks(good)
    assert told["blocks.pre-commit"]["level"] == "info", good.output
    for hook_name in ("pre-commit", "pre-push"):
        assert told[f"blocks.{hook_name}"]["level"] == "info", good.output
        assert "let an honest commit pass and blocked a false one" in told[f"blocks.{hook_name}"]["message"]
    assert (told["key"]["level"], told["key.open"]["hint"]) == ("info", f"chmod 600 {key}")
    assert (good.code, good.json["level"], told["hook.commit-msg"]["hint"]) == (0, "warn", "gate install")
    assert (told["hook.post-commit"]["level"], told["hook.post-commit"].get("hint", "")) == ("info", "")
    assert told["git"]["message"].startswith("git version ")

    assert place.gate("uninstall", "--hook", "pre-push").code == 0

    # A hook that starts a gate which lets everything through, as an edited program would be.
    liar = tmp_path / "gate"
    liar.write_text("#!/bin/sh\nexit 0\n")
    liar.chmod(0o755)
    install = "import sys; from verigate.integrations.git.hooks import install; from pathlib import Path; import os; "
    install += "install(Path('.'), ['pre-commit'], launcher=[sys.argv[1]], environ=os.environ)"
    subprocess.run([sys.executable, "-c", install, str(liar)], cwd=place.root, check=True)
    bad = place.gate("doctor", "--json")
    assert (bad.code, checks(bad)["blocks.pre-commit"]["level"]) == (3, "error"), bad.output
    assert "let a false commit pass" in checks(bad)["blocks.pre-commit"]["message"]
    assert checks(bad)["hook.outdated"]["hint"] == "gate doctor --fix"
    liar.write_text("#!/bin/sh\nprintf '  a place\\n    what is wrong\\n    try: this\\n' >&2\nexit 3\n")
    stuck = checks(place.gate("doctor", "--json"))["blocks.pre-commit"]["message"]
    assert stuck.endswith("it blocks an honest commit: a place what is wrong try: this")
    hook.chmod(0o644)
    mended = place.gate("doctor", "--fix", "--json", VERIGATE_SIGNING_KEY=str(tmp_path / "none.pem"))
    assert [fixed.split(":")[0] for fixed in mended.json["fixed"]] == ["pre-commit"], mended.output
    assert checks(mended)["blocks.pre-commit"]["level"] == "info"
    assert "hook.outdated" not in checks(mended)
    assert hook.stat().st_mode & 0o111
    assert (mended.code, checks(mended)["key"]["level"]) == (3, "error")


@pytest.mark.release
def test_an_advisory_hook_is_told_and_stays_one(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    hook = place.root / ".git/hooks/pre-commit"
    assert place.gate("install", "--hook", "pre-commit", "--advisory").code == 0
    hook.chmod(0o644)
    done = place.gate("doctor", "--fix", "--json")
    assert done.code == 0, done.output
    assert (checks(done)["blocks.pre-commit"]["level"], checks(done)["blocks.pre-commit"]["hint"][:12]) == (
        "warn",
        "gate install",
    )
    assert hook.stat().st_mode & 0o111


def test_outside_of_git_it_says_so_once_and_that_nothing_is_configured(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    folder = tmp_path / "plain"
    folder.mkdir()
    outside = place.gate("doctor", "--json", cwd=folder)
    failed = {code: found for code, found in checks(outside).items() if found["level"] == "error"}
    assert list(failed) == ["hooks"], outside.output
    assert failed["hooks"]["message"].endswith("this is not a git repository")
    assert failed["hooks"]["hint"].startswith("run git init, or go to your repository")
    assert checks(outside)["configuration"]["message"].startswith("there is none here")
    assert checks(outside)["configuration"]["hint"].startswith("gate init")
    assert checks(place.gate("doctor", "--json"))["configuration"]["message"].endswith("are valid")


def test_versions_are_asked_and_nothing_waits_for_an_answer(tmp_path: Path) -> None:
    programs = {}
    for name, text in {
        "says": "echo one; echo two",
        "fails": "echo no; exit 1",
        "mute": ":",
        "err": "echo it >&2",
    }.items():
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        programs[name] = str(path)
    (tmp_path / "plain").write_text("no program")
    programs["plain"] = str(tmp_path / "plain")
    assert read_versions(programs, {}) == {"says": "one", "fails": "", "mute": "", "err": "it", "plain": ""}


@pytest.mark.release
def test_a_lying_turn_shows_whether_an_agent_s_hook_keeps_it_at_work(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    assert place.gate("install", "--agent", "claude", "--agent", "opencode").code == 0
    # What comes with a repository and isn't ours is never run.
    touch = f"touch {tmp_path}/ran; sh -c x 'verigate-hook' '/g' 'gemini' 'stop'"
    place.put(".gemini/settings.json", {"hooks": {"AfterAgent": [{"hooks": [{"command": touch}]}]}})
    before = everything(place.root)
    done = place.gate("doctor", "--json")
    told = checks(done)
    for host in ("claude", "opencode"):
        assert "let an honest turn pass and blocked a false one" in told[f"blocks.{host}"]["message"], done.output
    assert (told["blocks.gemini"]["level"], told["blocks.gemini"]["hint"]) == ("warn", "gate install --agent gemini")
    assert not (tmp_path / "ran").exists()
    assert everything(place.root) == before
    assert not list(place.tmp.iterdir())


@pytest.mark.release
def test_only_what_this_repository_needs_is_shown(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    package = {"devDependencies": {"eslint": "9"}, "scripts": {"test": "node --test"}}
    for path, content in {"package.json": package, "pnpm-lock.yaml": "", "a.js": "export const a = 1;\n"}.items():
        place.put(path, content)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("git", "node", "cargo"):
        found = shutil.which(name)
        assert found is not None
        (bin_folder / name).symlink_to(found)
    found = checks(place.gate("doctor", "--json", PATH=str(bin_folder)))
    assert {code for code in found if code.startswith("tool.")} == {"tool.node", "tool.pnpm"}
    assert (found["tool.pnpm"]["level"], found["tool.pnpm"]["hint"]) == ("warn", "install pnpm")
    assert "pnpm-lock.yaml needs it" in found["tool.pnpm"]["message"]
    assert found["dependencies"]["hint"] == "pnpm install --frozen-lockfile, or gate init --install"
    assert not {"key", "agents", "engines"} & found.keys()
    assert "adapter code" not in found["adapter.tools"]["message"]
    everything = checks(place.gate("doctor", "--json", "--all", PATH=str(bin_folder)))
    assert {"tool.cargo", "tool.go", "adapter.tools", "key", "agents", "engines"} <= everything.keys()
    shown = place.gate("doctor", "--all", PATH=str(bin_folder)).out
    marks = {line.split()[1]: line[0] for line in shown.splitlines() if not line.startswith(" ")}
    missing = ("hook.post-commit", "adapter.tools", "key", "agents", "engines")
    assert [marks[code] for code in missing] == ["-"] * len(missing), shown
    assert marks["tool.pnpm"] == "!", shown
    (place.root / "node_modules/x").mkdir(parents=True)
    lacking = checks(place.gate("doctor", "--json", PATH=str(bin_folder)))
    assert "dependencies" not in lacking
    assert lacking["tool.eslint"]["level"] == "warn"
    place.put("node_modules/.bin/eslint", "#!/bin/sh\n").chmod(0o755)
    assert "tool.eslint" not in checks(place.gate("doctor", "--json", PATH=str(bin_folder)))


def test_flake8_counts_only_in_the_project_s_environment(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {"diff.json": lf.GOOD["diff.json"]}, {})
    place.put("setup.cfg", "[flake8]\nmax-line-length = 100\n")
    place.put("a.py", "a = 1\n")
    found = checks(place.gate("doctor", "--json"))["tool.flake8"]
    assert (found["level"], "setup.cfg names it" in found["message"]) == ("warn", True)
    place.put(".venv/pyvenv.cfg", "home = /usr/bin\n")
    place.put(".venv/bin/python", "").chmod(0o755)
    place.put(".venv/bin/flake8", "").chmod(0o755)
    assert "tool.flake8" not in checks(place.gate("doctor", "--json"))
