class Stop:
    """Where a parcel was on its way."""

    def __init__(self, at, reason, minute):
        self.at = at
        self.reason = reason
        self.minute = minute
