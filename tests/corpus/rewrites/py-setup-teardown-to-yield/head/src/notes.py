import sqlite3


class Notes:
    def __init__(self, path):
        self._db = sqlite3.connect(path)
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def add(self, text):
        if not text.strip():
            raise ValueError("empty note")
        return self._db.execute("INSERT INTO note (text) VALUES (?)", (text,)).lastrowid

    def search(self, word):
        rows = self._db.execute("SELECT text FROM note WHERE instr(lower(text), lower(?)) ORDER BY id", (word,))
        return [text for (text,) in rows]

    def remove(self, number):
        if not self._db.execute("DELETE FROM note WHERE id = ?", (number,)).rowcount:
            raise KeyError(number)

    def close(self):
        self._db.commit()
        self._db.close()
