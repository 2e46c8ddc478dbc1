from fields import split_row


def test_a_row(read):
    assert read("Ada,ada@example.org,030 1") == ({"ada@example.org": {"name": "Ada", "phone": "0301"}}, [])


def test_quoted_name_is_turned_round(read):
    contacts, _ = read('"Lovelace, Ada",ada@example.org,+44 (20) 7')
    assert contacts["ada@example.org"] == {"name": "Ada Lovelace", "phone": "0044207"}


def test_comments_and_empty_rows(read):
    contacts, rejected = read("# name,email,phone", "", "  # more", "Bob,bob@example.org,1")
    assert (list(contacts), rejected) == (["bob@example.org"], [])


def test_rejected_rows_have_their_numbers(read):
    assert read("Ada,ada@example.org,1", "", "Bob,bob,2", "Eve,eve@example.org") == (
        {"ada@example.org": {"name": "Ada", "phone": "1"}},
        [3, 4],
    )


def test_addresses_are_compared_without_case(read):
    contacts, _ = read("Ada,Ada@Example.org,1", "Ada L,  ada@example.org ,2")
    assert contacts == {"ada@example.org": {"name": "Ada L", "phone": "2"}}


def test_byte_order_mark(read):
    assert read("\ufeffAda,ada@example.org,1")[0]["ada@example.org"]["name"] == "Ada"


def test_split_row():
    assert split_row('a,"b,c",d') == ["a", "b,c", "d"]
