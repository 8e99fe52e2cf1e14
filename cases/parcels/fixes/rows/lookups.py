"""Parcels by what they have in common."""

import collections


def by(parcels, name):
    found = collections.defaultdict(list)
    for parcel in parcels:
        found[getattr(parcel, name)].append(parcel)
    return dict(found)
