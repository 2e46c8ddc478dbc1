"""Small projects for Maven and Gradle that need nothing but Debian's packages: see ``bin/test``."""

from __future__ import annotations

REPOSITORY = "/usr/share/maven-repo"
"""Where Debian's packages put artifacts: as a local repository of Maven, and as a remote one of Gradle."""

SUM = "package demo;\n\npublic class Sum {\n    public static int of(int a, int b) {\n        return a + b;\n    }\n}\n"
TEST = """package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class SumTest {
    @Test
    public void adds() {
        assertEquals(3, Sum.of(1, 2));
    }
%s
    @Ignore("later")
    @Test
    public void later() {}
}
"""
PASSING = TEST % ""
FAILING = TEST % (
    "\n    @Test\n    public void fails() {\n        assertEquals(4, Sum.of(1, 2));\n    }\n"
    '\n    @Test\n    public void errors() {\n        throw new IllegalStateException("no");\n    }\n'
)
SOURCES = {"src/main/java/demo/Sum.java": SUM, "src/test/java/demo/SumTest.java": PASSING}

_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Builds that end after a second or two don't get back what optimizing takes: a third of their CPU time."""

_PROJECT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  {head}
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency>
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
  </plugins></build>
</project>
"""
_NAMED = "<groupId>demo</groupId><artifactId>{name}</artifactId><version>1</version>"
POM = _PROJECT.format(head=_NAMED.format(name="demo"))
MAVEN = {
    "pom.xml": POM,
    ".mvn/jvm.config": f"{_JVM}\n",
    ".mvn/maven.config": f"-Dmaven.repo.local={REPOSITORY}\n",
    ".gitignore": "target\n",
    **SOURCES,
}

_MODULE = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>demo</groupId><artifactId>demo</artifactId><version>1</version></parent>
  <artifactId>{name}</artifactId>
</project>
"""


def maven_modules(*names: str) -> dict[str, str]:
    """A parent with these modules, each with the sources of the single project."""
    modules = "".join(f"<module>{name}</module>" for name in names)
    head = _NAMED.format(name="demo") + f"<packaging>pom</packaging><modules>{modules}</modules>"
    files = {
        "pom.xml": _PROJECT.format(head=head),
        **{name: text for name, text in MAVEN.items() if name.startswith(".mvn/")},
        ".gitignore": "target\n",
    }
    for name in names:
        files |= {f"{name}/pom.xml": _MODULE.format(name=name)}
        files |= {f"{name}/{path}": text for path, text in SOURCES.items()}
    return files


BUILD = """plugins { id 'java' }
repositories { maven { url 'file://%s' } }
dependencies { testCompile 'junit:junit:4.x' }
"""
GRADLE = {
    "gradle.properties": f"org.gradle.jvmargs={_JVM}\n",
    "build.gradle": BUILD % REPOSITORY,
    "settings.gradle": "rootProject.name = 'demo'\n",
    ".gitignore": "build\n.gradle\n",
    **SOURCES,
}

SUM_KT = """package demo

object Sum {
    fun of(a: Int, b: Int): Int = a + b

    fun half(n: Int): Int = n / 2
}
"""
TEST_KT = """package demo

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class SumTest {
    @Test
    fun adds() {
        assertEquals(3, Sum.of(1, 2))
    }

    @Test
    fun `halves a number`() {
        assertEquals(2, Sum.half(4))
    }
}
"""
_BUILD_KT = """buildscript {
    repositories { maven { url 'file://%s' } }
    dependencies { classpath 'org.jetbrains.kotlin:kotlin-gradle-plugin:1.3.31' }
}
apply plugin: 'kotlin'
repositories { maven { url 'file://%s' } }
dependencies {
    compile 'org.jetbrains.kotlin:kotlin-stdlib:1.3.31'
    testCompile 'junit:junit:4.x'
}
"""
KOTLIN = {
    # Its compiler has a daemon of its own otherwise, which Gradle waits for in vain.
    "gradle.properties": f"org.gradle.jvmargs={_JVM}\nsystemProp.kotlin.compiler.execution.strategy=in-process\n",
    "build.gradle": _BUILD_KT % (REPOSITORY, REPOSITORY),
    "settings.gradle": "rootProject.name = 'demo'\n",
    ".gitignore": "build\n.gradle\n",
    "src/main/kotlin/demo/Sum.kt": SUM_KT,
    "src/test/kotlin/demo/SumTest.kt": TEST_KT,
}
