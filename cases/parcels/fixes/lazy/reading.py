"""Reads the table: each line becomes a parcel."""

import csv
import json

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
    read = json.loads(text)
    read["stops"] = [stop(one) for one in read["stops"]]
    read["notes"] = read["notes"] or None
    read["surcharges"] = read["surcharges"] or None
    return read


def stop(one):
    return Stop((one["lat"], one["lon"]), one["reason"], one["minute"])
