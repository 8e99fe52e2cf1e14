"""A day's parcels: read once, looked up all day."""

import json
import sys

import figures
import lookups
import reading
import travel


class Day:
    def __init__(self, parcels):
        self.parcels = parcels
        self.by_store = lookups.by(parcels, "store")
        self.by_courier = lookups.by(parcels, "courier")
        self.hours = travel.hours(parcels)


def load(path):
    return Day(reading.parcels(path))


def show(day):
    json.dump(figures.of(day), sys.stdout, indent=2, sort_keys=True)
    print()
