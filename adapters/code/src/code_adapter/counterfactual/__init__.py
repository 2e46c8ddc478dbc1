"""``code:counterfactual``: run the tests of base and subject on the code of each, and compare the outcomes."""
