from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from verigate.processes.tool_path import Search, build_toolbox, link_coreutils, list_caller_path, locate_coreutils


def executable(path: Path, text: str = "#!/bin/sh\necho found\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def search(
    tmp_path: Path,
    *,
    project: tuple[str, ...] = (),
    path: tuple[str, ...] = ("/usr/bin", "/bin"),
    environ: Mapping[str, str] | None = None,
    seen_as: tuple[tuple[str, str], ...] = (),
) -> Search:
    repository = str(tmp_path / "repo")
    return Search(project, path, (repository,), repository, environ or {}, seen_as)


def test_declared_tools_are_wrapped_and_missing_ones_named(tmp_path: Path) -> None:
    executable(tmp_path / "caller" / "mytool")
    found = search(tmp_path, path=(str(tmp_path / "caller"),))
    toolbox = build_toolbox(str(tmp_path / "bin"), ["mytool", "no-such-tool", "../../bin/sh", "-rf", "a\nb"], found)
    assert toolbox.missing == ("-rf", "../../bin/sh", "a\nb", "no-such-tool")
    assert names(toolbox.folder) == ["mytool"]
    assert subprocess.run([f"{toolbox.folder}/mytool"], capture_output=True, check=True).stdout == b"found\n"


def test_a_wrapper_passes_arguments_and_survives_hostile_folder_names(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s $(touch pwned) "quoted"\nline'
    executable(folder / "tool", '#!/bin/sh\nprintf "<%s>" "$@"\n')
    toolbox = build_toolbox(str(tmp_path / "bin"), ["tool"], search(tmp_path, path=(str(folder),)))
    done = subprocess.run(
        [f"{toolbox.folder}/tool", "a b", "-x", "*", ""], capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout == b"<a b><-x><*><>"
    assert not (tmp_path / "pwned").exists()


def test_a_wrapper_is_executed_in_place_of_itself(tmp_path: Path) -> None:
    executable(tmp_path / "caller" / "tool", "#!/bin/sh\necho $$ $0\n")
    toolbox = build_toolbox(str(tmp_path / "bin"), ["tool"], search(tmp_path, path=(str(tmp_path / "caller"),)))
    with subprocess.Popen([f"{toolbox.folder}/tool"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.read().split() == [str(process.pid), str(tmp_path / "caller" / "tool")]


def test_the_projects_tools_come_before_the_callers(tmp_path: Path) -> None:
    executable(tmp_path / "repo" / ".venv" / "bin" / "ruff", "#!/bin/sh\necho project\n")
    executable(tmp_path / "caller" / "ruff", "#!/bin/sh\necho caller\n")
    found = search(tmp_path, project=(str(tmp_path / "repo/.venv/bin"),), path=(str(tmp_path / "caller"),))
    assert found.find("ruff") == str(tmp_path / "repo/.venv/bin/ruff")


def test_git_sh_and_coreutils_never_come_from_the_repository(tmp_path: Path) -> None:
    for name in ("git", "sh", "cat", "which"):
        executable(tmp_path / "repo" / "bin" / name)
        (tmp_path / "links").mkdir(exist_ok=True)
        (tmp_path / "links" / name).symlink_to(tmp_path / "repo" / "bin" / name)
    inside = (str(tmp_path / "repo" / "bin"),)
    found = search(tmp_path, project=inside, path=(*inside, str(tmp_path / "links"), "/usr/bin", "/bin"))
    for name in ("git", "sh", "cat", "which"):
        path = found.find(name)
        assert path is not None
        assert path.startswith(("/usr/", "/bin/"))


def test_folders_are_wrapped_as_the_adapter_sees_them(tmp_path: Path) -> None:
    executable(tmp_path / "checkout" / "node_modules" / ".bin" / "jest")
    found = search(
        tmp_path,
        project=(str(tmp_path / "checkout/node_modules/.bin"),),
        seen_as=((str(tmp_path / "checkout"), "/the/repo"), (str(tmp_path), "/wrong")),
    )
    toolbox = build_toolbox(str(tmp_path / "bin"), ["jest"], found)
    assert "exec '/the/repo/node_modules/.bin/jest'" in Path(toolbox.folder, "jest").read_text()
    assert toolbox.found["jest"] == str(tmp_path / "checkout/node_modules/.bin/jest")


def test_the_interpreter_that_a_tools_first_line_asks_for_comes_with_it(tmp_path: Path) -> None:
    executable(tmp_path / "caller" / "lint", "#!/usr/bin/env mynode\n")
    executable(tmp_path / "caller" / "mynode")
    toolbox = build_toolbox(str(tmp_path / "bin"), ["lint"], search(tmp_path, path=(str(tmp_path / "caller"),)))
    assert names(toolbox.folder) == ["lint", "mynode"]


def test_the_core_has_sh_env_which_and_coreutils_and_nothing_else(tmp_path: Path) -> None:
    core = str(tmp_path / "core")
    link_coreutils(core, locate_coreutils(search(tmp_path)))
    found = set(names(core))
    assert {"sh", "env", "which", "cat", "sort", "sha256sum", "["} <= found
    assert not {"git", "python3", "curl", "perl", "bash"} & found
    done = subprocess.run(["/bin/sh", "-c", "which cat && printf b | cat"], env={"PATH": core}, capture_output=True)  # noqa: PLW1510
    assert done.stdout.decode() == f"{core}/cat\nb"


def test_the_gates_own_folder_is_left_out_of_the_callers_path(tmp_path: Path) -> None:
    own = tmp_path / "venv" / "bin"
    own.mkdir(parents=True)
    (tmp_path / "link").symlink_to(own)
    environ = {"PATH": f"relative:{own}:/usr/bin::{tmp_path}/link:/usr/bin"}
    assert list_caller_path(environ, str(own)) == ("/usr/bin",)
    assert list_caller_path(environ, None) == (str(own), "/usr/bin", f"{tmp_path}/link")


def pyenv(tmp_path: Path) -> dict[str, str]:
    for version in ("3.11.7", "3.12.1"):
        executable(tmp_path / "pyenv" / "versions" / version / "bin" / "python3")
    executable(tmp_path / "pyenv" / "shims" / "python3")
    (tmp_path / "pyenv" / "version").write_text("3.11.7\n")
    return {"PYENV_ROOT": str(tmp_path / "pyenv")}


def test_a_version_managers_shim_is_looked_through(tmp_path: Path) -> None:
    environ = pyenv(tmp_path)
    shims = (str(tmp_path / "pyenv" / "shims"),)
    versions = str(tmp_path / "pyenv" / "versions")
    assert search(tmp_path, path=shims, environ=environ).find("python3") == f"{versions}/3.11.7/bin/python3"
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".python-version").write_text("3.12.1\n")
    assert search(tmp_path, path=shims, environ=environ).find("python3") == f"{versions}/3.12.1/bin/python3"
    chosen = environ | {"PYENV_VERSION": "3.11.7"}
    assert search(tmp_path, path=shims, environ=chosen).find("python3") == f"{versions}/3.11.7/bin/python3"


def test_a_version_file_of_the_subject_cannot_lead_elsewhere(tmp_path: Path) -> None:
    environ = pyenv(tmp_path)
    executable(tmp_path / "repo" / "evil" / "bin" / "python3")
    (tmp_path / "repo" / ".python-version").write_text("../../repo/evil\n")
    found = search(tmp_path, path=(str(tmp_path / "pyenv" / "shims"), "/usr/bin"), environ=environ).find("python3")
    assert found is not None
    assert "evil" not in found
