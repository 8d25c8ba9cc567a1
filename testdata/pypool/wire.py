"""The wire protocol of pools: packets, and the values in them. Written from its description; it
shares no code with mcpgen, so that the two check each other. Small liberties of encoders are not
taken: what has another form than ours has by rule (alignment, padding, limbs) is refused.
"""

import functools
import struct

# ---- Packets: 32 bytes of header, metadata, payload ----------------------------------------------

HEADER = struct.Struct("<4s8x8sIQ")  # magic, command bytes, sizes of metadata and payload
MAGIC = b"\x6d\xf8\x07\x07"
DATA, CALL, PING = 0, 1, 2
MESSAGE, TEXT, VOIDSTAR = 0, 2, 4


class Fault(Exception):
    """A packet or value that breaks the protocol."""


def check(fine, problem):
    if not fine:
        raise Fault("packet error: " + problem)


def data_packet(form, failed, metadata, payload):
    command = bytes([DATA, MESSAGE, form, 0, 0, failed, 0, 0])
    return HEADER.pack(MAGIC, command, len(metadata), len(payload)) + metadata + payload


def failure(text):
    return data_packet(TEXT, 1, b"", text.encode("utf-8", "surrogateescape"))


def success(kind, schema, value):
    entry = schema.encode() + b"\0"
    entry = b"mmh\x01" + struct.pack("<I", len(entry)) + entry
    return data_packet(VOIDSTAR, 0, entry + bytes(-len(entry) % 32), encode(kind, value))


def split(payload):
    """Return the payloads of the arguments of a call, which are data packets in a row."""
    arguments, at = [], 0
    while at < len(payload):
        check(at % 8 == 0 and at + 32 <= len(payload), "an argument at %d" % at)
        magic, command, offset, length = HEADER.unpack_from(payload, at)
        check(magic == MAGIC, "an argument without magic")
        check(command == bytes([DATA, MESSAGE, VOIDSTAR, 0, 0, 0, 0, 0]), "an argument " + command.hex())
        at += 32 + offset
        check(at + length <= len(payload), "an argument that is cut")
        arguments.append(payload[at:at + length])
        at += length
    return arguments


# ---- Types ---------------------------------------------------------------------------------------
#
# A type knows the width and alignment of its values, writes one into a buffer (put), reads one
# from a payload (get) and makes one of parsed JSON (of).

PAIR = struct.Struct("<qq")


def claim(buffer, size, align):
    """Append zeros to a buffer and return where they start."""
    buffer += bytes(-len(buffer) % align + size)
    return len(buffer) - size


def encode(kind, value):
    buffer = bytearray(kind.width)
    kind.put(buffer, 0, value)
    return bytes(buffer)


def decode(kind, payload):
    check(len(payload) % 8 == 0, "an argument of %d bytes, no multiple of 8" % len(payload))
    inside(payload, 0, kind.width, 1)
    return kind.get(payload, 0)


def inside(payload, start, size, align):
    check(0 <= start <= start + size <= len(payload), "%d bytes at %d of %d" % (size, start, len(payload)))
    check(start % align == 0, "a value at %d, no multiple of %d" % (start, align))
    return start


class Unit:
    width, align = 0, 1

    def put(self, buffer, at, value):
        pass

    def get(self, payload, at):
        return None

    of = staticmethod(lambda value: None)


class Fixed:
    """A boolean, or a number of fixed size."""

    def __init__(self, code, of):
        self.layout, self.of = struct.Struct("<" + code), of
        self.width = self.align = self.layout.size
        self.list_align = 1 if code == "?" else 64

    def put(self, buffer, at, value):
        self.layout.pack_into(buffer, at, value)

    def get(self, payload, at):
        check(self.of is not bool or payload[at] < 2, "a boolean that is %d" % payload[at])
        return self.layout.unpack_from(payload, at)[0]


class Int:
    """An integer of any size: 1 and the number, or a count of 64-bit limbs and where they are."""

    width, align = 16, 8
    of = int

    def put(self, buffer, at, value):
        limbs = (value if value >= 0 else ~value).bit_length() // 64 + 1
        word = value
        if limbs > 1:
            word = claim(buffer, 8 * limbs, 8)
            buffer[word:word + 8 * limbs] = value.to_bytes(8 * limbs, "little", signed=True)
        PAIR.pack_into(buffer, at, limbs, word)

    def get(self, payload, at):
        limbs, word = PAIR.unpack_from(payload, at)
        if limbs <= 1:
            return word * limbs
        inside(payload, word, 8 * limbs, 8)
        value = int.from_bytes(payload[word:word + 8 * limbs], "little", signed=True)
        check(not -1 << 63 <= value < 1 << 63, "%d limbs for a small integer" % limbs)
        return value


class Str:
    width, align = 16, 8
    of = str

    def put(self, buffer, at, value):
        data = value.encode("utf-8", "surrogateescape")
        start = claim(buffer, len(data), 1) if data else 0
        buffer[start:start + len(data)] = data
        PAIR.pack_into(buffer, at, len(data), start)

    def get(self, payload, at):
        size, start = PAIR.unpack_from(payload, at)
        if size:
            inside(payload, start, size, 1)
        return payload[start:start + size].decode() if size else ""


class List:
    width, align = 16, 8

    def __init__(self, item, length):
        self.item, self.length = item, length

    def put(self, buffer, at, items):
        width, align = self.item.width, getattr(self.item, "list_align", self.item.align)
        start = claim(buffer, len(items) * width, align) if len(items) else 0
        PAIR.pack_into(buffer, at, len(items), start)
        for i, item in enumerate(items):
            self.item.put(buffer, start + i * width, item)

    def get(self, payload, at):
        count, start = PAIR.unpack_from(payload, at)
        check(self.length in (0, count), "%d elements, not %d" % (count, self.length))
        width, align = self.item.width, getattr(self.item, "list_align", self.item.align)
        if count:
            inside(payload, start, count * width, align)
        return [self.item.get(payload, start + i * width) for i in range(count)]

    def of(self, value):
        return [self.item.of(v) for v in value]


class Optional:
    width, align = 8, 8

    def __init__(self, item):
        self.item = item

    def put(self, buffer, at, value):
        start = -1 if value is None else claim(buffer, self.item.width, self.item.align)
        struct.pack_into("<q", buffer, at, start)
        if value is not None:
            self.item.put(buffer, start, value)

    def get(self, payload, at):
        start = struct.unpack_from("<q", payload, at)[0]
        if start == -1:
            return None
        return self.item.get(payload, inside(payload, start, self.item.width, self.item.align))

    def of(self, value):
        return None if value is None else self.item.of(value)


class Tuple:
    """Fields one after the other, as in a C struct. What is inside of itself has no width before
    it is complete, so the places of fields are found when they are needed."""

    def __init__(self, kinds):
        self.kinds = kinds
        self.align = max([1] + [kind.align for kind in kinds])

    @functools.cached_property
    def layout(self):
        fields, end, align = [], 0, max([1] + [kind.align for kind in self.kinds])
        for kind in self.kinds:
            end += -end % kind.align
            fields.append((end, kind))
            end += kind.width
        return fields, end + -end % align

    fields = property(lambda self: self.layout[0])
    width = property(lambda self: self.layout[1])

    def put(self, buffer, at, values):
        check(len(values) == len(self.fields), "a tuple of %d values" % len(values))
        for (offset, kind), value in zip(self.fields, values):
            kind.put(buffer, at + offset, value)

    def get(self, payload, at):
        return tuple(kind.get(payload, at + offset) for offset, kind in self.fields)

    def of(self, value):
        return tuple(kind.of(v) for (_, kind), v in zip(self.fields, value))


class Record(Tuple):
    """A tuple whose fields have names: a dict."""

    def __init__(self, names, kinds):
        super().__init__(kinds)
        self.names, self.align = names, 8

    def put(self, buffer, at, value):
        super().put(buffer, at, [value[name] for name in self.names])

    def get(self, payload, at):
        return dict(zip(self.names, super().get(payload, at)))

    def of(self, value):
        return dict(zip(self.names, super().of([value[name] for name in self.names])))


class Enum:
    """One of a few names: here its place among them."""

    width = align = 1

    def __init__(self, names):
        self.names = names

    def put(self, buffer, at, value):
        check(0 <= value < len(self.names), "a constructor %r" % value)
        buffer[at] = value

    def get(self, payload, at):
        check(payload[at] < len(self.names), "a constructor %d" % payload[at])
        return payload[at]

    def of(self, value):
        return self.names.index(value)


class Variant:
    """One of a few names, with fields: here (name, fields)."""

    width, align = 16, 8
    SLOT = struct.Struct("<B7sq")

    def __init__(self, names, payloads):
        self.names, self.payloads = names, payloads  # None for a constructor without fields

    def put(self, buffer, at, value):
        tag, start = self.names.index(value[0]), -1
        payload = self.payloads[tag]
        if payload:
            start = claim(buffer, payload.width, payload.align)
        self.SLOT.pack_into(buffer, at, tag, bytes(7), start)
        if payload:
            payload.put(buffer, start, value[1])

    def get(self, payload, at):
        tag, zeros, start = self.SLOT.unpack_from(payload, at)
        check(tag < len(self.names) and not any(zeros), "a variant with constructor %d" % tag)
        kind = self.payloads[tag]
        check((start == -1) == (kind is None), "fields at %d for constructor %d" % (start, tag))
        if kind is None:
            return self.names[tag], ()
        return self.names[tag], kind.get(payload, inside(payload, start, kind.width, kind.align))

    def of(self, value):
        if isinstance(value, str):
            return value, ()
        (name, fields), = value.items()
        return name, self.payloads[self.names.index(name)].of(fields)


class Back:
    """A type inside of itself, which is not complete yet."""

    align = 8
    width = property(lambda self: self.type.width)

    def put(self, buffer, at, value):
        self.type.put(buffer, at, value)

    def get(self, payload, at):
        return self.type.get(payload, at)

    def of(self, value):
        return self.type.of(value)


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"
INTEGERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
FLOATS = {"f4": "f", "f8": "d"}


class Schema:
    """The text of a type, read from left to right."""

    def __init__(self, text):
        self.text, self.at, self.named = text, 0, {}

    def take(self, size=1):
        self.at += size
        return self.text[self.at - size:self.at]

    def count(self):
        """Digits of base 64, the lowest first, each but the last behind a =."""
        if self.text[self.at] != "=":
            return DIGITS.index(self.take())
        self.take()
        return DIGITS.index(self.take()) + 64 * self.count()

    def word(self):
        return self.take(self.count())

    def type(self):
        code = self.take()
        if code == "<":  # a hint for other languages, which may hold such brackets
            depth = 1
            while depth:
                depth += {"<": 1, ">": -1}.get(self.take(), 0)
            return self.type()
        if code in "iuf":
            code += self.take()
            return Fixed(INTEGERS[code], int) if code in INTEGERS else Fixed(FLOATS[code], float)
        if code == "a":
            length = 0
            if self.text[self.at] == ":":
                self.take()
                while self.text[self.at].isdigit():
                    length = 10 * length + int(self.take())
            return List(self.type(), length)
        if code == "t":
            return Tuple([self.type() for _ in range(self.count())])
        if code == "m":
            fields = [(self.take(self.count()), self.type()) for _ in range(self.count())]
            return Record([name for name, _ in fields], [kind for _, kind in fields])
        if code == "e":
            return Enum([self.word() for _ in range(self.count())])
        if code == "v":
            arms = [(self.word(), [self.type() for _ in range(self.count())]) for _ in range(self.count())]
            return Variant([name for name, _ in arms], [Tuple(kinds) if kinds else None for _, kinds in arms])
        if code == "&":
            name, back = self.take(self.count()), Back()
            outer, self.named[name] = self.named.get(name), back
            back.type = self.type()
            self.named[name] = outer
            return back.type
        if code == "^":
            return self.named[self.take(self.count())]
        return {"z": Unit, "b": lambda: Fixed("?", bool), "j": Int, "s": Str,
                "?": lambda: Optional(self.type())}[code]()
