"""Read contacts from comma-separated text."""

from fields import clean_name, clean_phone, split_row


def read_contacts(text):
    """Return contacts by e-mail address, the last row of an address wins; and the rows that are wrong."""
    contacts, rejected = {}, []
    rows = text.removeprefix("\ufeff").splitlines()
    for number, row in enumerate(rows, start=1):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        parts = split_row(row)
        if len(parts) != 3 or "@" not in parts[1]:
            rejected.append(number)
            continue
        name, email, phone = parts
        contacts[email.strip().lower()] = {"name": clean_name(name), "phone": clean_phone(phone)}
    return contacts, rejected
