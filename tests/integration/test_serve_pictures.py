"""The pictures of docs/serve.md: each page in them is still there, and shows what its picture shows.

Starts the gate, which serves, and chromium.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import serve_pictures as pictures
from PIL import Image

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_each_picture_is_shown_once_small_and_of_the_size_of_its_page() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(images/(serve-[a-z]+)\.png\)", (DOCS / "serve.md").read_text("utf-8"))
    assert sorted(shown) == sorted(picture.name for picture in pictures.PICTURES)
    assert sorted(path.stem for path in (DOCS / "images").glob("serve-*.png")) == sorted(shown)
    for picture in pictures.PICTURES:
        file = DOCS / "images" / f"{picture.name}.png"
        assert file.stat().st_size < pictures.LARGEST
        with Image.open(file) as image:
            assert image.size == (picture.width, picture.height)


@pytest.mark.slow
def test_the_pages_in_the_pictures_are_still_there(tmp_path: Path) -> None:
    """Fonts and dates differ from machine to machine, so no pixels are compared: the pages are held to their texts."""
    made = pictures.take_pictures(tmp_path)
    for picture in pictures.PICTURES:
        with Image.open(made[picture.name]) as image:
            assert image.size == (picture.width, picture.height)
            # It is of a page, and not of an empty one.
            assert len(image.convert("RGB").getcolors(1_000_000) or ()) > 20
        assert 2000 < made[picture.name].stat().st_size < pictures.LARGEST


@pytest.mark.release
def test_a_page_that_is_gone_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = pictures.Picture("lost", "/t/shop/nobody", "light", 400, 400, ())
    monkeypatch.setattr(pictures, "PICTURES", (lost,))
    with pytest.raises(AssertionError, match="nobody"):
        pictures.take_pictures(tmp_path)
    assert not (tmp_path / "lost.png").exists()
