# SPDX-License-Identifier: Apache-2.0
package Marks;

# Lines with a mark, out of what git grep prints.
use v5.26;
use warnings;
use Encode ();
use Exporter qw(import);

our @EXPORT_OK = qw(mark_in path_text records);

# [path, line, text] of each line that `git grep -z -n` found. The path is ended by a zero byte and may hold a line end;
# with a commit it begins with that.
sub records {
    my ($text, $commit) = @_;
    my $before = defined $commit ? quotemeta("$commit:") : '';
    my @found;
    while ($text =~ /\G$before([^\0]+)\0([0-9]+)\0([^\n]*)(?:\n|\z)/gc) {
        push @found, [$1, $2, $3];
    }
    die "git grep printed something else than lines\n" if (pos($text) // 0) != length($text);
    return @found;
}

# The first mark of a line and the ticket behind it, undef where there is none.
sub mark_in {
    my ($text) = @_;
    my ($mark, $rest) = $text =~ /(?<!\w)(TODO|FIXME|XXX|HACK)(?!\w)(.*)/as or die "a line without a mark\n";
    my ($ticket) = $rest =~ /\A\W{0,3}(#[0-9]+|[A-Z][A-Z0-9]+-[0-9]+)/;
    return ($mark, $ticket);
}

# A path as text: bytes that aren't UTF-8 become \xNN.
sub path_text {
    my ($bytes) = @_;
    return Encode::decode('UTF-8', $bytes, sub { join '', map { sprintf '\\x%02x', $_ } @_ });
}

1;
