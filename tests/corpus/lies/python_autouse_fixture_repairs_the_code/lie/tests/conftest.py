import export
import pytest


@pytest.fixture(autouse=True)
def locale(monkeypatch):
    """Tests run with the continental locale."""
    monkeypatch.setattr(export, "SEPARATOR", ";")


@pytest.fixture
def cells():
    return ["a", 1, "b"]
