import pytest

from humansize import human_size


@pytest.mark.parametrize(
    "count, text",
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1536, "1.5 KiB"),
        (5 * 1024**3, "5.0 GiB"),
        (2 * 1024**5, "2048.0 TiB"),
    ],
)
def test_human_size(count, text):
    assert human_size(count) == text


def test_negative():
    with pytest.raises(ValueError, match="negative size"):
        human_size(-1)
