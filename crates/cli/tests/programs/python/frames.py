"""Tables of pandas with columns of few values, and with columns that are better as they are. The arguments are how many
rows there are, and what is mended: a column of a table, and whether its table is copied then.
"""

import datetime
import io
import sys

import pandas

ROWS = int(sys.argv[1])
MENDED = set(sys.argv[2:])


def once():
    """What pandas and the interpreter make when a column becomes a category for the first time is no column's."""
    for _ in range(3):
        few = pandas.read_csv(io.StringIO("a,b,c\n" + "x,1,u\ny,2,v\n" * 50), dtype={"a": "category"})
        few = few.astype({"c": "category"}).copy()
        few["a"] = few["a"].astype(object).astype("category")


def mended(table, name):
    """The table with its columns as the program's arguments say."""
    for column in list(table.columns):
        if f"{name}.{column}" in MENDED:
            table = table.astype({column: "category"})
    return table.copy() if f"{name}.copy" in MENDED else table


def read():
    """Of a file: an order has a number of its own, a city comes many times."""
    lines = (f"order-{n:08},city {n * 7 % 90:03},{n % 977}\n" for n in range(ROWS))
    return pandas.read_csv(io.StringIO("order,city,amount\n" + "".join(lines)))


def joined():
    """Of two tables, the second of which says the same of many rows of the first."""
    customers = pandas.DataFrame({"customer": range(500), "name": [f"customer {n}" for n in range(500)]})
    orders = pandas.DataFrame({"customer": [n * 31 % 500 for n in range(ROWS)]})
    return orders.merge(customers, on="customer")


def grouped():
    """A row for each sensor and hour."""
    readings = pandas.DataFrame({
        "sensor": ["sensor-" + str(n % 400) for n in range(ROWS)],
        "hour": [n // 400 for n in range(ROWS)],
        "value": [n * 0.5 for n in range(ROWS)],
    })
    return readings.groupby(["sensor", "hour"]).value.mean().reset_index()


def people():
    """Answers, many of which are missing, each text an object of its own, unless they are interned."""
    answer = sys.intern if "people.interned" in MENDED else str
    answers = [None if n % 3 == 0 else answer("answer " + str(n % 11)) for n in range(ROWS)]
    comments = [float("nan") if n % 2 else "comment number " + str(n % 250) for n in range(ROWS)]
    return pandas.DataFrame({
        "answer": pandas.Series(answers, dtype=object),
        "comment": pandas.Series(comments, dtype=object),
    })


def report():
    """Days as objects, numbers beside texts, and notes that differ."""
    start = datetime.date(2020, 1, 1)
    return pandas.DataFrame({
        "day": [start + datetime.timedelta(days=n % 365) for n in range(ROWS)],
        "code": [n % 40 if n % 2 else "code " + str(n % 40) for n in range(ROWS)],
        "note": ["note " + str(n) for n in range(ROWS)],
    })


once()
SALES = mended(read(), "sales")
JOINED = mended(joined(), "joined")
GROUPED = mended(grouped(), "grouped")
PEOPLE = mended(people(), "people")
REPORT = mended(report(), "report")
print(sum(map(len, (SALES, JOINED, GROUPED, PEOPLE, REPORT))))
