"""A report of orders: rows of CSV become dicts, groups and JSON."""

import collections
import csv
import datetime
import io
import json

FIELDS = ("id", "who", "day", "sum", "state")


def rows(count):
    out = io.StringIO()
    writer = csv.writer(out)
    for i in range(count):
        writer.writerow([i, f"customer-{i % 500}", f"2024-01-{i % 28 + 1:02d}", i * 1.5, "paid" if i % 3 else "open"])
    return out.getvalue()


def load(text):
    return [dict(zip(FIELDS, row)) for row in csv.reader(io.StringIO(text))]


def group(orders):
    by = collections.defaultdict(list)
    for order in orders:
        order["day"] = datetime.date.fromisoformat(order["day"])
        order["sum"] = float(order["sum"])
        by[order["who"]].append(order)
    return by


def summary(orders):
    return {
        "total": sum([order["sum"] for order in orders]),
        "days": sorted({str(order["day"]) for order in orders}),
        "open": len([order for order in orders if order["state"] == "open"]),
    }


TEXT = rows(20_000)
size = 0
for _ in range(30):
    size += len(json.dumps({who: summary(orders) for who, orders in group(load(TEXT)).items()}))
print(size)
