"""What is shown of a day."""

import collections
import zlib

import moments


def of(day):
    placed = collections.Counter(moments.hour(parcel["placed"]) for parcel in day.parcels)
    stops = collections.Counter()
    notes, surcharges = 0, 0.0
    check = 0
    for parcel in day.parcels:
        details = parcel["details"]
        notes += len(details.notes)
        surcharges += sum(details.surcharges.values())
        for stop in details.stops:
            stops[f"{stop.at[0]:.2f}, {stop.at[1]:.1f}: {stop.reason}"] += stop.minute
        check = zlib.crc32(f"{parcel['id']} {parcel['city']} {parcel['state']}".encode(), check)
    return {
        "parcels": len(day.parcels),
        "weight": round(sum(parcel["weight"] for parcel in day.parcels), 3),
        "stores": {name: len(found) for name, found in day.by_store.items()},
        "couriers": len(day.by_courier),
        "hours": round(sum(day.hours), 3),
        "longest": max(day.hours),
        "placed": {str(hour): count for hour, count in placed.items()},
        "minutes": dict(stops),
        "notes": notes,
        "surcharges": surcharges,
        "check": check,
    }
