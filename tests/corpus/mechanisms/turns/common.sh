# A small shop, gated: see ../shop.sh.
. "$ATTACKS/../shop.sh"

# Turns of an agent: the hooks of a host, called as the host calls them.
json() { python3 -c 'import json, sys; print(json.dumps(dict(zip(sys.argv[1::2], sys.argv[2::2]))))' "$@"; }
agent_project() { light; make_project; clean gate install --agent claude > /dev/null; commit -m 'Hooks of the agent'; START=$(git rev-parse HEAD); }
prompt() { json session_id s1 prompt "$1" | clean gate hook claude prompt; }
# The end of a turn: 1 if it is blocked, 4 if it may end without a pass (with a mark, or NOT VERIFIED), 0 if it may end.
end_turn() {
  local answer; answer=$(json session_id s1 last_assistant_message "$1" | clean gate hook claude stop); printf '%s\n' "$answer"
  if grep -Eq '"decision": *"block"' <<< "$answer"; then return 1; fi
  if grep -Eq 'NOT VERIFIED|UNVERIFIED|unverified' <<< "$answer" || compgen -G '.artifacts/*/UNVERIFIED' > /dev/null; then return 4; fi
}
remove_a_test() { sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; }
decent_work() { printf '"""Prices."""\n\n\ndef third(price):\n    """A third."""\n    return price / 3\n' > shop/prices.py; }
