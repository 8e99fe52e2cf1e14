class Stop:
    """Where a parcel was on its way."""

    __slots__ = ("at", "reason", "minute")

    def __init__(self, at, reason, minute):
        self.at = at
        self.reason = reason
        self.minute = minute
