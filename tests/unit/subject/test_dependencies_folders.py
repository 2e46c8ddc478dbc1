from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ, fingerprint

from verigate.discovery.search_path import SearchLocation
from verigate.domain.adapter_package import locate_copies
from verigate.domain.manifest import Origin
from verigate.domain.subject import SubjectKind
from verigate.subject.dependencies import CopyFolder
from verigate.subject.editable_installs import find_editable_leaks
from verigate.subject.project_env import find_project_envs
from verigate.subject.workspace import RunWorkspace, open_workspace


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write(".gitignore", "node_modules/\n.venv/\nvenv/\ntarget/\n")
    sample.write("a", "1\n")
    sample.commit()
    return sample


@contextmanager
def opened(repository: SampleRepository, **environ: str) -> Iterator[RunWorkspace]:
    with open_workspace(repository.path, environ=clean_environ(**environ)) as workspace:
        yield workspace


def _env(path: Path) -> Path:
    venv.create(path, with_pip=False, symlinks=True)
    return path


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _site(env: Path) -> Path:
    return next(env.glob("lib/python*/site-packages"))


def _found(root: str, environ: dict[str, str], gate: str = "/gate", tracked: tuple[bytes, ...] = ()) -> list[str]:
    return find_project_envs(root, environ, gate, tracked=tracked)


def test_the_projects_environments_in_the_order_of_its_tools(repository: SampleRepository, tmp_path: Path) -> None:
    root = str(repository.path)
    active, uv, gate = (_env(tmp_path / name) for name in ("active", "uv", "gate"))
    assert _found(root, {}) == []
    assert _found(root, {"VIRTUAL_ENV": str(gate)}, str(gate)) == []
    assert _found(root, {"VIRTUAL_ENV": "relative"}) == []
    assert _found(root, {"VIRTUAL_ENV": str(active)}) == [str(active)]
    _env(repository.path / "venv")
    assert _found(root, {"VIRTUAL_ENV": str(active)}) == [f"{root}/venv"]
    _env(repository.path / ".venv")
    _env(repository.path / ".env")
    assert _found(root, {}, f"{root}/.venv") == [f"{root}/.venv", f"{root}/venv", f"{root}/.env"]
    environ = {"UV_PROJECT_ENVIRONMENT": "../uv"}
    assert _found(root, environ)[:2] == [str(uv), f"{root}/.venv"]
    (uv / "pyvenv.cfg").unlink()
    assert _found(root, environ)[0] == f"{root}/.venv"


def test_environments_of_runners_those_for_tests_first(repository: SampleRepository) -> None:
    made = (".tox/py39", ".tox/py312", ".tox/lint", ".tox/.pkg", ".nox/tests-3-11", ".nox/docs", ".hatch/other")
    made = (*made, ".tox/py311-django52", ".tox/py311-lint", ".tox/isort")
    for name in made:
        _env(repository.path / name)
    root = str(repository.path)
    order = [".tox/py312", ".tox/py311-django52", ".tox/py39", ".nox/tests-3-11", ".tox/.pkg", ".hatch/other"]
    order += [".nox/docs", ".tox/isort", ".tox/lint", ".tox/py311-lint"]
    found = _found(root, {})
    assert sorted(found) == sorted(f"{root}/{name}" for name in made)
    assert found == [f"{root}/{name}" for name in order]


def test_what_pdm_conda_pipenv_and_hatch_chose(repository: SampleRepository, tmp_path: Path) -> None:
    root = str(repository.path)
    conda, pipenv = tmp_path / "conda", _env(tmp_path / "share/virtualenvs/r-abcdefgh")
    (conda / "bin").mkdir(parents=True)
    (conda / "bin/python").symlink_to(sys.executable)
    assert _found(root, {"CONDA_PREFIX": str(conda)}) == []
    (conda / "conda-meta").mkdir()
    assert _found(root, {"CONDA_PREFIX": str(conda)}) == [str(conda)]
    (pipenv / ".project").write_text(root)
    mark = base64.urlsafe_b64encode(hashlib.sha256(root.encode()).digest()).decode()[:8]
    hatch = _env(tmp_path / f"share/hatch/env/virtual/sample/{mark}/sample")
    environ = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    assert _found(root, environ) == []
    assert _found(root, environ, tracked=(b"Pipfile",)) == [str(pipenv)]
    assert _found(root, environ, tracked=(b"pyproject.toml",)) == [str(hatch)]
    with_linters = _env(repository.path / ".venv")
    assert _found(root, environ, tracked=(b"pyproject.toml",)) == [str(with_linters), str(hatch)]
    shutil.rmtree(with_linters)
    pdm = _env(tmp_path / "pdm")
    (repository.path / ".pdm-python").write_text(f"{pdm}/bin/python\n")
    assert _found(root, environ, tracked=(b"pyproject.toml",)) == [str(pdm), str(hatch)]
    assert _found(root, environ, tracked=(b".pdm-python",)) == []


def test_poetrys_environment_is_found_by_its_name(repository: SampleRepository, tmp_path: Path) -> None:
    digest = hashlib.sha256(os.fsencode(os.path.realpath(repository.path))).digest()
    mark = base64.urlsafe_b64encode(digest).decode()[:8]
    older = _env(tmp_path / f"cache/pypoetry/virtualenvs/some-name-{mark}-py3.9")
    newer = _env(tmp_path / f"cache/pypoetry/virtualenvs/some-name-{mark}-py3.11")
    root, environ = str(repository.path), {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    locked = (b"poetry.lock",)
    assert _found(root, environ) == []
    assert _found(root, environ, tracked=locked) == [str(newer)]
    (newer / "pyvenv.cfg").unlink()
    assert _found(root, environ, tracked=locked) == [str(older)]
    other = _env(tmp_path / f"elsewhere/x-{mark}-py3.12")
    config = tmp_path / ".config/pypoetry/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[virtualenvs]\npath = "{tmp_path}/elsewhere"\n')
    assert _found(root, environ, tracked=locked) == [str(other)]


def test_an_environment_works_in_the_checkout_and_is_mounted_at_its_own_path(repository: SampleRepository) -> None:
    env = _env(repository.path / ".venv")
    (_site(env) / "marker.py").write_text("VALUE = 42\n")
    before = fingerprint(repository.path)
    with opened(repository) as workspace:
        checkout = workspace.checkout(0)
        python = f"{checkout.path}/.venv/bin/python"
        code = "import marker, sys; print(marker.VALUE, sys.prefix)"
        out = subprocess.run((python, "-B", "-c", code), capture_output=True, text=True, check=True).stdout
        assert out.split() == ["42", f"{checkout.path}/.venv"]
        assert workspace.project_envs == (str(env),)
        assert workspace.tool_folders == (f"{env}/bin",)
        mounted = [mount for mount in checkout.mounts if mount.target == str(env)]
        assert [(mount.source, mount.read_only) for mount in mounted] == [(str(env), True)]
        Path(checkout.path, ".venv/bin").unlink()
        Path(checkout.path, ".venv/stray").touch()
        assert checkout.restore() == ()
        assert Path(checkout.path, ".venv/bin/python").exists()
        assert not Path(checkout.path, ".venv/stray").exists()
    assert fingerprint(repository.path) == before


def test_a_tracked_environment_stays_what_the_subject_says(repository: SampleRepository) -> None:
    repository.write("venv/readme", "not an environment\n")
    repository.git("add", "--force", "venv")
    _env(repository.path / "venv")
    with opened(repository) as workspace:
        assert _names(Path(workspace.checkout(0).path, "venv")) == ["readme"]


def _package(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "package.json").write_text(f'{{"name": "{name}", "main": "index.js"}}')
    (folder / name / "index.js").write_text(text)


def test_node_modules_can_be_used_and_written_beside(repository: SampleRepository) -> None:
    repository.write("package.json", '{"name": "sample", "workspaces": ["packages/*"]}')
    repository.write("packages/own/package.json", '{"name": "@me/own", "main": "index.js"}')
    repository.write("packages/own/index.js", "module.exports = require('helper') + ' of the subject'")
    repository.write("main.js", "console.log(require('helper'), '|', require('@me/own'), '|', require('@me/two'))")
    repository.commit()
    modules = repository.path / "node_modules"
    _package(modules, "inner", "module.exports = 'inner'")
    _package(modules, "helper", "module.exports = 'helper and ' + require('inner')")
    _package(modules / "@me", "two", "module.exports = 'two'")
    (modules / "@me/own").symlink_to("../../packages/own")
    (modules / ".bin").mkdir()
    (modules / ".bin/helper").symlink_to("../helper/index.js")
    (modules / ".cache").mkdir()
    # What the user has changed since is not what is verified.
    repository.write("main.js", "console.log('changed')")
    repository.write("packages/own/index.js", "module.exports = 'of the user'")
    before = fingerprint(repository.path)
    with open_workspace(
        repository.path, kind=SubjectKind.COMMIT, ref="HEAD", environ=clean_environ(), gate_prefix=sys.prefix
    ) as workspace:
        checkout = workspace.checkout(0)
        out = subprocess.run(("node", "main.js"), cwd=checkout.path, capture_output=True, text=True, check=True).stdout
        assert out == "helper and inner | helper and inner of the subject | two\n"
        place = Path(checkout.path, "node_modules")
        assert not (place / ".cache").exists()
        (place / ".vite-temp").mkdir()
        (place / "helper").unlink()
        (place / "@me/own").unlink()
        assert checkout.restore() == ()
        assert _names(place) == [".bin", "@me", "helper", "inner"]
        again = subprocess.run(("node", "main.js"), cwd=checkout.path, capture_output=True, text=True, check=True)
        assert again.stdout == out
        assert workspace.tool_folders == (f"{repository.path}/node_modules/.bin",)
    assert fingerprint(repository.path) == before


def test_node_modules_of_inner_packages_and_of_adapters(repository: SampleRepository) -> None:
    repository.write("web/package.json", "{}")
    repository.write("adapters/mine/package.json", "{}")
    repository.write("adapters/mine/manifest.json", "{}")
    repository.write("adapters/mine/main.js", "console.log(require('tool'))")
    repository.write("elsewhere/readme", "")
    repository.commit()
    for folder in ("web", "adapters/mine", "elsewhere"):
        _package(repository.path / folder / "node_modules", "tool", f"module.exports = '{folder}'")
    with opened(repository) as workspace:
        path = Path(workspace.checkout(0).path)
        assert (path / "web/node_modules/tool/index.js").read_text() == "module.exports = 'web'"
        assert not (path / "elsewhere/node_modules").exists()
        main = f"{workspace.policy_root}/adapters/mine/main.js"
        done = subprocess.run(("node", main), cwd=path, capture_output=True, text=True, check=True)
        assert done.stdout == "adapters/mine\n"


def test_a_pinned_package_finds_no_package_beside_it(repository: SampleRepository) -> None:
    """Of these nothing is pinned, and whoever is judged can write to them."""
    repository.write("package.json", "{}")
    repository.write("config/adapter-packages.json", json.dumps({"npm": {"judge": f"sha256:{'0' * 64}"}}))
    repository.write("adapters/mine/manifest.json", "{}")
    repository.write("adapters/mine/main.js", "console.log(require('tool'))")
    repository.commit()
    modules = repository.path / "node_modules"
    _package(modules, "tool", "module.exports = 'beside'")
    _package(modules, "judge", "console.log(require('inner')); require('tool')")
    _package(modules / "judge/node_modules", "inner", "module.exports = 'bundled'")
    with opened(repository) as workspace:
        root = workspace.policy_root
        done = subprocess.run(("node", f"{locate_copies(root)}/judge"), capture_output=True, text=True, check=False)
        assert done.stdout == "bundled\n"
        assert "Cannot find module 'tool'" in done.stderr
        own = subprocess.run(("node", f"{root}/adapters/mine/main.js"), capture_output=True, text=True, check=True)
        assert own.stdout == "beside\n"


@pytest.mark.parametrize(("beside", "folder"), [("package.json", "node_modules"), ("Cargo.toml", "target")])
@pytest.mark.parametrize("name", ["manifest.json", "other.toml"])
def test_what_git_ignores_is_no_adapter(repository: SampleRepository, beside: str, folder: str, name: str) -> None:
    """Whoever is judged can write to it, and no change would show it."""
    repository.write(f"adapters/{beside}", "")
    repository.write("adapters/mine/manifest.json", "{}")
    repository.commit()
    planted = repository.write(f"adapters/{folder}/{name}", "{}")
    repository.write(f"adapters/{folder}/tool/index.js", "")
    with opened(repository) as workspace:
        folders = SearchLocation(f"{workspace.policy_root}/adapters", Origin.REPOSITORY).list_folders()
        found = [each.manifest for each in folders if each.has_manifest]
        found += [path for each in folders if not each.has_manifest for path in each.tables]
        assert {Path(path).parent.name for path in found if not path.endswith("/Cargo.toml")} == {"mine"}
        assert Path(workspace.policy_root, f"adapters/{folder}/tool/index.js").is_file()
    assert planted.read_text() == "{}"


def test_vendored_modules_and_crates_are_shown_read_only(repository: SampleRepository) -> None:
    repository.write(".gitignore", "vendor/\n")
    for name in ("go/go.mod", "rust/Cargo.toml", "php/composer.json", "both/go.mod", "both/Cargo.toml", "old/go.mod"):
        repository.write(name)
    repository.write("kept/go.mod")
    repository.commit()
    for folder in ("go", "rust", "php", "both", "old"):
        repository.write(f"{folder}/vendor/x/a")
    for folder in ("go", "both", "kept"):
        repository.write(f"{folder}/vendor/modules.txt")
    repository.git("add", "--force", "kept/vendor")
    repository.git("commit", "-qm", "vendored")
    with opened(repository) as workspace:
        checkout = workspace.checkout(0)
        found = [mount for mount in checkout.mounts if mount.target.endswith("/vendor")]
        expected = [f"{repository.path}/{folder}/vendor" for folder in ("both", "go", "rust")]
        assert sorted(mount.target for mount in found) == expected
        assert all(mount.read_only and mount.source == mount.target for mount in found)
        # Without a sandbox the same is reached by links.
        assert Path(checkout.path, "go/vendor/x/a").is_file()
        assert Path(checkout.path, "kept/vendor/modules.txt").is_file()
        assert not Path(checkout.path, "php/vendor").exists()  # composer left no autoload.php


def test_composers_vendor_loads_the_subject(repository: SampleRepository) -> None:
    """Links to what loads classes would lead to those of the user's tree."""
    repository.write(".gitignore", "vendor/\n")
    for name in ("composer.json", "kept/composer.json", "none/composer.json", "gems/Gemfile"):
        repository.write(name)
    repository.commit()
    for name in ("autoload.php", "composer/autoload_static.php", "bin/phpunit", "phpunit/phpunit/phpunit", "bundle/x"):
        repository.write(f"vendor/{name}", name)
        repository.write(f"kept/vendor/{name}", name)
    Path(repository.path, "vendor/bin/old").symlink_to("../phpunit/phpunit/phpunit")
    repository.write("none/vendor/a/b")
    repository.write("gems/vendor/bundle/ruby/a")
    repository.git("add", "--force", "kept/vendor")
    repository.git("commit", "-qm", "vendored")
    before = fingerprint(repository.path)
    with opened(repository) as workspace:
        checkout = workspace.checkout(0)
        found = sorted(
            mount.target for mount in checkout.mounts if mount.target.endswith(("/vendor", "/vendor/bundle"))
        )
        assert found == [f"{repository.path}/gems/vendor/bundle", f"{repository.path}/vendor"]
        place = Path(checkout.path, "vendor")
        # Without a sandbox.
        for name in ("autoload.php", "composer/autoload_static.php", "bin/phpunit"):
            assert (place / name).read_text() == name
            assert (place / name).resolve() == place / name
        assert (place / "phpunit").is_symlink()
        assert not (place / "bin/old").exists()
        assert not (place / "bundle").exists()
        assert not Path(checkout.path, "none/vendor").exists()
        assert Path(checkout.path, "gems/vendor/bundle/ruby/a").is_file()
    assert fingerprint(repository.path) == before


def test_cargos_target_is_a_copy_that_is_put_back(repository: SampleRepository) -> None:
    repository.write("Cargo.toml", "[package]\nname = 'x'\n")
    repository.commit()
    built = repository.write("target/debug/deps/libx.rlib", b"\0" * 100_000)
    os.utime(built, ns=(1_600_000_000_000_000_000, 1_600_000_000_000_000_000))
    repository.write("target/debug/incremental/x", "left out")
    before = fingerprint(repository.path)
    with opened(repository) as workspace:
        checkout = workspace.checkout(0)
        copy = Path(checkout.path, "target/debug/deps/libx.rlib")
        assert copy.read_bytes() == built.read_bytes()
        assert copy.stat().st_mtime_ns == built.stat().st_mtime_ns
        assert not Path(checkout.path, "target/debug/incremental").exists()
        copy.write_bytes(b"poisoned")
        Path(checkout.path, "target/debug/more").touch()
        assert checkout.restore() == ()
        assert copy.read_bytes() == built.read_bytes()
        assert not Path(checkout.path, "target/debug/more").exists()
    assert fingerprint(repository.path) == before


def test_a_target_too_large_is_left_out_and_told(repository: SampleRepository) -> None:
    repository.write("Cargo.toml", "[package]\nname = 'x'\n")
    repository.commit()
    large = repository.write("target/debug/large", b"")
    os.truncate(large, 3_000_000_000)
    with opened(repository) as workspace:
        assert not Path(workspace.checkout(0).path, "target").exists()
        assert any("target is too large" in note for note in workspace.notes)


def test_a_copy_leaves_away_what_the_user_has_removed(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "checkout").mkdir()
    (tmp_path / "source/kept").write_text("x")
    CopyFolder(b"target", os.fsencode(tmp_path / "source"), (b"gone", b"kept")).make(os.fsencode(tmp_path / "checkout"))
    assert _names(tmp_path / "checkout/target") == ["kept"]


@pytest.mark.parametrize(
    ("name", "text", "leaks"),
    [
        ("easy.pth", "{root}/src\n", True),
        ("relative.pth", "../../../../r/src\n", True),
        ("hook.pth", "import sys; sys.path.insert(0, '{root}')\n", True),
        ("own.pth", "{env}/more\n", False),
        ("other.pth", "# {root}\n/opt/elsewhere\n\n", False),
        ("neighbour.pth", "{root}-too/src\n", False),
        ("__editable___x_finder.py", "MAPPING: dict[str, str] = {{'x': '{root}/src/x'}}\n", True),
        ("__editable___y_finder.py", "MAPPING = {{'y': '/opt/y'}}\n", False),
        ("x-1.dist-info/direct_url.json", '{{"url": "file://{root}", "dir_info": {{"editable": true}}}}', True),
        ("y-1.dist-info/direct_url.json", '{{"url": "file://{root}", "dir_info": {{}}}}', False),
        ("z-1.dist-info/direct_url.json", '{{"url": "https://x.example/y"}}', False),
        ("w-1.dist-info/direct_url.json", "[" * 100_000, False),
        ("old.egg-link", "{root}/src\n.\n", True),
    ],
)
def test_editable_installs_that_lead_into_the_users_tree(tmp_path: Path, name: str, text: str, leaks: bool) -> None:
    root = tmp_path / "r"
    env = tmp_path / "env"
    path = env / "lib/python3.11/site-packages" / name
    path.parent.mkdir(parents=True)
    path.write_text(text.format(root=root, env=env))
    assert find_editable_leaks(str(env), str(root)) == ((str(path),) if leaks else ())


@pytest.mark.slow
def test_a_real_editable_install_is_noticed(repository: SampleRepository) -> None:
    repository.write(
        "pyproject.toml",
        "[build-system]\nrequires = ['hatchling']\nbuild-backend = 'hatchling.build'\n"
        "[project]\nname = 'sample'\nversion = '1'\n[tool.hatch.build]\ndev-mode-dirs = ['src']\n",
    )
    repository.write("src/x/__init__.py", "")
    repository.commit()
    env = _env(repository.path / ".venv")
    with opened(repository) as workspace:
        assert workspace.editable_leaks == ()
    pip = (sys.executable, "-m", "pip", "--python", str(env), "--disable-pip-version-check", "--quiet")
    # hatchling comes from the environment that runs the tests, so nothing is fetched.
    flags = ("install", "--no-index", "--no-deps", "--no-build-isolation", "--editable", str(repository.path))
    hatchling = subprocess.run(
        (sys.executable, "-c", "import hatchling, os; print(os.path.dirname(os.path.dirname(hatchling.__file__)))"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    subprocess.run((*pip, *flags), env=clean_environ(PYTHONPATH=hatchling), check=True)
    with opened(repository) as workspace:
        assert workspace.editable_leaks


def test_an_active_environment_elsewhere_needs_no_mount(repository: SampleRepository, tmp_path: Path) -> None:
    env = _env(tmp_path / "env")
    with opened(repository, VIRTUAL_ENV=str(env)) as workspace:
        assert workspace.project_envs == (str(env),)
        assert str(env) not in {mount.target for mount in workspace.checkout(0).mounts}
