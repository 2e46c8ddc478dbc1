"""Reports as ``dotnet test --logger trx`` writes them: https://github.com/microsoft/vstest, TrxLogger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr


@dataclass(frozen=True)
class Result:
    """A test in a report: its class and method, the outcome, and the name it is reported by, the method without one."""

    owner: str
    method: str
    outcome: str | None = "Passed"
    title: str | None = None
    message: str = ""
    stack: str = ""
    rows: tuple[Result, ...] = ()


HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<TestRun id="60c4b1f4-6a3f-4a8e-9a9a-4d0f3c1f8a11" name="me@build 2024-05-04 10:11:12" runUser="me"'
    ' xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">\n'
    '  <Times creation="2024-05-04T10:11:12.1234567+00:00" queuing="2024-05-04T10:11:12.1234570+00:00"'
    ' start="2024-05-04T10:11:10.7654321+00:00" finish="2024-05-04T10:11:12.2222222+00:00" />\n'
    '  <TestSettings name="default" id="9a5c3e4e-8f4a-4c8e-bc3a-1f2e3d4c5b6a">\n'
    '    <Deployment runDeploymentRoot="me_build_2024-05-04_10_11_12" />\n  </TestSettings>\n'
)
LISTS = (
    '  <TestLists>\n    <TestList name="Results Not in a List" id="8c84fa94-04c1-424b-9868-57a2d4851a1d" />\n'
    '    <TestList name="All Loaded Results" id="19431567-8539-422a-85d7-44ee4e166bda" />\n  </TestLists>\n'
)


def write_trx(results: Iterable[Result], *, summary: str | None = None, texts: Iterable[str] = ()) -> str:
    """Write the report of a run; ``summary`` is the outcome of the whole, ``texts`` what the run itself says."""
    listed = tuple(results)
    every = [each for result in listed for each in (result, *result.rows)]
    failed = sum(each.outcome == "Failed" for each in every)
    passed = sum(each.outcome == "Passed" for each in every)
    counters = {"total": len(every), "executed": passed + failed, "passed": passed, "failed": failed}
    names = "error timeout aborted inconclusive passedButRunAborted notRunnable notExecuted disconnected warning"
    counters |= dict.fromkeys(f"{names} completed inProgress pending".split(), 0)
    written = "".join(_write_result(each, number) for number, each in enumerate(listed))
    tests = "".join(_write_definition(each, number) for number, each in enumerate(listed))
    infos = "".join(
        '      <RunInfo computerName="build" outcome="Error" timestamp="2024-05-04T10:11:12.2222222+00:00">\n'
        f"        <Text>{escape(text)}</Text>\n      </RunInfo>\n"
        for text in texts
    )
    end = f"    <RunInfos>\n{infos}    </RunInfos>\n" if infos else ""
    return (
        f"{HEAD}  <Results>\n{written}  </Results>\n  <TestDefinitions>\n{tests}  </TestDefinitions>\n{LISTS}"
        f'  <ResultSummary outcome="{summary or ("Failed" if failed else "Completed")}">\n'
        f"    <Counters {' '.join(f'{name}={chr(34)}{value}{chr(34)}' for name, value in counters.items())} />\n"
        f"{end}  </ResultSummary>\n</TestRun>\n"
    )


def _write_result(result: Result, number: int, inner: str = "") -> str:
    outcome = f" outcome={quoteattr(result.outcome)}" if result.outcome is not None else ""
    error = (
        f"      <Output>\n        <ErrorInfo>\n          <Message>{escape(result.message)}</Message>\n"
        f"          <StackTrace>{escape(result.stack)}</StackTrace>\n        </ErrorInfo>\n      </Output>\n"
        if result.message
        else ""
    )
    rows = "".join(_write_result(each, number, f".{index}") for index, each in enumerate(result.rows))
    rows = f"      <InnerResults>\n{rows}      </InnerResults>\n" if rows else ""
    return (
        f'    <UnitTestResult executionId="e{number}{inner}" testId="t{number}"'
        f' testName={quoteattr(result.title or result.method)} computerName="build" duration="00:00:00.2500000"'
        ' startTime="2024-05-04T10:11:12.0000000+00:00" endTime="2024-05-04T10:11:12.2500000+00:00"'
        ' testType="13cdc9d9-ddb5-4fa4-a97d-d965ccfc6d4b"'
        f'{outcome} testListId="8c84fa94-04c1-424b-9868-57a2d4851a1d" relativeResultsDirectory="e{number}{inner}">\n'
        f"{error}{rows}    </UnitTestResult>\n"
    )


def _write_definition(result: Result, number: int) -> str:
    return (
        f"    <UnitTest name={quoteattr(result.title or result.method)}"
        f' storage="/w/bin/shop.tests.dll" id="t{number}">\n'
        f'      <Execution id="e{number}" />\n'
        '      <TestMethod codeBase="/w/bin/Shop.Tests.dll" adapterTypeName="executor://xunit/VsTestRunner2/netcoreapp"'
        f' className="{result.owner}" name="{result.method}" />\n    </UnitTest>\n'
    )
