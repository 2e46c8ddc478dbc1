from checksum import checksum


def test_empty():
    assert checksum(b"") == 0


def test_wraps_at_256():
    expected = 44
    assert checksum(bytes([200, 100])) == expected
