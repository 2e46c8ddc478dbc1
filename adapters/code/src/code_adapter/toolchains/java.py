"""Maven and Gradle: the installed program of a project, how it is called, and what it lacks."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_user_home, make_tool_environ
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool
from verigate.sdk.java_layout import TestFolders, find_test_folders

SOURCES = (".java", ".kt", ".groovy", ".scala")

_DISTRIBUTION = re.compile(r"^\s*distributionUrl\s*=.*/([A-Za-z0-9][A-Za-z0-9._-]*)\.zip\s*$", re.MULTILINE)
_LACKS = (
    re.compile(r"the artifact (\S+) has not been downloaded from it before"),
    re.compile(r"The following artifacts could not be resolved: (\S+?)[ :,]*(?:\(|,|: )"),
    re.compile(r"No cached version of (\S+) available for offline mode"),
    re.compile(r"Could not find (\S+:\S+:\S+?)\.$", re.MULTILINE),
    re.compile(r"Plugin \[?(?:id: )?'?(\S+?)'?,? .*was not found in any of the following sources"),
)
_NO_COMPILER = re.compile(
    r"No compiler is provided in this environment|JAVA_COMPILER. capabilit|No Java compiler found"
)
_NO_JAVA = re.compile(r"JAVA_HOME|'java' command could be found")


@dataclass(frozen=True, slots=True)
class BuildTool:
    """``options`` come before the tasks; ``reports`` is the folder of a module that holds reports of tests."""

    name: str
    program: str
    markers: tuple[str, ...]
    wrapper: str
    home: tuple[str, str]
    options: tuple[str, ...]
    reports: str
    compile: str
    install: str
    fetch: str

    @property
    def is_maven(self) -> bool:
        """Whether it is Maven, also with other options."""
        return self.name == MAVEN.name

    @property
    def is_gradle(self) -> bool:
        """Whether it is Gradle, also with other options."""
        return self.name == GRADLE.name


MAVEN = BuildTool(
    name="maven",
    program="mvn",
    markers=("pom.xml",),
    wrapper=".mvn/wrapper/maven-wrapper.properties",
    home=("MAVEN_USER_HOME", ".m2"),
    options=("-o", "-B", "-fae", "-Dstyle.color=never"),
    reports="target/surefire-reports",
    compile="test-compile",
    install="apt-get install maven default-jdk-headless",
    fetch="mvn dependency:go-offline",
)
GRADLE = BuildTool(
    name="gradle",
    program="gradle",
    markers=("settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"),
    wrapper="gradle/wrapper/gradle-wrapper.properties",
    home=("GRADLE_USER_HOME", ".gradle"),
    # A build cache may hold outcomes of tests that nobody ran, and may be part of the subject.
    options=("--offline", "--no-daemon", "--no-build-cache", "--continue", "--console=plain"),
    reports="build/test-results",
    compile="testClasses",
    install="apt-get install gradle default-jdk-headless",
    fetch="gradle testClasses",
)
TOOLS = (MAVEN, GRADLE)


@dataclass(frozen=True, slots=True)
class JavaProject:
    """A project in ``folder`` ("" is the root) and the program that builds it."""

    tool: BuildTool
    folder: str
    program: str


def find_projects(
    request: Request, files: SubjectFiles, *, with_tests: bool = False
) -> Iterator[JavaProject | Missing]:
    """Yield each topmost project that has sources, ``with_tests`` those that have sources of tests.

    The program is the one that the project's wrapper has installed, else that on PATH. The wrapper's script isn't run:
    it is part of the subject. A folder for both tools is built by the first one that is installed.
    """
    found: dict[str, JavaProject | Missing] = {}
    for tool in TOOLS:
        for folder in files.projects(*tool.markers):
            sources: Iterator[str] = (path for path in files.below(folder) if path.endswith(SOURCES))
            if with_tests:
                sources = filter(find_folders(files, folder).find, sources)
            if next(sources, None) is None:
                continue
            if not isinstance(found.get(folder), JavaProject):
                other = _find_program(request, files, folder, tool)
                if isinstance(other, JavaProject) or folder not in found:
                    found[folder] = other
    yield from found.values()


def find_folders(files: SubjectFiles, folder: str) -> TestFolders:
    """Find the folders of tests of the project in ``folder``."""
    return find_test_folders(files.below(folder), files.text)


def _find_program(request: Request, files: SubjectFiles, folder: str, tool: BuildTool) -> JavaProject | Missing:
    wrapper = f"{folder}/{tool.wrapper}" if folder else tool.wrapper
    wanted = _DISTRIBUTION.search(files.text(wrapper)) if wrapper in files.known else None
    variable, default = tool.home
    if wanted is not None:
        home = Path(request.environ.get(variable) or find_user_home() / default)
        name = wanted[1].removesuffix("-bin").removesuffix("-all")
        places = sorted((home / "wrapper/dists").glob(f"{name}*/*/bin/{tool.program}"))
        places += sorted((home / "wrapper/dists").glob(f"{wanted[1]}/*/{name}/bin/{tool.program}"))
        if places:
            return JavaProject(tool, folder, str(places[-1]))
    present = shutil.which(tool.program, path=request.project_path)
    if present is not None and (wanted is None or tool.is_maven):
        return JavaProject(tool, folder, tool.program)
    if wanted is not None:
        script = "./mvnw" if tool.is_maven else "./gradlew"
        return Missing(tool.name, folder, f"{wanted[1]} is not installed: run {script} --version once, with a network")
    return Missing(tool.name, folder, f"{tool.program} is not installed: install it (on Debian: {tool.install})")


def run_build_tool(request: Request, project: JavaProject, *tasks: str) -> ToolRun:
    """Run tasks offline, in all modules, also after a failure."""
    env = make_tool_environ(request)
    if project.tool.is_gradle and env.get("HOME") and not os.access(env.get("GRADLE_USER_HOME", ""), os.W_OK):
        # Without it Java takes the home of the user's account, which can't be written in a sandbox.
        env["GRADLE_USER_HOME"] = f"{env['HOME']}/.gradle"
    settings = Path(env.get("HOME") or "/", ".m2/settings.xml")
    # Java takes the home of the user's account; in the private one the gate leaves what may be read of the settings.
    named = (
        ("-s", str(settings)) if project.tool.is_maven and settings != _own_settings() and settings.is_file() else ()
    )
    argv: Sequence[str] = (project.program, *named, *project.tool.options, *tasks)
    return run_tool(argv, cwd=request.repo_root / project.folder, timeout_s=TOOL_TIMEOUT_S, env=env)


def _own_settings() -> Path:
    return find_user_home() / ".m2/settings.xml"


def require_dependencies(run: ToolRun, project: JavaProject) -> None:
    """Raise ToolFailed if the tool failed because dependencies, a compiler or Java are not on this machine."""
    tool, where = project.tool, project.folder or "."
    if run.exit_code == 0:
        return
    text = clean_text(run.stdout + b"\n" + run.stderr)
    lacking = sorted({name.strip("[]',") for pattern in _LACKS for name in pattern.findall(text)})
    if lacking:
        named = ", ".join(lacking[:5]) + (f" and {len(lacking) - 5} more" if len(lacking) > 5 else "")
        hint = f"run {tool.fetch} in that folder, with a network"
        raise ToolFailed(f"{tool.name} lacks what is not on this machine: {named}", where=where, hint=hint)
    if _NO_COMPILER.search(text):
        raise ToolFailed(
            "there is a Java runtime, but no compiler", where=where, hint=f"install a JDK ({tool.install})"
        )
    if len(text) < 2000 and _NO_JAVA.search(text):
        raise ToolFailed("there is no Java", where=where, hint=f"install a JDK ({tool.install})")
