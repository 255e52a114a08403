"""Protobuf messages as bytes, right ones and lying ones."""


def varint(number):
    """Of a negative number, its 64 bits, as protobuf has it."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """An integer, a text, bytes, or a list of these."""
    if isinstance(value, list):
        return b"".join(field(number, item) for item in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return claimed(number, len(value), value)


def claimed(number, length, data):
    """`data`, said to have `length` bytes."""
    return varint(number << 3 | 2) + varint(length) + data


def packed(number, values):
    return field(number, b"".join(map(varint, values)))


def message(fields):
    """{number: value} in that order; None is left out."""
    return b"".join(field(number, value) for number, value in fields.items() if value is not None)


def nested(levels, inner):
    """Messages in messages. `levels`, from the outermost one: the bytes before the field, and its
    number. Linear: no part is copied more than once."""
    parts, length = [inner], len(inner)
    for before, number in reversed(levels):
        head = before + varint(number << 3 | 2) + varint(length)
        parts.append(head)
        length += len(head)
    return b"".join(reversed(parts))
