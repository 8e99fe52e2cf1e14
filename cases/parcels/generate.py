"""Writes a day's deliveries as a table of text: `python3 generate.py COUNT`. The same count gives the same table."""

import csv
import json
import random
import sys

STORES = [f"store {name}" for name in ("north", "harbour", "station", "market", "airport", "old town", "campus")]
CITIES = ["Hamburg", "Lübeck", "Kiel", "Bremen", "Rostock"]
STATES = ["delivered", "delivered", "delivered", "returned", "left with a neighbour"]
REASONS = ["loaded at the depot", "nobody at home", "handed over", "left at the door of the house"]


def details(chance):
    stops = [
        {
            "lat": round(53.5 + chance.randrange(40) / 100, 2),
            "lon": round(9.9 + chance.randrange(5) / 10, 1),
            "reason": chance.choice(REASONS),
            "minute": chance.randrange(1, 600),
        }
        for _ in range(chance.choice((2, 2, 3)))
    ]
    notes = ["ring twice, then wait"] if chance.random() < 0.05 else []
    surcharges = {"express": 4.5} if chance.random() < 0.08 else {}
    return json.dumps({"stops": stops, "notes": notes, "surcharges": surcharges}, separators=(",", ":"))


def main(count):
    chance = random.Random(7)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["id", "store", "courier", "city", "state", "placed", "delivered", "weight", "details"])
    for number in range(count):
        second = number * 86_400 // count
        hours, minutes, seconds = second // 3600, second // 60 % 60, second % 60
        out.writerow(
            [
                f"DW-{number:09d}",
                chance.choice(STORES),
                f"courier number {chance.randrange(300)}",
                chance.choice(CITIES),
                chance.choice(STATES),
                f"2024-03-01T{hours:02d}:{minutes:02d}:{seconds:02d}",
                f"2024-03-02T{chance.randrange(8, 20):02d}:{chance.randrange(60):02d}:{chance.randrange(60):02d}",
                f"{chance.randrange(100, 9_999) / 1000}",
                details(chance),
            ]
        )


main(int(sys.argv[1]))
