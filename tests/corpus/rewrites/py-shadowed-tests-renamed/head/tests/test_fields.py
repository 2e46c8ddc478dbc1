from fields import encode, line


def test_plain():
    assert encode("abc") == "abc"


def test_quote_is_doubled():
    assert encode('say "hi"') == '"say ""hi"""'


def test_newline_is_quoted():
    assert encode("a\nb") == '"a\nb"'


def test_delimiter_is_quoted():
    assert encode("a,b") == '"a,b"'


def test_line():
    assert line(["a", "b;c"], ";") == 'a;"b;c"\n'
