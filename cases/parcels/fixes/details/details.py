class Details:
    """What is known of a parcel beside its line."""

    __slots__ = ("stops", "notes", "surcharges")

    def __init__(self, stops, notes, surcharges):
        self.stops = stops
        self.notes = notes
        self.surcharges = surcharges
