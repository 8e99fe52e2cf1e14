import re

import pytest
from deadweight_testing import Broken, expect_held

from programs import healthy, wasteful


def test_what_is_healthy_holds():
    measured = expect_held(lambda: healthy(20_000), bytes="4 MB", findings=["L03"])
    assert len(measured.value) == 20_000
    assert 1_200_000 <= measured.bytes <= 2_500_000


def test_a_broken_limit_names_the_finding_its_place_and_its_fix():
    with pytest.raises(Broken) as raised:
        expect_held(lambda: wasteful(20_000), findings=[])
    message = str(raised.value)
    assert re.search(r"D01 is not allowed here: [\d.]+ [kM]B of dead weight", message)
    assert re.search(r"D01 at programs\.Visit\.city: .*3 values", message)
    assert "fix: " in message


def test_bytes_of_records():
    expect_held(lambda: healthy(20_000), records=20_000, bytes_per_record=110)
    with pytest.raises(Broken, match=r"held bytes: .* more than 2\.2 MB"):
        expect_held(lambda: wasteful(20_000), records=20_000, bytes_per_record=110)


@pytest.mark.parametrize(
    "limits",
    [{}, {"byte": 1}, {"bytes": -1}, {"findings": "D01"}, {"dead_share": 2}, {"bytes": 1, "records": 1, "bytes_per_record": 1}],
)
def test_limits_are_checked_before_the_call(limits):
    with pytest.raises(ValueError):
        expect_held(lambda: pytest.fail("it ran"), **limits)


def test_the_calls_own_error_comes_through_and_the_next_measurement_works():
    with pytest.raises(IndexError):
        expect_held(lambda: [][0], bytes=1)
    expect_held(lambda: None, bytes="1 MB")


def test_one_at_a_time():
    with pytest.raises(RuntimeError, match="another measurement is under way"):
        expect_held(lambda: expect_held(lambda: None, bytes="1 MB"), bytes="1 MB")


def test_a_missing_binary_is_named(monkeypatch):
    monkeypatch.setenv("DEADWEIGHT", "/nowhere/deadweight")
    with pytest.raises(RuntimeError, match="could not be started.*DEADWEIGHT"):
        expect_held(lambda: None, bytes="1 MB")


kept = []


@pytest.mark.expect_held("4 MB")
def test_a_mark_limits_what_a_test_leaves():
    kept.append(healthy(1_000))


def test_a_mark_that_is_broken_fails_its_test(pytester):
    pytester.makepyfile(
        """
        import pytest
        kept = []
        @pytest.mark.expect_held("1 kB")
        def test_much():
            kept.append([str(i) for i in range(10_000)])
        """
    )
    result = pytester.runpytest_inprocess("-p", "deadweight_testing.pytest_plugin")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*held bytes: *more than 1.0 kB*"])


def test_a_notebook_shows_the_page_in_a_frame():
    from deadweight_testing import notebook

    shown = notebook.frame(notebook.page())
    assert shown.startswith('<iframe sandbox="allow-scripts" srcdoc="') and "&lt;" not in shown[:40]
