"""The built wheel in a clean environment elsewhere: a working gate with adapters, plan and profiles inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from python_wheels import from_wheels
from release_tests import some_always

from verigate.extras import DISTRIBUTION
from verigate.integrations import sample
from verigate.integrations.new_adapter import plan_new_files
from verigate.integrations.new_adapter.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # With the hatchling that is here; pip builds in an environment of its own in the README's test.
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("verigate_gate-*.whl"))


UV = Path(sys.executable).with_name("uv")


def install(folder: Path, wanted: str) -> Path:
    """The gate in a new environment without pip, as ``uv tool install`` makes them."""
    # pip's way from a checkout to a clean environment is the README's, and is run with its commands.
    subprocess.run((UV, "venv", "--quiet", "--python", sys.executable, folder), check=True, capture_output=True)
    argv = (UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", folder / "bin" / "python", wanted)
    subprocess.run(argv, check=True, capture_output=True, env=os.environ | from_wheels())
    return folder / "bin" / "gate"


@pytest.fixture(scope="module")
def gate(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("clean") / "env", f"{wheel}[code]")


@pytest.fixture(scope="module")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gate without any extra."""
    return install(tmp_path_factory.mktemp("core") / "env", str(wheel))


def run(gate: Path, *arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    environ = kept | {"NO_COLOR": "1", "COLUMNS": "100"} | environ
    return subprocess.run((gate, *arguments), cwd=cwd, env=environ, capture_output=True, text=True, check=False)


def test_the_wheel_holds_adapters_plan_profiles_and_schemas(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for adapter in ("api", "code", "content", "links"):
        assert f"verigate/builtin/adapters/{adapter}/manifest.json" in names
        assert f"verigate/builtin/adapters/{adapter}/bin/adapter-{adapter}" in names
    assert "verigate/builtin/config/adapter-plan.json" in names
    assert "verigate/builtin/config/verification.profiles.json" in names
    assert [name for name in names if name.endswith(".data/data/share/man/man1/gate.1")]
    assert {"htmx.min.js", "htmx.LICENSE", "live.js", "serve.css", "icon.png"} == {
        name.rpartition("/")[2] for name in names if name.startswith("verigate/serve/static/")
    }
    assert "verigate/serve/web/templates/task.html" in names
    # A template may be that of a test.
    ours = {name for name in names if "/templates/" not in name}
    assert not {name for name in ours if "/tests/" in name or "__pycache__" in name or name.startswith("adapters")}


@pytest.mark.release
def test_a_gate_from_the_wheel_makes_adapters(gate: Path, tmp_path: Path) -> None:
    """The templates are in it, also those whose names packagers like to leave out."""
    for language in LANGUAGES:
        done = run(gate, "adapter", "new", language, "--language", language, "--into", ".", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        made = {
            path.relative_to(tmp_path / language).as_posix()
            for path in (tmp_path / language).rglob("*")
            if path.is_file()
        }
        assert made == {file.path for file in plan_new_files(language, language)}


def test_a_gate_from_the_wheel_answers(gate: Path, tmp_path: Path) -> None:
    assert run(gate, "--version", cwd=tmp_path).stdout.startswith("gate ")
    found = json.loads(run(gate, "adapters", "--json", cwd=tmp_path).stdout)
    assert "code:tests" in json.dumps(found)


def test_a_gate_from_the_wheel_runs_the_demo(gate: Path, tmp_path: Path) -> None:
    done = run(gate, "demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "honest: passed" in done.stdout
    assert "failing-tests: stopped" in done.stdout
    assert "missing-function: stopped" in done.stdout


# The core alone


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "README.md").write_text("# A page\n\nWith [a link](other.md).\n")
    for words in (("init", "--quiet", "--initial-branch=main"), ("add", "--all"), ("commit", "--quiet", "-m", "one")):
        sample.run_git(folder, *words)
    return folder


@pytest.mark.release
def test_the_core_is_what_pyproject_lists_for_it(core: Path) -> None:
    argv = (UV, "pip", "list", "--quiet", "--format", "json", "--python", core.with_name("python"))
    listed = json.loads(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    extra = {canonicalize_name(Requirement(line).name) for lines in optional.values() for line in lines} - {
        DISTRIBUTION
    }
    assert {entry["name"] for entry in listed} & extra == set()


ANSWERED = ("--help", "--version", "adapters", "plan", "list", "schema claim", "baseline --help")


@pytest.mark.parametrize("words", some_always(ANSWERED, str))
def test_with_the_core_alone_it_answers(core: Path, repository: Path, words: str) -> None:
    done = run(core, *words.split(), cwd=repository)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.release
def test_with_the_core_alone_every_module_but_those_of_extras_is_imported(core: Path, repository: Path) -> None:
    code = (
        "import importlib, pkgutil, verigate\n"
        "for module in pkgutil.walk_packages(verigate.__path__, 'verigate.', onerror=print):\n"
        "    if '.builtin' in module.name or module.name.endswith('__main__'): continue\n"
        "    try: importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error: print(module.name, error.name)\n"
    )
    argv = (core.with_name("python"), "-I", "-c", code)
    done = subprocess.run(argv, cwd=repository, capture_output=True, text=True, check=True)
    failed = {line.split()[0] for line in done.stdout.splitlines()}
    pages = {name for name in failed if name.startswith("verigate.serve.web.")}
    assert pages
    assert failed - pages == {
        "verigate.composition.serve",
        "verigate.composition.mcp_evidence",
        "verigate.integrations.mcp.gate_call",
        "verigate.integrations.mcp.person",
        "verigate.integrations.mcp.resources",
        "verigate.integrations.mcp.server",
        "verigate.remote.action",
        "verigate.remote.bot_session",
        "verigate.remote.credentials",
        "verigate.remote.execution",
        "verigate.remote.handshake",
        "verigate.remote.input_root",
        "verigate.remote.server",
        "verigate.remote.stubs",
        "verigate.sdk.reports.junit",
        "verigate.sdk.reports.trx",
        "verigate.serve.agent_tokens",
        "verigate.serve.bounded_http",
        "verigate.serve.live.runs",
        "verigate.serve.server",
        "verigate.usecases.leased_call",
        "verigate.usecases.remote_evidence",
        "verigate.usecases.remote_executor",
        "verigate.usecases.remote_worker",
        "verigate.usecases.signed_results",
        "verigate.verifier.http.transport",
    }


@pytest.mark.parametrize("words", ["attest keygen ../key", "attest verify x.jsonl --key ../key.pub"])
def test_attesting_without_its_extra_names_the_packages_and_the_command(
    core: Path, repository: Path, words: str
) -> None:
    done = run(core, *words.split(), cwd=repository)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    told = " ".join(done.stderr.split())
    assert "missing Python packages of the extra 'attest': cryptography, in-toto-attestation" in told
    assert "pip install" in told


WITHOUT = (
    ("api_test", "api", "hypothesis"),
    ("code", "code", "checkwash"),
    ("content", "content", "comrak"),
    ("link_check", "links", "aiohttp"),
)


@pytest.mark.release
@pytest.mark.parametrize(("kind", "domain", "missing"), WITHOUT)
def test_a_task_without_its_extra_is_an_error_that_names_packages_and_command(
    core: Path, repository: Path, kind: str, domain: str, missing: str
) -> None:
    begun = run(core, "start", "T1", "--type", kind, cwd=repository)
    assert begun.returncode == 0, begun.stderr
    (repository / "more.md").write_text("More.\n")
    assert run(core, "claim", "T1", "file:more.md", cwd=repository).returncode == 0
    done = run(core, "verify", "T1", cwd=repository)
    assert done.returncode == 3, done.stdout + done.stderr
    python = core.with_name("python")
    said = " ".join(done.stdout.split())
    assert f"packages of the extra '{domain}' are missing; run: {python} -I -m verigate.extras {domain}" in said
    shown = run(core, "show", "T1", "--json", cwd=repository)
    checks = json.loads(shown.stdout)["checks"]
    assert "holds" in [check["outcome"] for check in checks if check["id"] == "capability:code:diff"]
    messages = [check.get("message", "") for check in checks]
    crashed = [message for message in messages if f"of the extra {domain!r} are missing" in message]
    assert crashed
    assert [message for message in crashed if missing not in message] == []
    assert "the recomputed verdict is the recorded one" in run(core, "replay", "T1", cwd=repository).stdout
    assert "Traceback" not in "".join(path.read_text() for path in repository.glob(".artifacts/T1/logs/*"))


@pytest.mark.release
def test_without_their_extras_commands_and_doctor_name_packages_and_command(core: Path, repository: Path) -> None:
    python = core.with_name("python")
    for words, code, package, command in (
        (("do", "list the files here"), 2, "rapidfuzz", f"uv pip install --python {python} 'defusedxml<1,>=0.7.1'"),
        (("mcp",), 2, "mcp", f"uv pip install --python {python} 'mcp<3,>=2.3'"),
        (("serve",), 2, "sse-starlette", f"uv pip install --python {python} 'jinja2<4,>=3.1'"),
        (("demo",), 3, "checkwash", f"{python} -I -m verigate.extras code"),
    ):
        done = run(core, *words, cwd=repository)
        assert done.returncode == code, done.stdout + done.stderr
        assert package in done.stderr
        assert f"try: {command}" in " ".join(done.stderr.split())
    found = json.loads(run(core, "doctor", "--json", "--all", cwd=repository).stdout)["checks"]
    checks = {check["code"]: check for check in found}
    assert "comrak, defusedxml, docutils, pillow" in checks["extra.content"]["message"]
    assert checks["extra.mcp"]["hint"] == f"uv pip install --python {python} 'mcp<3,>=2.3'"
    key = repository.parent / "key.pem"
    key.write_text("-----BEGIN PRIVATE KEY-----\n")
    signed = run(core, "verify", cwd=repository, VERIGATE_SIGNING_KEY=str(key))
    assert signed.returncode == 2
    assert "'cryptography>=48'" in signed.stderr


@pytest.mark.release
def test_the_commands_that_are_named_install_what_is_missing(wheel: Path, repository: Path, tmp_path: Path) -> None:
    core = install(tmp_path / "env", str(wheel))
    environ = os.environ | from_wheels() | {"PATH": f"{UV.parent}:{os.environ['PATH']}"}

    def hints() -> dict[str, str]:
        checks = json.loads(run(core, "doctor", "--json", "--all", cwd=repository).stdout)["checks"]
        return {check["code"]: check["hint"] for check in checks if check["code"].startswith("extra.")}

    named = hints()
    assert {"extra.code", "extra.content"} <= set(named)
    subprocess.run(("sh", "-c", named["extra.content"]), check=True, cwd=tmp_path, env=environ)
    assert run(core, "start", "T1", "--type", "content", cwd=repository).returncode == 0
    (repository / "more.md").write_text("# More\n\nMore words.\n")
    assert run(core, "claim", "T1", "file:more.md", cwd=repository).returncode == 0
    done = run(core, "verify", "T1", cwd=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run(("sh", "-c", named["extra.code"]), check=True, cwd=tmp_path, env=environ)
    assert not {"extra.code", "extra.content"} & set(hints())
