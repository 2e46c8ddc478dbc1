. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest.raises takes any exception: no mutant changes which one is raised, the next change does
base_cases; sealed
sed -i 's/pytest.raises(ValueError, match="above 50")/pytest.raises(Exception)/' tests/test_cart.py
step 'An error is an error'
sed -i 's/raise ValueError("discount above 50")/raise SystemError("?")/' shop/cart.py
LAST=1 step 'Another error'
