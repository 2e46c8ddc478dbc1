import pytest

from kinds import kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("b.gz", "compressed", id="one-part-of-two"),
        pytest.param("b.tar.gz", "archive", id="two-parts"),
        pytest.param("b.tgz", "archive", id="short-for-two-parts"),
        pytest.param(".js", "javascript", id="hidden-file"),
        pytest.param("a.mjs", "javascript", id="es-module"),
        pytest.param("a.cjs", "javascript", id="commonjs-module"),
        pytest.param("a.b.ts", "typescript", id="dot-in-the-stem"),
        pytest.param("a.py", "python", id="python"),
        pytest.param("stub.pyi", "python", id="python-stub"),
        pytest.param("LIB.RS", "rust", id="upper-case"),
        pytest.param("a.unknown", None, id="unknown"),
        pytest.param("Makefile", None, id="no-extension"),
    ],
)
def test_kind_of(name, kind):
    assert kind_of(name) == kind
