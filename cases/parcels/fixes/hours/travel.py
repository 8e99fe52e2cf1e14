"""How long parcels took."""

import array

import moments


def hours(parcels):
    return array.array(
        "d",
        [moments.seconds_between(parcel["placed"], parcel["delivered"]) / 3600 for parcel in parcels],
    )
