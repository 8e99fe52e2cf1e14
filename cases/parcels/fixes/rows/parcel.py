class Parcel:
    """One line of the table."""

    __slots__ = ("id", "store", "courier", "city", "state", "placed", "delivered", "weight", "details")

    def __init__(self, line):
        for name in Parcel.__slots__:
            setattr(self, name, line[name])
