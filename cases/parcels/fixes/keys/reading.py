"""Reads the table: each line becomes a parcel."""

import csv
import json
import sys

import moments
from stop import Stop


def parcels(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [parcel(line) for line in csv.DictReader(file)]


def parcel(line):
    line["placed"] = moments.parse(line["placed"])
    line["delivered"] = moments.parse(line["delivered"])
    line["weight"] = float(line["weight"])
    line["details"] = details(line["details"])
    return line


def details(text):
    read = json.loads(text, object_pairs_hook=table)
    read["stops"] = [stop(one) for one in read["stops"]]
    return read


def table(pairs):
    """Each object of the text has keys of its own, unless they are interned."""
    return {sys.intern(name): value for name, value in pairs}


def stop(one):
    return Stop((one["lat"], one["lon"]), one["reason"], one["minute"])
