from checksum import checksum


def test_empty():
    assert checksum(b"") == 0


def test_wraps_at_256():
    data = bytes([200, 100])
    expected = checksum(data[::-1])
    assert checksum(data) == expected
