"""Texts that grow, in each format: links are found, and those within them checked, in time of their length."""

from __future__ import annotations

from pathlib import Path

import pytest
from growing import require_linear
from links_call import Called

SHAPES = {
    "links.md": "[word {i}](https://a.example/{i}) and <https://b.example/{i}>\n\n",
    "one paragraph.md": "[word](page{i}.md) ",
    "references.md": "[word][r{i}]\n\n[r{i}]: https://a.example/{i}\n\n",
    "anchors.md": "## Title {i}\n\n[up](#title-{i})\n\n",
    "same title.md": "## Title\n\n[up](#title-{i})\n\n",
    "brackets.md": "[[![",
    "links.html": '<p><a href="https://a.example/{i}">x</a><img src=a{i}.png srcset="b{i}.png 1x, c{i}.png 2x"></p>\n',
    "ids.html": '<p id=i{i}><a href="#i{i}">x</a></p>\n',
    "links.rst": "`word <https://a.example/{i}>`__ and https://b.example/{i}\n\n",
    "targets.rst": "word{i}_\n\n.. _word{i}: https://a.example/{i}\n\n",
    "links.adoc": (
        "https://a.example/{i}[word] and link:page{i}.html[x] and <<part-{i}>>\n\n[#part-{i}]\n== Part {i}\n\n"
    ),
    "attributes.adoc": ":a{i}: https://a.example/{i}\n\n{a{i}}[x]\n\n",
    "links.txt": "https://a.example/{i} ",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_links_are_found_in_time_of_the_text(tmp_path: Path, name: str) -> None:
    called = Called(tmp_path)
    file = called.root / f"page.{name.rpartition('.')[2]}"

    def read(number: int) -> None:
        file.write_text("".join(SHAPES[name].replace("{i}", str(i)) for i in range(number)))
        called.run("discover")
        called.run("check", {"network": False})
        assert called.has("locations") or "brackets" in name or number == 1

    require_linear(read, 300, name)
