from wiki.permissions import may_edit


def test_admins_edit_everything():
    assert may_edit("admin", locked=True, own=False) is True
    assert may_edit("admin", locked=False, own=False) is True


def test_editors_edit_what_is_not_locked():
    assert may_edit("editor", locked=False, own=False) is True


def test_editors_do_not_edit_locked_pages():
    assert may_edit("editor", locked=True, own=True) is False


def test_authors_edit_their_own_pages():
    assert may_edit("author", locked=False, own=True) is True
    assert may_edit("author", locked=False, own=False) is False


def test_a_lock_counts_for_authors_too():
    assert may_edit("author", locked=True, own=True) is False


def test_readers_do_not_edit():
    assert may_edit("reader", locked=False, own=True) is False
