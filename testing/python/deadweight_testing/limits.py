"""Limits of a test, written as the budgets that `deadweight check` reads."""

import json

HELD = ("bytes", "external", "dead_share", "per_record", "records", "bytes_per_record", "findings")


def held(limits):
    # A typing error in a limit would otherwise be a test that cannot fail.
    if not limits:
        raise ValueError(f"expect_held needs a limit: {', '.join(HELD)}")
    strange = next((name for name in limits if name not in HELD), None)
    if strange is not None:
        raise ValueError(f"expect_held knows no limit {strange}, but {', '.join(HELD)}")
    counted = "records" in limits or "bytes_per_record" in limits
    if counted and "bytes" in limits:
        raise ValueError("bytes and bytes_per_record limit the same figure: give one of them")
    lines = ["[budget]"]
    if "bytes" in limits:
        lines.append(f"held = {_bytes('bytes', limits['bytes'])}")
    if counted:
        lines.append(f"held = {_all_records(limits)}")
    if "external" in limits:
        lines.append(f"external = {_bytes('external', limits['external'])}")
    if "dead_share" in limits:
        lines.append(f"dead_share = {_share(limits['dead_share'])}")
    if "findings" in limits:
        lines.append(f"findings = {_rules(limits['findings'])}")
    for holder, each in limits.get("per_record", {}).items():
        lines += ["[[budget.records]]", f"holder = {_text(holder)}", f"bytes = {_bytes(f'per_record[{holder}]', each)}"]
    return "\n".join(lines) + "\n"


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _all_records(limits):
    count, each = limits.get("records"), limits.get("bytes_per_record")
    if not (_is_number(count) and isinstance(count, int) and count > 0):
        raise ValueError(f"records must be a whole number above 0; it is {count!r}")
    if not (_is_number(each) and each >= 0):
        raise ValueError(f"bytes_per_record must be a number of bytes; it is {each!r}")
    return int(count * each)


def _bytes(name, value):
    if isinstance(value, str):  # such as "1 MB": the tool reads it
        return _text(value)
    if _is_number(value) and value >= 0:
        return int(value)
    raise ValueError(f'{name} must be bytes, such as 1000 or "1 MB"; it is {value!r}')


def _share(value):
    if isinstance(value, str):
        return _text(value)
    if _is_number(value) and 0 <= value <= 1:
        return f"{value:.6f}"
    raise ValueError(f'dead_share must be a share, such as 0.1 or "10 %"; it is {value!r}')


def _rules(value):
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    raise ValueError('findings must be a list of the rules that are allowed, such as [] or ["L03"]')


def _text(value):
    return json.dumps(str(value)).replace("\x7f", "\\u007f")
