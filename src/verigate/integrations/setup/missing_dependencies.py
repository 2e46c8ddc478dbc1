"""Find dependencies that a repository declares and this machine doesn't have yet; nothing is executed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from verigate.formats.visible import format_path
from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.install_commands import MAKE_VENV, NAMES_FOR_TESTS, PIP, InstallCommand, find_install_command
from verigate.sdk.pre_commit_pins import CONFIG_FILE, read_pinned_version
from verigate.subject.project_env import find_project_envs

_MAX_SHOWN = 3
_PYTEST = re.compile(r"\s*pytest(?![\w.-])", re.IGNORECASE)

_DEBIAN_MAVEN = Path("/usr/share/maven-repo")
"""Where Debian's packages put artifacts. Maven reads it only where a project or the user names it."""

_MAVEN_REPOSITORY = re.compile(r"-Dmaven\.repo\.local=|<localRepository>")


class Missing(NamedTuple):
    """``what`` isn't installed for the project in ``folder`` (relative, "" for the root)."""

    what: str
    folder: str
    install: InstallCommand

    @property
    def line(self) -> str:
        """The command for a shell at the root of the repository."""
        return f"(cd {_quote(self.folder)} && {self.install.line})" if self.folder else self.install.line


class _Project(NamedTuple):
    seen: Scan
    folder: str
    environ: Mapping[str, str]
    gate_prefix: str

    @property
    def place(self) -> Path:
        return self.seen.root / self.folder

    @property
    def home(self) -> Path:
        return Path(self.environ.get("HOME", "/"))

    def has(self, name: str) -> bool:
        return _join(self.folder, name) in self.seen.files

    def read(self, name: str) -> str:
        return self.seen.read_text(_join(self.folder, name))


def find_missing(seen: Scan, environ: Mapping[str, str], gate_prefix: str) -> tuple[Missing, ...]:
    """Find what is missing for the topmost project of each ecosystem.

    ``environ`` is the caller's, with the homes of package managers; ``gate_prefix`` is the gate's own environment,
    which is never the project's.
    """
    found: list[Missing] = []
    for ecosystem, marker, look in _LOOKS:
        folders = _list_topmost(seen, marker)
        for folder in folders:
            names = {path.rpartition("/")[2] for path in seen.files if path.rpartition("/")[0] == folder}
            what = look(_Project(seen, folder, environ, gate_prefix))
            settings = seen.read_table(_join(folder, "pyproject.toml")) if what and ecosystem == "python" else None
            install = find_install_command(ecosystem, names, settings) if what else None
            if what and install:
                found.append(Missing(what, folder, install))
        if ecosystem == "python" and not any(item.install.ecosystem == "python" for item in found):
            found += (item for folder in folders for item in _find_pytest(_Project(seen, folder, environ, gate_prefix)))
    if not any(item.install.ecosystem == "python" for item in found):
        found += _find_ruff(seen, environ, gate_prefix)
    return tuple(found)


def _list_topmost(seen: Scan, marker: tuple[str, ...]) -> list[str]:
    folders = sorted({path.rpartition("/")[0] for path in seen.files if path.rpartition("/")[2] in marker})
    return [folder for folder in folders if not any(_is_above(other, folder) for other in folders)]


def _is_above(other: str, folder: str) -> bool:
    return other != folder and (other == "" or folder.startswith(f"{other}/"))


def _look_at_node(project: _Project) -> str:
    package = project.seen.read_table(_join(project.folder, "package.json"))
    declared = any(isinstance(package.get(key), dict) and package[key] for key in ("dependencies", "devDependencies"))
    if not declared and "workspaces" not in package:
        return ""
    installed = (project.place / "node_modules").is_dir() or (project.place / ".pnp.cjs").is_file()
    return "" if installed else "node_modules"


def _look_at_python(project: _Project) -> str:
    if not _declares_python(project):
        return ""
    return "" if _find_envs(project) else "a Python environment (.venv)"


def _find_envs(project: _Project) -> list[str]:
    within = f"{project.folder}/" if project.folder else ""
    own = [os.fsencode(path.removeprefix(within)) for path in project.seen.files if path.startswith(within)]
    found = find_project_envs(str(project.place), project.environ, project.gate_prefix, tracked=own)
    return list(found or find_project_envs(str(project.seen.root), project.environ, project.gate_prefix, tracked=own))


def _find_pytest(project: _Project) -> Iterator[Missing]:
    """Find that the project lists pytest for its tests, and that its environment was made without it."""
    envs = _find_envs(project) if _lists_pytest(project) else []
    names = {path.rpartition("/")[2] for path in project.seen.files if path.rpartition("/")[0] == project.folder}
    install = find_install_command("python", names, project.seen.read_table(_join(project.folder, "pyproject.toml")))
    if install is None or not envs or any(_holds_pytest(Path(env)) for env in envs):
        return
    pip = _name_pip(envs[0], project)
    commands = tuple(
        (*pip, *words[len(PIP) :]) if words[: len(PIP)] == PIP else words
        for words in install.commands
        if words != MAKE_VENV
    )
    yield Missing("pytest in the Python environment", project.folder, install._replace(commands=commands))


def _name_pip(env: str, project: _Project) -> tuple[str, ...]:
    """Name the words that install into an environment, from the project's folder."""
    python = f"{os.path.relpath(env, project.place) if _is_below(env, project.seen.root) else env}/bin/python"
    if Path(env, "bin", "pip").exists():
        return (python, "-m", "pip", "install")
    return ("uv", "pip", "install", "--python", python)


def _lists_pytest(project: _Project) -> bool:
    """Whether an extra or a group for tests asks for pytest: the command that is offered then brings it."""
    settings = project.seen.read_table(_join(project.folder, "pyproject.toml"))
    table = settings.get("project")
    extras = table.get("optional-dependencies") if isinstance(table, dict) else None
    tables = [each for each in (extras, settings.get("dependency-groups")) if isinstance(each, dict)]
    lists = [listed for each in tables for name in NAMES_FOR_TESTS if isinstance(listed := each.get(name), list)]
    return any(isinstance(line, str) and _PYTEST.match(line) for listed in lists for line in listed)


def _holds_pytest(env: Path) -> bool:
    return (env / "bin" / "pytest").exists() or any(env.glob("lib/python*/site-packages/pytest"))


def _declares_python(project: _Project) -> bool:
    settings = project.seen.read_table(_join(project.folder, "pyproject.toml"))
    tool = settings.get("tool")
    tables = [settings.get("project"), tool.get("poetry") if isinstance(tool, dict) else None]
    declared = (value for table in tables if isinstance(table, dict) for key, value in table.items() if "depend" in key)
    return (
        any(declared)
        or bool(settings.get("dependency-groups"))
        or project.has("requirements.txt")
        or "install_requires" in project.read("setup.cfg") + project.read("setup.py")
    )


def _find_ruff(seen: Scan, environ: Mapping[str, str], gate_prefix: str) -> Iterator[Missing]:
    """Find that the ruff which pre-commit would run isn't installed where the gate looks; it joins the environment."""
    pinned = read_pinned_version(seen.read_text(CONFIG_FILE), "ruff")
    if pinned is None or shutil.which("ruff", path=environ.get("PATH", os.defpath)):
        return
    own = [os.fsencode(path) for path in seen.files]
    envs = find_project_envs(str(seen.root), environ, gate_prefix, tracked=own)
    if not envs or any(Path(env, "bin", "ruff").exists() for env in envs):
        return
    pip = _name_pip(envs[0], _Project(seen, "", environ, gate_prefix))
    yield Missing(f"ruff {pinned}", "", InstallCommand("python", CONFIG_FILE, ((*pip, f"ruff=={pinned}"),)))


def _is_below(path: str, root: Path) -> bool:
    return Path(path).is_relative_to(root)


def _look_at_rust(project: _Project) -> str:
    try:
        lock = tomllib.loads(project.read("Cargo.lock"))
    except ValueError:
        return ""
    crates = [
        f"{package.get('name')}-{package.get('version')}.crate"
        for package in _list_tables(lock.get("package"))
        if str(package.get("source", "")).startswith("registry+")
    ]
    home = Path(project.environ.get("CARGO_HOME") or project.home / ".cargo")
    if not crates or "replace-with" in project.read(".cargo/config.toml") + _read_text(home / "config.toml"):
        return ""
    cache = home / "registry" / "cache"
    present = {name for index in _list_folder(cache) for name in _list_folder(cache / index)}
    return _name_some("crates", [crate.removesuffix(".crate") for crate in crates if crate not in present])


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _look_at_go(project: _Project) -> str:
    if (project.place / "vendor" / "modules.txt").is_file():
        return ""
    text = re.sub(r"//[^\n]*", "", project.read("go.mod"))
    required = re.findall(r"^\s*(?:require\s+)?([^\s()]+)\s+(v\d\S*)", text, re.MULTILINE)
    path = project.environ.get("GOPATH") or str(project.home / "go")
    cache = Path(project.environ.get("GOMODCACHE") or Path(path.split(os.pathsep)[0]) / "pkg" / "mod")
    missing = [f"{name} {version}" for name, version in required if not (cache / f"{_escape(name)}@{version}").is_dir()]
    return _name_some("modules", missing)


def _look_at_java(project: _Project) -> str:
    if project.has("pom.xml"):
        settings = project.read(".mvn/maven.config") + _read_text(project.home / ".m2" / "settings.xml")
        there = _list_folder(project.home / ".m2" / "repository") or _MAVEN_REPOSITORY.search(settings)
        named = f" (or name {_DEBIAN_MAVEN} as localRepository in ~/.m2/settings.xml)" if _DEBIAN_MAVEN.is_dir() else ""
        return "" if there else f"Maven's local repository{named}"
    gradle = Path(project.environ.get("GRADLE_USER_HOME") or project.home / ".gradle")
    return "" if gradle.is_dir() else "Gradle's caches"


_Look = Callable[[_Project], str]

_LOOKS: tuple[tuple[str, tuple[str, ...], _Look], ...] = (
    ("node", ("package.json",), _look_at_node),
    ("python", ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"), _look_at_python),
    ("rust", ("Cargo.lock",), _look_at_rust),
    ("go", ("go.mod",), _look_at_go),
    ("java", ("pom.xml", "build.gradle", "build.gradle.kts"), _look_at_java),
)


def _name_some(noun: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else ""
    return f"{noun} {', '.join(format_path(name) for name in names[:_MAX_SHOWN])}{more}"


def _list_tables(value: object) -> Iterator[Mapping[str, Any]]:
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def _list_folder(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _escape(module: str) -> str:
    """Write a module's path as its cache does: a capital as an exclamation mark and the small letter."""
    return re.sub(r"[A-Z]", lambda match: f"!{match.group().lower()}", module)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _quote(folder: str) -> str:
    return folder if re.fullmatch(r"[\w./-]+", folder) else shlex.quote(folder)
