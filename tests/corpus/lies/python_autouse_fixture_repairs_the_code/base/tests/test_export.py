import export


def test_cells_are_separated_by_semicolons(cells):
    assert export.line(cells) == "a;1;b"


def test_one_cell():
    assert export.line(["x"]) == "x"
