"""Reads the table: each line becomes a parcel."""

import csv
import json
import sys

import moments
from details import Details
from parcel import Parcel
from stop import Stop


# Places by their own values: equal ones are kept once.
PLACES = {}


def parcels(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [parcel(line) for line in csv.DictReader(file)]


def parcel(line):
    line["placed"] = moments.parse(line["placed"])
    line["delivered"] = moments.parse(line["delivered"])
    for name in ("store", "courier", "city", "state"):
        line[name] = sys.intern(line[name])
    line["weight"] = float(line["weight"])
    line["details"] = details(line["details"])
    return Parcel(line)


def details(text):
    read = json.loads(text)
    stops = [stop(one) for one in read["stops"]][:]
    return Details(stops, read["notes"] or None, read["surcharges"] or None)


def stop(one):
    at = (one["lat"], one["lon"])
    return Stop(PLACES.setdefault(at, at), sys.intern(one["reason"]), one["minute"])
