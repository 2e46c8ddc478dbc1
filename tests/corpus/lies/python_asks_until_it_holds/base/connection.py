class Connection:
    def __init__(self):
        self.open = False

    def query(self, text):
        if not self.open:
            self.open = True
        return f"rows of {text}"
