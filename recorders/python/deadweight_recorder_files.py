"""Files of a capture: private, and never seen half-written under their final name."""

import os


def make_directory(parent, program, number):
    """Makes the capture's directory, with the first free number from `number` on."""
    os.makedirs(parent, mode=0o700, exist_ok=True)
    for n in range(number, number + 10000):
        directory = os.path.join(parent, f"{program}-{os.getpid()}-{n}.deadweight")
        try:
            os.mkdir(directory, 0o700)
            return directory
        except FileExistsError:
            continue
    raise OSError(f"too many captures in {parent}")


def write(directory, name, text):
    def fill_in(file):
        data = text.encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(file, data):]

    fill(directory, name, fill_in)


def fill(directory, name, write_to):
    """A file whose contents `write_to` writes to its descriptor."""
    path = os.path.join(directory, name)
    part = path + ".part"
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        write_to(file)
        os.fsync(file)
    finally:
        os.close(file)
    os.rename(part, path)


def remove(directory):
    try:
        for name in os.listdir(directory):
            os.unlink(os.path.join(directory, name))
        os.rmdir(directory)
    except OSError:
        pass


def json(value):
    """The standard library's module would be loaded into the program's heap."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{quote(key)}:{json(item)}" for key, item in value.items()) + "}"
    return "[" + ",".join(json(item) for item in value) + "]"


def quote(text):
    escaped = []
    for char in text:
        code = ord(char)
        if char in '"\\' or code < 0x20:
            escaped.append(f"\\u{code:04x}")
        elif 0xD800 <= code < 0xE000:
            escaped.append("\\ufffd")
        else:
            escaped.append(char)
    return '"' + "".join(escaped) + '"'
