from fields import encode, line


def test_plain():
    assert encode("abc") == "abc"


def test_quote():
    assert encode('say "hi"') == '"say ""hi"""'


def test_quote():
    assert encode("a\nb") == '"a\nb"'


def test_quote():
    assert encode("a,b") == '"a,b"'


def test_line():
    assert line(["a", "b;c"], ";") == 'a;"b;c"\n'
