class Connection:
    def __init__(self):
        self.open = False

    def query(self, text):
        if self.open:
            return f"rows of {text}"
        self.open = True
        return None
