"""Points in time."""

import datetime


def parse(text):
    return datetime.datetime.fromisoformat(text)


def seconds_between(early, late):
    return (late - early).total_seconds()


def hour(moment):
    return moment.hour
