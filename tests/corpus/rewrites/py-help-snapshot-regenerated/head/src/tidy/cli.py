import argparse
import sys
from pathlib import Path


def parser():
    made = argparse.ArgumentParser(prog="tidy", description="Strip white space at the ends of lines.")
    made.add_argument("files", nargs="+", type=Path, metavar="FILE")
    made.add_argument("--check", action="store_true", help="change nothing, exit with 1 if something would change")
    made.add_argument("--quiet", action="store_true", help="print no names")
    return made


def main(argv=None):
    options = parser().parse_args(argv)
    changed = 0
    for path in options.files:
        before = path.read_text()
        after = "".join(line.rstrip() + "\n" for line in before.splitlines())
        if after != before:
            changed += 1
            if not options.quiet:
                print(f"{path.name}: stripped")
            if not options.check:
                path.write_text(after)
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
