# SPDX-License-Identifier: Apache-2.0
use v5.26;
use warnings;
use FindBin qw($RealBin);
use lib "$RealBin/../lib";

use Marks qw(mark_in path_text records);
use Test::More;

is_deeply([records("a\0001\0x\nb\nc\00012\0y\n")], [['a', 1, 'x'], ["b\nc", 12, 'y']], 'records of the index');
is_deeply([records("abc:a:b\0001\0x\n", 'abc')], [['a:b', 1, 'x']], 'records of a commit');
is_deeply([records('')], [], 'nothing');
ok(!eval { records("a\0x\0y\n"); 1 }, 'what is no record is no finding either');
is_deeply([mark_in('# TODO(#12): later')], ['TODO', '#12'], 'a ticket by number');
is_deeply([mark_in('// FIXME: ABC-7 and TODO')], ['FIXME', 'ABC-7'], 'a ticket by name');
is_deeply([mark_in('XXX')], ['XXX', undef], 'no ticket');
is_deeply([mark_in("\xc3TODO\xc3")], ['TODO', undef], 'bytes beyond ASCII are no letters, as for git');
is(path_text("a\xff"), 'a\xff', 'a name that is no UTF-8 is escaped');
done_testing;
