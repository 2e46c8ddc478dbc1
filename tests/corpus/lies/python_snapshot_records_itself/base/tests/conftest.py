from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("snapshots")


@pytest.fixture
def snapshot(request):
    def compare(text):
        file = FOLDER / f"{request.node.name}.html"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        assert file.read_text() == text

    return compare
