from datetime import date, timedelta


class Library:
    def __init__(self, days=14):
        self.days = days
        self.titles = {}
        self.loans = {}

    def add(self, isbn, title):
        self.titles[isbn] = title

    def lend(self, isbn, reader, today):
        if isbn not in self.titles:
            raise KeyError(isbn)
        if isbn in self.loans:
            raise ValueError(f"{self.titles[isbn]} is lent to {self.loans[isbn][0]}")
        self.loans[isbn] = (reader, today + timedelta(days=self.days))

    def give_back(self, isbn):
        del self.loans[isbn]

    def overdue(self, today):
        return sorted(reader for reader, due in self.loans.values() if due < today)
