"""What the tests hold."""


class Visit:
    def __init__(self, number, city):
        self.number = number
        self.city = city


class Slim:
    __slots__ = ("number", "city")

    def __init__(self, number, city):
        self.number = number
        self.city = city


CITIES = ("Amsterdam Noord", "Rotterdam Zuid", "Utrecht Centraal")


def wasteful(count):
    return [Visit(i + 1000, "".join(list(CITIES[i % 3]))) for i in range(count)]


def healthy(count):
    return tuple(Slim(i + 1000, CITIES[i % 3]) for i in range(count))
