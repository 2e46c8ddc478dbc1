from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from verigate.execution.java_homes import plan_gradle_home, plan_maven_settings, strip_properties, strip_settings

SETTINGS = """<settings xmlns="http://maven.apache.org/SETTINGS/1.2.0">
  <localRepository>/data/m2</localRepository>
  <servers><server><id>x</id><username>me</username><password>hunter2hunter2</password></server></servers>
  <proxies><proxy><host>p</host><password>hunter2hunter2</password></proxy></proxies>
  <mirrors><mirror><id>m</id><url>https://me:hunter2hunter2@repo.example/m</url><mirrorOf>*</mirrorOf></mirror></mirrors>
  <profiles><profile><id>p</id><properties>
    <sonar.token>hunter2hunter2</sonar.token><java.version>17</java.version>
  </properties></profile></profiles>
  <activeProfiles><activeProfile>p</activeProfile></activeProfiles>
</settings>
"""


def test_settings_without_secrets(tmp_path: Path) -> None:
    (tmp_path / "home/.m2").mkdir(parents=True)
    (tmp_path / "home/.m2/settings.xml").write_text(SETTINGS)
    copy = tmp_path / "copy.xml"
    (mount,) = plan_maven_settings({"HOME": str(tmp_path / "home")}, str(copy))
    assert (mount.source, mount.target) == (str(copy), str(tmp_path / "home/.m2/settings.xml"))
    assert mount.read_only
    text = copy.read_text()
    assert "hunter2" not in text
    names = [child.tag.rpartition("}")[2] for child in ET.fromstring(text)]  # noqa: S314 - written above
    assert names == ["localRepository", "mirrors", "profiles", "activeProfiles"]
    for kept in ("/data/m2", "https://repo.example/m", "17"):
        assert kept in text


def test_settings_that_can_not_be_read_are_empty(tmp_path: Path) -> None:
    assert list(plan_maven_settings({"HOME": str(tmp_path)}, str(tmp_path / "copy.xml"))) == []
    (tmp_path / "settings.xml").write_text("<settings><servers>hunter2")
    assert strip_settings(tmp_path / "settings.xml") == b"<settings/>"


def test_properties_without_secrets() -> None:
    text = "org.gradle.jvmargs=-Xmx2g\nsigningPassword=a\\\n  b\nrepoUrl = https://me:x@r.example/\nsystemProp.https.proxyPassword:x\n"
    assert strip_properties(text) == "org.gradle.jvmargs=-Xmx2g\nrepoUrl = https://r.example/\n"


def test_gradles_home_is_private_with_downloads_that_are_read_only(tmp_path: Path) -> None:
    home, private = tmp_path / "gradle", tmp_path / "private"
    for name in (
        "wrapper/dists/x",
        "caches/modules-2/files-2.1/a",
        "caches/modules-2/metadata-2.1/b",
        "caches/8.5/c",
        "daemon/d",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    (home / "gradle.properties").write_text("a=1\ntoken=x\n")
    base, *shared = plan_gradle_home({"GRADLE_USER_HOME": str(home)}, str(private))
    assert (base.source, base.target, base.read_only) == (str(private), str(home), False)
    names = [str(mount.target).removeprefix(f"{home}/") for mount in shared]
    assert names == ["wrapper", "caches/modules-2/files-2.1"]
    assert all(mount.read_only for mount in shared)
    made = sorted(path.relative_to(private).as_posix() for path in private.rglob("*") if path.is_file())
    assert made == ["caches/modules-2/metadata-2.1/b", "gradle.properties"]
    assert (private / "gradle.properties").read_text() == "a=1\n"
    assert list(plan_gradle_home({"GRADLE_USER_HOME": str(tmp_path / "none")}, str(tmp_path / "p"))) == []
    assert list(plan_gradle_home({}, str(tmp_path / "p"))) == []


def test_a_sandbox_of_gradle_that_is_built_anew_gets_the_same_mounts(tmp_path: Path) -> None:
    home, private = tmp_path / "gradle", tmp_path / "private"
    (home / "caches/modules-2/metadata-2.1").mkdir(parents=True)
    (home / "caches/modules-2/metadata-2.1/b").write_text("x")
    first = list(plan_gradle_home({"GRADLE_USER_HOME": str(home)}, str(private)))
    assert list(plan_gradle_home({"GRADLE_USER_HOME": str(home)}, str(private))) == first
