"""Packages of workspaces, as their tools define them, and which of them need which."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from code_adapter.packages.graph import PackageGraph, read_graph, unite
from code_adapter.packages.manifest_tree import ManifestTree, UnclearPackagesError, matches
from code_adapter.packages.path_needs import read_link_needs, read_path_needs

ANY: dict[str, str] = {}


def tree(files: Mapping[str, str | bytes]) -> ManifestTree:
    raw = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return ManifestTree(tuple(raw), raw.__getitem__)


def graph(files: Mapping[str, str | bytes]) -> PackageGraph:
    return read_graph(tree(files))


def needs(files: Mapping[str, str | bytes]) -> dict[str, list[str]]:
    return {folder: sorted(each) for folder, each in sorted(graph(files).needs.items())}


def package(name: str, **tables: Mapping[str, str]) -> str:
    return json.dumps({"name": name, **tables})


NPM = {
    "package.json": json.dumps({"name": "root", "workspaces": ["packages/*", "!packages/old"]}),
    "packages/core/package.json": package("@shop/core"),
    "packages/cart/package.json": package("cart", dependencies={"@shop/core": "^1.0.0"}),
    "packages/till/package.json": package("till", devDependencies={"basket": "workspace:cart@*"}),
    "packages/web/package.json": package("web", peerDependencies={"react": "*"}, optionalDependencies={"till": "*"}),
    "packages/docs/package.json": package("docs", dependencies={"other": "file:../cart"}),
    "packages/old/package.json": package("old", dependencies={"cart": "*"}),
    "packages/core/node_modules/x/package.json": package("x"),
}
NPM_NEEDS = {
    "": [],
    "packages/cart": ["packages/core"],
    "packages/core": [],
    "packages/docs": ["packages/cart"],
    "packages/till": ["packages/cart"],
    "packages/web": ["packages/till"],
}
UV = {
    "pyproject.toml": "[tool.uv.workspace]\nmembers = ['libs/*', 'apps/**']\nexclude = ['libs/old']\n",
    "libs/core/pyproject.toml": "[project]\nname = 'Shop.Core'\n",
    "libs/cart/pyproject.toml": "[project]\nname = 'cart'\ndependencies = ['shop_core>=1; python_version > \"3\"']\n",
    "libs/old/pyproject.toml": "[project]\nname = 'old'\ndependencies = ['cart']\n",
    "libs/dyn/pyproject.toml": "[project]\nname = 'dyn'\ndynamic = ['dependencies']\n",
    "apps/web/till/pyproject.toml": "[project]\nname = 'till'\n[project.optional-dependencies]\nx = ['cart[all]']\n"
    "[tool.uv.sources]\ntools = {path = '../../../tools'}\n",
    "apps/dev/pyproject.toml": "[project]\nname = 'dev'\n[dependency-groups]\ntest = ['till', {include-group = 'x'}]\n"
    "x = []\n",
    "tools/pyproject.toml": "[project]\nname = 'tools'\n",
}
UV_NEEDS = {
    "": [],
    "apps/dev": ["apps/web/till"],
    "apps/web/till": ["libs/cart", "tools"],
    "libs/cart": ["libs/core"],
    "libs/core": [],
    "libs/dyn": ["", "apps/dev", "apps/web/till", "libs/cart", "libs/core", "tools"],
    "tools": [],
}
CARGO = {
    "Cargo.toml": "[workspace]\nmembers = ['crates/*']\nexclude = ['crates/old']\n"
    "[workspace.dependencies]\nshared = {path = 'crates/core', package = 'shop-core'}\n",
    "crates/core/Cargo.toml": "[package]\nname = 'shop-core'\n",
    "crates/cart/Cargo.toml": "[package]\nname = 'cart'\n[dependencies]\nshared.workspace = true\nserde = '1'\n",
    "crates/till/Cargo.toml": "[package]\nname = 'till'\n[target.'cfg(unix)'.dev-dependencies]\nx = {path = '../cart', "
    "package = 'cart'}\n[build-dependencies]\nbuild = {path = '../../inner/build'}\n",
    "crates/old/Cargo.toml": "[package]\nname = 'old'\n",
    "inner/build/Cargo.toml": "[package]\nname = 'build'\n",
}
CARGO_NEEDS = {
    "crates/cart": ["crates/core"],
    "crates/core": [],
    "crates/till": ["crates/cart", "inner/build"],
    "inner/build": [],
}
GO = {
    "go.work": "go 1.21\n\nuse (\n\t./core\n\t./cart\n)\n",
    "core/go.mod": "module example.com/core // the core\n\ngo 1.19\n",
    "cart/go.mod": "module example.com/cart\n\nrequire (\n\texample.com/core v0.1.0 // indirect\n"
    '\t"golang.org/x/a" v1.0.0\n)\n',
    "till/go.mod": "module example.com/till\nrequire example.com/x v1.0.0\nreplace example.com/x => ../cart\n",
    "till/testdata/go.mod": "module (\n",
}
GO_NEEDS = {"cart": ["core"], "core": [], "till": ["cart"]}


@pytest.mark.parametrize(
    ("files", "expected"), [(NPM, NPM_NEEDS), (UV, UV_NEEDS), (CARGO, CARGO_NEEDS), (GO, GO_NEEDS)]
)
def test_packages_and_what_they_need(files: dict[str, str], expected: dict[str, list[str]]) -> None:
    assert needs(files) == expected


def test_pnpm_takes_its_own_file_and_yarn_an_object() -> None:
    members = {path: text for path, text in NPM.items() if path != "package.json"}
    own = "packages:\n  - 'packages/*'\n  - '!packages/old'\n"
    assert needs({**members, "package.json": package("root"), "pnpm-workspace.yaml": own}) == NPM_NEEDS
    yarn = json.dumps({"workspaces": {"packages": ["packages/*", "!packages/old"]}})
    assert needs({**members, "package.json": yarn}) == NPM_NEEDS


def test_several_kinds_are_one_graph_and_one_folder_may_be_of_two() -> None:
    both = {**NPM, **CARGO, "crates/core/package.json": package("native", dependencies={"till": "*"})}
    both["package.json"] = json.dumps({"workspaces": ["packages/*", "crates/core"]})
    found = needs(both)
    assert found["crates/core"] == ["packages/till"]
    assert found["crates/cart"] == ["crates/core"]
    assert graph(both).find_affected(["packages/core/index.js"]) >= {"crates/core", "crates/cart", "crates/till"}


@pytest.mark.parametrize(
    ("path", "affected"),
    [
        (
            "packages/core/src/deep/a.js",
            {"", "packages/core", "packages/cart", "packages/till", "packages/web", "packages/docs"},
        ),
        ("packages/till/README.md", {"", "packages/till", "packages/web"}),
        ("packages/web/package.json", {"", "packages/web"}),
    ],
)
def test_what_needs_a_changed_package_is_affected(path: str, affected: set[str]) -> None:
    assert graph(NPM).find_affected([path]) == affected


@pytest.mark.parametrize(
    "path", ["package.json", ".github/workflows/a.yml", "packages/old/a.js", "packages/new.js", "a/b"]
)
def test_what_is_in_no_package_may_concern_all(path: str) -> None:
    with pytest.raises(UnclearPackagesError, match=f"^{path} changed, outside of every package$"):
        graph(NPM).find_affected(["packages/web/a.js", path])


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({**NPM, "packages/cart/package.json": '{"name": "cart"'}, "packages/cart/package.json: isn't JSON"),
        ({**NPM, "packages/cart/package.json": "[" * 100_000}, "packages/cart/package.json: isn't JSON"),
        ({**NPM, "packages/cart/package.json": '{"dependencies": ["core"]}'}, "dependencies isn't a table"),
        ({**NPM, "packages/cart/package.json": '{"dependencies": {"core": 1}}'}, "dependencies core isn't text"),
        ({**NPM, "packages/cart/package.json": b'{"name": "\xff"}'}, "isn't UTF-8"),
        ({**NPM, "package.json": '{"workspaces": "packages/*"}'}, "workspaces isn't a list of texts"),
        ({**NPM, "package.json": '{"workspaces": ["packages/{a,b}"]}'}, "whose syntax isn't known"),
        ({**NPM, "package.json": json.dumps({"workspaces": ["a"] * 1001})}, "more than 1000 patterns"),
        ({**NPM, "pnpm-workspace.yaml": "packages: [a, b\n"}, "pnpm-workspace.yaml: isn't YAML"),
        ({**NPM, "pnpm-workspace.yaml": "- a\n"}, "pnpm-workspace.yaml: the file isn't a table"),
        ({**NPM, "pnpm-workspace.yaml": "packages: !!python/name:os.system\n"}, "isn't YAML"),
        ({**UV, "libs/cart/pyproject.toml": "[project\n"}, "libs/cart/pyproject.toml: isn't TOML"),
        ({**UV, "libs/cart/pyproject.toml": "[project]\ndependencies = 'core'\n"}, "dependencies isn't a list"),
        ({**UV, "libs/cart/pyproject.toml": "[project]\ndependencies = ['*']\n"}, "isn't a requirement"),
        ({**UV, "pyproject.toml": "[tool.uv.workspace]\nmembers = [1]\n"}, "members isn't a list of texts"),
        ({**CARGO, "crates/cart/Cargo.toml": "[package]\n"}, "crates/cart/Cargo.toml: the package has no name"),
        ({**CARGO, "crates/cart/Cargo.toml": "[package]\nname='a'\n[dependencies]\nb = 1\n"}, "b isn't a table"),
        ({**GO, "cart/go.mod": "module example.com/cart\nrequire (\n"}, "the block require doesn't end"),
        ({**GO, "cart/go.mod": "require example.com/core v1.0.0\n"}, "cart/go.mod: no module is named"),
        ({**GO, "cart/go.mod": "module a\nrequire ( b\n"}, "isn't a line of it"),
    ],
)
def test_what_cannot_be_read_is_said(files: dict[str, str | bytes], why: str) -> None:
    with pytest.raises(UnclearPackagesError) as caught:
        graph(files)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("files", "path"),
    [
        # The root's own tools are there for all.
        (
            {**NPM, "package.json": json.dumps({"workspaces": ["packages/*"], "devDependencies": {"cart": "*"}})},
            "packages/cart/a",
        ),
        # A package of others may need what is put in the place of another one.
        (
            {
                **NPM,
                "package.json": json.dumps(
                    {"workspaces": ["packages/*"], "overrides": {"a": {"x": "file:./packages/docs"}}}
                ),
            },
            "packages/docs/a",
        ),
        (
            {**CARGO, "Cargo.toml": CARGO["Cargo.toml"] + "[patch.crates-io]\nserde = {path = 'crates/till'}\n"},
            "crates/till/a",
        ),
        ({**GO, "go.work": GO["go.work"] + "replace example.com/y => ./till\n"}, "till/a.go"),
    ],
)
def test_what_others_get_in_ways_that_no_package_names_concerns_all(files: dict[str, str], path: str) -> None:
    with pytest.raises(UnclearPackagesError, match="concerns all packages"):
        graph(files).find_affected([path])


def test_a_need_that_a_change_takes_away_still_counts() -> None:
    # The package that is needed gets another name, so that nobody's manifest names it any more.
    renamed = {**NPM, "packages/core/package.json": package("@shop/kernel")}
    assert graph(renamed).find_affected(["packages/core/package.json"]) == {"", "packages/core"}
    both = unite(graph(renamed), graph(NPM))
    assert "packages/cart" in both.find_affected(["packages/core/package.json"])
    # And one that is no package any more is still where it was.
    gone = {path: text for path, text in NPM.items() if path != "packages/core/package.json"}
    assert "packages/cart" in unite(graph(gone), graph(NPM)).find_affected(["packages/core/package.json"])


def test_links_and_paths_in_settings_lead_to_packages() -> None:
    files = {
        **NPM,
        "packages/core/tsconfig.json": '{"references": [{"path": "../docs/tsconfig.json"}]}',
        "packages/cart/jest.config.js": "module.exports = {roots: ['../*/src', '../../node_modules']}",
        "packages/web/src/code.js": "require('../../docs')",
    }
    found = graph(files)
    pairs = set(read_path_needs(tree(files), found))
    assert ("packages/core", "packages/docs") in pairs
    assert {needed for owner, needed in pairs if owner == "packages/cart"} == {each for each in found.needs if each}
    links = {"packages/web/shared": "../docs/src", "packages/web/up": "../../..", "packages/web/abs": "/etc"}
    assert list(read_link_needs(links, found)) == [("packages/web", "packages/docs")]
    for path, target in (("shared", "packages/docs"), ("packages/web/all", ".."), ("packages/web/root", "../..")):
        with pytest.raises(UnclearPackagesError, match=f"^{path} links"):
            list(read_link_needs({path: target}, found))


def test_a_package_inside_another_is_needed_by_it() -> None:
    files = {**GO, "cart/inner/go.mod": "module example.com/cart/inner\n"}
    assert graph(files).find_affected(["cart/inner/a.go"]) == {"cart/inner", "cart", "till"}


@pytest.mark.parametrize(
    ("place", "pattern", "expected"),
    [
        ("a/b", "a/*", True),
        ("a/b/c", "a/*", False),
        ("a/b/c", "a/**", True),
        ("a", "a/**", True),
        ("a/b/c", "./**/c/", True),
        ("a/b", "**/a", False),
        ("a/xy", "a/x?", True),
        ("/".join("a" * 40), "/".join(["**", "a"] * 40 + ["b"]), False),
    ],
)
def test_patterns(place: str, pattern: str, expected: bool) -> None:
    assert matches(place, pattern) is expected
