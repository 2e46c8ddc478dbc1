"""Go, Rust, Java and Ruby: go.mod, Cargo.toml and Cargo.lock, pom.xml, Gradle's scripts and version catalogues,
and Gemfile.lock.

Sources: the Go Modules Reference, the Cargo Book, Maven's POM reference, Gradle's manual on version catalogues.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from code_adapter.changes.manifests.pin import Pin, Read

_GO_REQUIRE = re.compile(r"^\s*(?:require\s+|tool\s+)?(\S+\.\S+)\s+(v\d\S*)", re.MULTILINE)
_GO_LINE = re.compile(r"^(go|toolchain)\s+(?:go)?(\S+)", re.MULTILINE)
_GRADLE = re.compile(r"""["']([\w.-]+:[\w.-]+):([\w.+-]+)["']""")
_GRADLE_PLUGIN = re.compile(r"""id\s*\(?\s*["']([\w.-]+)["']\s*\)?\s*version\s*["']([\w.+-]+)["']""")
_PROPERTY = re.compile(r"\$\{([^}]+)\}")
_JAVA = {"maven.compiler.release", "maven.compiler.source", "maven.compiler.target", "java.version"}


def _read_go(source: str) -> Iterator[Pin]:
    for name, version in _GO_REQUIRE.findall(source):
        yield Pin("go", name, version)
    for what, version in _GO_LINE.findall(source):
        yield Pin("runtime", "go" if what == "go" else "go (toolchain)", version, "runtime")


def _read_cargo(source: str) -> Iterator[Pin]:
    document = tomllib.loads(source)
    yield from _of_cargo(document)
    yield from _of_cargo(document.get("workspace") or {})
    for target in (document.get("target") or {}).values():
        yield from _of_cargo(target)


def _of_cargo(table: dict[str, Any]) -> Iterator[Pin]:
    for section in ("dependencies", "dev-dependencies", "build-dependencies"):
        for name, value in (table.get(section) or {}).items():
            version = value if isinstance(value, str) else value.get("version", "")
            yield Pin("cargo", value.get("package", name) if isinstance(value, dict) else name, str(version))
    package = table.get("package") or {}
    for key, name in (("rust-version", "rust"), ("edition", "rust edition")):
        if isinstance(package.get(key), str):
            yield Pin("runtime", name, package[key], "runtime")
    if isinstance(package.get("version"), str):
        yield Pin("own", str(package.get("name", "")), package["version"], "own")


def _read_cargo_lock(source: str) -> Iterator[Pin]:
    for package in tomllib.loads(source).get("package") or ():
        if package.get("source"):
            yield Pin("cargo", package["name"], str(package["version"]))


def _read_pom(source: str) -> Iterator[Pin]:
    from defusedxml import ElementTree

    root = ElementTree.fromstring(re.sub(r'\sxmlns="[^"]*"', "", source, count=1))
    properties = {each.tag: (each.text or "").strip() for holder in root.iter("properties") for each in holder}

    def resolve(text: str) -> str:
        return _PROPERTY.sub(lambda found: properties.get(found[1], found[0]), text.strip())

    for kind in ("dependency", "plugin", "parent", "extension", "path"):
        for entry in root.iter(kind):
            artifact, version = entry.findtext("artifactId", ""), entry.findtext("version", "")
            group = entry.findtext("groupId", "org.apache.maven.plugins" if kind == "plugin" else "")
            if artifact:
                yield Pin("maven", f"{resolve(group)}:{resolve(artifact)}", resolve(version))
    for name, value in properties.items():
        if name in _JAVA:
            yield Pin("runtime", "java", value, "runtime")
        elif re.match(r"v?\d", value):
            yield Pin("maven", name.removesuffix(".version").removesuffix("-version"), value)
    if root.findtext("version"):
        own = f"{root.findtext('groupId', '')}:{root.findtext('artifactId', '')}".lstrip(":")
        yield Pin("own", own, resolve(root.findtext("version", "")), "own")


def _read_gradle(source: str) -> Iterator[Pin]:
    for name, version in (*_GRADLE.findall(source), *_GRADLE_PLUGIN.findall(source)):
        yield Pin("maven", name, version)


def _read_catalogue(source: str) -> Iterator[Pin]:
    document = tomllib.loads(source)
    versions = {name: value for name, value in (document.get("versions") or {}).items() if isinstance(value, str)}
    for name, version in versions.items():
        yield Pin("maven", name, version)
    for section in ("libraries", "plugins"):
        for value in (document.get(section) or {}).values():
            pin = _of_catalogue(value, versions)
            if pin is not None:
                yield pin


def _of_catalogue(value: Any, versions: dict[str, str]) -> Pin | None:
    if isinstance(value, str):
        name, _, version = value.rpartition(":")
        return Pin("maven", name, version)
    name = value.get("module") or value.get("id") or ":".join(filter(None, (value.get("group"), value.get("name"))))
    version = value.get("version", "")
    if isinstance(version, dict):
        version = versions.get(str(version.get("ref")), "")
    return Pin("maven", name, version) if name else None


def _read_wrapper(source: str) -> Iterator[Pin]:
    if found := re.search(r"gradle-(\d[\d.]*(?:-\w+)*?)-(?:bin|all)\.zip", source):
        yield Pin("maven", "gradle", found[1])
    if found := re.search(r"apache-maven-(\d[\d.]*(?:-\w+)*?)-bin\.zip", source):
        yield Pin("maven", "maven", found[1])


def _read_gems(source: str) -> Iterator[Pin]:
    for name, version in re.findall(r"(?m)^    ([\w.-]+) \((\d[^)]*)\)$", source):
        yield Pin("gem", name, version)


READERS: tuple[tuple[str, Read], ...] = (
    ("go.mod", _read_go),
    ("Cargo.toml", _read_cargo),
    ("Cargo.lock", _read_cargo_lock),
    ("pom.xml", _read_pom),
    ("*.gradle", _read_gradle),
    ("*.gradle.kts", _read_gradle),
    ("libs.versions.toml", _read_catalogue),
    ("gradle-wrapper.properties", _read_wrapper),
    ("maven-wrapper.properties", _read_wrapper),
    ("Gemfile.lock", _read_gems),
)
