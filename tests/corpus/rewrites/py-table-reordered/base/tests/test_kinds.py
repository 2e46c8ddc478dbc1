import pytest

from kinds import kind_of


@pytest.mark.parametrize(
    "name,kind",
    [
        ("a.py", "python"),
        ("b.tar.gz", "archive"),
        ("b.gz", "compressed"),
        ("a.b.ts", "typescript"),
        ("stub.pyi", "python"),
        ("LIB.RS", "rust"),
        ("Makefile", None),
        ("a.unknown", None),
        (".js", "javascript"),
    ],
)
def test_kind_of(name, kind):
    assert kind_of(name) == kind
