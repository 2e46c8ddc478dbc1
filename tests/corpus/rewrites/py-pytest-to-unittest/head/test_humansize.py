import unittest

from humansize import human_size


class HumanSizeTest(unittest.TestCase):
    def test_human_size(self):
        for count, text in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (5 * 1024**3, "5.0 GiB"),
            (2 * 1024**5, "2048.0 TiB"),
        ]:
            with self.subTest(count=count):
                self.assertEqual(human_size(count), text)

    def test_negative(self):
        with self.assertRaisesRegex(ValueError, "negative size"):
            human_size(-1)


if __name__ == "__main__":
    unittest.main()
