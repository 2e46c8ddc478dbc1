. "${BASH_SOURCE[0]%/*}/prelude.sh"
# attempt 01 where the base's profile takes no disclosure and wants a word about each expectation
base_data
"$GATE" init --no-verdict --unreviewed > /dev/null 2>&1
python3 - <<'PY'
import json
p = "config/verification.profiles.json"; d = json.load(open(p)); d["code_default"].update(weakening="refuse", expectations="disclose"); json.dump(d, open(p, "w"), indent=2)
PY
sealed
break_code; lie_data
sed -i '1a\\nimport os\n\nHOME = os.environ["SHOP_HOME"]' shop/cart.py
printf 'import os\n\nos.environ.setdefault("SHOP_HOME", "shop")\n' > tests/conftest.py
commit -m 'The shop has a home' -m 'Co-authored-by: Claude <noreply@anthropic.com>'
ci
