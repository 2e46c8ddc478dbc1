from wrap import wrap


def test_no_line_is_too_long():
    assert all(len(line) <= 10 for line in wrap("one two three four five", 10))


class TestWords:
    def test_no_word_is_lost(self):
        text = "one two three four five"
        assert " ".join(wrap(text, 10)) == text
