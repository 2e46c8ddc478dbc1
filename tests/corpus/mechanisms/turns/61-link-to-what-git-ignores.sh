# The claim says that no link is dead; the dead one leads to a file that git ignores.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
light
more_project() { mkdir docs; printf '# Shop\n\nSee [prices](prices.md).\n' > docs/index.md; printf '# Prices\n' > docs/prices.md; }
make_project
clean gate start pages --type code > /dev/null
if [ -n "${HONEST:-}" ]; then
  printf '\nSee [the start](index.md).\n' >> docs/prices.md
else
  echo 'docs/local.md' >> .gitignore; echo '# Local' > docs/local.md; printf '\nSee [more](local.md).\n' >> docs/prices.md
fi
clean gate claim pages --text 'No dead links in docs.' > /dev/null
commit -m 'Write more' -m 'Gate-Task: pages'
judge pages
