"""Answers the questions with DuckDB and chdb over the files of a dataset, as JSON: {engine: [[row, ...], ...]}."""

import datetime
import decimal
import json
import pathlib
import re
import sys

import chdb.session
import duckdb

ENGINES = pathlib.Path(__file__).resolve().parent.parent / "engines"


def statements(text):
    """Those of a file, without its comments."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("--"))
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]


def plain(value):
    if isinstance(value, datetime.datetime):
        return int(value.timestamp() * 1e6)
    if isinstance(value, decimal.Decimal):
        return int(value)
    # A time of ClickHouse, in seconds.
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d{6}", value):
        return int(value.replace(".", ""))
    return value


def with_duckdb(fleet, questions):
    engine = duckdb.connect()
    engine.execute("SET TimeZone = 'UTC'")
    for statement in statements((ENGINES / "duckdb.sql").read_text().replace("FLEET", fleet)):
        engine.execute(statement)
    return [[[plain(value) for value in row] for row in engine.execute(question).fetchall()] for question in questions]


def with_clickhouse(fleet, questions):
    engine = chdb.session.Session()
    for statement in statements((ENGINES / "clickhouse.sql").read_text().replace("FLEET", fleet)):
        engine.query(statement)
    answers = []
    for question in questions:
        # Whole numbers of 64 bits as numbers, and times as seconds.
        settings = "SETTINGS output_format_json_quote_64bit_integers = 0, date_time_output_format = 'unix_timestamp', use_hive_partitioning = 0"
        text = engine.query(f"{question} {settings}", "JSONCompactEachRow").bytes().decode()
        answers.append([[plain(value) for value in json.loads(line)] for line in text.splitlines()])
    return answers


def main():
    fleet = sys.argv[1]
    questions = statements((ENGINES / "questions.sql").read_text())
    print(json.dumps({"duckdb": with_duckdb(fleet, questions), "chdb": with_clickhouse(fleet, questions)}))


main()
