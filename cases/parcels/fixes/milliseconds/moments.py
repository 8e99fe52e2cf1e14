"""Points in time."""

import datetime


def parse(text):
    """Milliseconds since 1970."""
    return int(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def seconds_between(early, late):
    return (late - early) / 1000


def hour(moment):
    return datetime.datetime.fromtimestamp(moment / 1000).hour
