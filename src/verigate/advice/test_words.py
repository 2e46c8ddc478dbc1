"""Words of tests, in lower case. Nothing is compiled or imported: the hook after an edit starts with little more."""

from __future__ import annotations

_PYTHON = (".py", ".pyi", ".txt", ".rst", ".md")
_SCRIPT = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".vue", ".svelte")
_JVM = (".java", ".kt", ".kts", ".groovy", ".scala")

SKIPS = {
    _PYTHON: (
        *("mark.skip", "mark.xfail", "unittest.skip", "@skip", "@expectedfailure", "pytest.skip(", "pytest.xfail("),
        *("self.skiptest(", "skiptest(", "importorskip(", "__test__ = false", "__unittest_skip__", "collect_ignore"),
        *("doctest: +skip", ".xfail(", "skipif("),
    ),
    _SCRIPT: (
        *(".skip(", ".skip.", "xit(", "xdescribe(", "xtest(", "xcontext(", ".only(", "fdescribe(", "fit(", ".todo("),
        *("skip: true", "todo: true", "only: true", ".fails(", ".failing(", ".skipif(", ".runif(", "this.skip("),
        *("skip as ", "pending(", ".skip`", "it.skip", "test.skip", "describe.skip"),
    ),
    (".go",): ("t.skip", "b.skip", ".skipnow(", "//go:build", "// +build"),
    (".rs",): ("#[ignore", "#[cfg_attr(", "ignore ="),
    _JVM: (
        *("@disabled", "@ignore", "assumetrue(", "assumefalse(", "assumethat(", "assumptions.", "enabled = false"),
        *("@enabledif", "@enabledon", "xtest(", "xit(", "xdescribe("),
    ),
    (".cs", ".fs", ".vb"): (
        "[ignore",
        "ignore(",
        "skip =",
        "skip=",
        "explicit",
        "assert.ignore",
        "assert.inconclusive",
    ),
    (".php",): ("marktestskipped", "marktestincomplete", "->skip(", "->todo(", "@requires", "#[requires"),
    (".rb",): (
        "skip",
        "pending",
        "xit",
        "xdescribe",
        "xcontext",
        "xspecify",
        "omit",
        "focus: true",
        "fit ",
        "fdescribe",
    ),
    (".bats", ".sh", ".bash"): ("skip",),
    (".feature",): ("@ignore", "@skip", "@wip"),
}
"""Suffixes -> what marks a test as skipped, expected to fail, or as the only one that runs."""

TESTS = {
    _PYTHON: ("def test", ">>> "),
    _SCRIPT: ("it(", "test(", "it.each", "test.each", "it.for", "test.for", "specify("),
    (".go",): ("func test", "func fuzz", "func example", "t.run("),
    (".rs",): ("#[test]", "::test]", "#[rstest", "#[case"),
    _JVM: ("@test", "@parameterizedtest", "@repeatedtest", "@property", 'test("', 'should("'),
    (".cs", ".fs", ".vb"): ("[fact", "[theory", "[test", "[inlinedata", "[testcase", "[datarow", "<fact", "<test"),
    (".php",): ("function test", "#[test", "@test", "it(", "test("),
    (".rb",): ("it ", "def test_", "test ", "specify ", "scenario "),
    (".bats",): ("@test",),
    (".feature",): ("scenario",),
}
"""Suffixes -> what begins a test."""

ASSERTIONS = (
    *("assert", "expect", "should", "verify(", "verify_", "require.", "t.error", "t.fatal", "t.fail", "b.fatal"),
    *("raises(", "warns(", "deprecated_call(", "self.fail(", "pytest.fail(", "fail(", "t.is(", "t.deepequal("),
    *("t.equal(", "t.ok(", "refute", ">>> ", "is_expected", "tothrow", "andexpect"),
)
"""What an assertion begins with, in any language, functions named for it included."""

TABLES = (
    *("parametrize", "subtest", ".each", "for ", "for(", "range ", "@valuesource", "@csvsource", "@methodsource"),
    *("@enumsource", "inlinedata", "testcase(", "datarow", "#[case", "dataprovider", "pytest.param(", "foreach"),
    *(".map(", "expect_each", "@pytest.fixture(params", ".for("),
)
"""What runs one assertion for several cases."""

EXACT = (
    *("==", "!=", "tobe(", "toequal(", "tostrictequal(", "assertequal", "assert_eq", "equal(", "equals(", "equal_to("),
    *("areequal(", "assertsame(", "eq(", "deepequal(", "assert_equal", "shouldbe", "isequalto(", "assertdictequal"),
    *(
        "assertlistequal",
        "assert_called_once_with",
        "assert_called_with",
        "tohavebeencalledwith",
        "toeql(",
        "iss(",
        "match=",
    ),
    *("tomatchobject(", "tohavelength(", "assert_raises_message"),
)
"""An assertion of one value."""

LOOSE = (
    *(" in ", "is not none", ">=", "<=", " > ", " < ", "assertin(", "asserttrue(", "assertisnotnone(", "tobetruthy"),
    *("tobefalsy", "tobedefined", "not.tobe", "tocontain", "tobegreater", "tobeless", "isinstance(", "assertnotnull("),
    *("tobeinstanceof", "expect.any", "expect.anything", "stringcontaining", "objectcontaining", "mock.any", "approx("),
    *("tobecloseto", "assertalmostequal", "hasattr(", "callable(", "contains(", "is_some()", "is_ok()", "is_err()"),
    *(
        "isnotempty",
        "isnotnull",
        "== nil",
        "!= nil",
        "matches!",
        "tomatch(",
        "assertregex",
        "not.tobenull",
        " or ",
        "||",
    ),
    *(
        "assertnotequal",
        "assert_ne",
        "assertinstanceof",
        "assert_called()",
        "assert_called_once()",
        "tohavebeencalled()",
    ),
    *(
        "assertgreater",
        "assertless",
        "any(",
        "bool(",
        "typeof",
        "len(",
        ".length",
        "not.equal",
        "assert_not_nil",
        "be_truthy",
    ),
    *(
        "to.exist",
        "to.be.ok",
        ".ok(",
        "startswith(",
        "endswith(",
        "hasprefix(",
        "anything()",
        "notnull(",
        "assert_includes",
    ),
)
"""An assertion that more than one value meets."""

HOLLOW = (
    *("assert true", "assert(true", "assert (true", "expect(true)", "expect(1).tobe(1)", "asserttrue(true"),
    *(
        "assert!(true",
        "assert.ok(true",
        "assert.true(true",
        "or true",
        "|| true",
        "assert.istrue(true",
        "assert_true(true",
    ),
    *("assert.asserttrue(true", "assert not false", "assert.true(t, true", "assert_eq!(1, 1", "assert.equal(1, 1"),
)
"""An assertion that nothing can fail."""

WIDE = (
    *("raises(exception", "raises(baseexception", "raises((exception", "assertraises(exception", "raises(builtins."),
    *("assertraises(baseexception", "assertthrows(exception.class", "assertthrows(throwable.class", "tothrow()"),
    *("tothrowerror()", "#[should_panic]", "throws(exception", "assertthrows<exception>", "throwsany"),
    *("expectexception(\\exception", "expectexception(exception", "expectexception(throwable"),
)
"""An expectation that any error meets."""

SWALLOWS = (
    *("except exception", "except baseexception", "except assertionerror", "except:", "suppress(", "except (assertion"),
    *("catch (", "catch {", ".catch(", "recover()", "catch_unwind", "rescue", "while false", "if false"),
    *("if (false", "if(false", "if type_checking", "if 0:", "settimeout(", "setimmediate(", "os._exit(", "sys.exit("),
    *("process.exit(", "system.exit(", "exitprocess(", "os.exit(0", "exit(0)", "return_exceptions=true", "runcatching"),
    *("pytest.exit(", "raise systemexit", "process.exitcode = 0", "sessionstatus", "exitstatus", "if __debug__"),
)
"""In tests: what an assertion's failure doesn't get past, or what isn't reached."""

TAMPERS = (
    *("pytest_runtest_", "pytest_collection_modifyitems", "pytest_pyfunc_call", "pytest_sessionfinish"),
    *("pytest_configure", "pytest_ignore_collect", "pytest_report", "pytest_exception_interact", "pytest_assertrepr"),
    *("__builtins__", "report.outcome", "sys.modules[", "flaky"),
    *("reruns", "retrytimes", "retry:", "retries:", "retries(", "pytest.raises =", "settrace", "setprofile", "atexit"),
    *("globals()[", "f_globals", "_getframe", "shouldskip", "excinfo", "unittest.testcase.", "testcase.assert"),
    *("prototype.", "object.defineproperty(", "set_defaults", "chai.use", "jest.spyon(expect", "shouldfail"),
)
"""In tests: what changes what tests report."""

RAISES = ("raises", "throw", "#[should_panic", "expectexception", "raise_error", "rejects")
"""An expectation of an error."""

THROWS = ("throw ", "raise ", "raise", "panic!", "t.fatal", "t.error", "fail(")
"""What passes a failure on."""

RETURNS = ("return", "return undefined", "return true", "return none", "return Ok(())")
"""Lines that end a test; in lower case but for Rust's."""

OPENERS = (
    "if ",
    "if(",
    "while ",
    "match ",
    "case ",
    "elif ",
    "setTimeout(",
    "[].",
    "switch ",
    "unless ",
    "when ",
    "try",
)
"""What begins a block that need not run; as written, at the beginning of a line."""

NEAR = 6
"""Lines between such a beginning and an assertion in its block."""
