"""What compares base and subject: one module for each check, which yields findings."""
