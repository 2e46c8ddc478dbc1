. "${BASH_SOURCE[0]%/*}/prelude.sh"
# what is expected lies behind a link in the folder of tests, whose target has another name outside of it
base_data
mkdir shared; git mv -k x y 2>/dev/null; mv tests/expected.json shared/golden-v1; ln -s ../shared/golden-v1 tests/expected.json
sealed
break_code; sed -i 's/"total": 90/"total": 110/' shared/golden-v1
commit -m 'Change the discount'
ci
