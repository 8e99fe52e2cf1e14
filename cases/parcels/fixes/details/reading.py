"""Reads the table: each line becomes a parcel."""

import csv
import json

import moments
from details import Details
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
    return Details([stop(one) for one in read["stops"]], read["notes"], read["surcharges"])


def stop(one):
    return Stop((one["lat"], one["lon"]), one["reason"], one["minute"])
