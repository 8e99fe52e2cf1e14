"""How long parcels took."""

import moments


def hours(parcels):
    return [moments.seconds_between(parcel.placed, parcel.delivered) / 3600 for parcel in parcels]
