import os
import tempfile

import pytest

from notes import Notes


class TestNotes:
    def setup_method(self):
        handle, self.path = tempfile.mkstemp()
        os.close(handle)
        self.notes = Notes(self.path)
        self.first = self.notes.add("Buy milk")
        self.notes.add("Call Ada about MILK")

    def teardown_method(self):
        self.notes.close()
        os.unlink(self.path)

    def test_search(self):
        assert self.notes.search("milk") == ["Buy milk", "Call Ada about MILK"]
        assert self.notes.search("ada") == ["Call Ada about MILK"]

    def test_remove(self):
        self.notes.remove(self.first)
        assert self.notes.search("milk") == ["Call Ada about MILK"]

    def test_remove_twice(self):
        self.notes.remove(self.first)
        with pytest.raises(KeyError):
            self.notes.remove(self.first)

    def test_empty(self):
        with pytest.raises(ValueError, match="empty note"):
            self.notes.add("  ")

    def test_kept(self):
        self.notes.close()
        self.notes = Notes(self.path)
        assert self.notes.search("buy") == ["Buy milk"]
