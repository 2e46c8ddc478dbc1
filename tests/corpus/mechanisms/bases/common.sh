# A small shop, gated: see ../shop.sh.
. "$ATTACKS/../shop.sh"
