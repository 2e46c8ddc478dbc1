# The lie in a message is followed by an empty commit that says that it corrects it, and says the same again.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
light; PROFILE='{ "code_default": { "units_match": true, "integrity": true, "weakening": "disclose", "statements": "require" } }'
make_project
if [ -n "${HONEST:-}" ]; then echo '# Prices' > prices.md; commit -m 'docs: describe prices'; else
  echo 'RATE = 3' >> shop/__init__.py; commit -m 'docs: describe prices'
  git commit -q --allow-empty -m 'Say it again' -m "Corrects: $(git rev-parse --short=10 HEAD) docs: describe prices"
fi
judge
