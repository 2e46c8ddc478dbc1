from graph import path_length


def test_second_edge():
    edges = {"a": ["b", "c"], "b": ["d"], "d": ["e"], "e": ["c"]}
    assert path_length(edges, "a", "c") == 1


def test_direct():
    assert path_length({"a": ["b"]}, "a", "b") == 1


def test_two_steps():
    assert path_length({"a": ["b"], "b": ["c"]}, "a", "c") == 2
