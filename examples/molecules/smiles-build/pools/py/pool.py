"""A stand-in for the pool that the Morloc compiler would generate for smiles.loc.

A pool is a process that runs the functions of one language. It listens on a Unix socket. To have
a function called, connect, send one packet, read one packet; then the pool closes the connection.
This file is the whole protocol in standard Python, from the inside out:

    Packets      a message: 32 bytes of header, some metadata, a payload
    Values       how a payload holds a number, a string, a list, a record ("voidstar")
    Calls        from a call packet to a function, and from its result or exception to a reply
    The process  command line, socket, threads, the end

A compiled pool can do more: types that smiles.loc does not use, calls to pools of other languages,
large results in shared memory. None of that is needed to be called by an mcpgen server.
"""

import collections
import contextlib
import ctypes
import os
import pathlib
import signal
import socket
import struct
import sys
import threading

PARENT = os.getppid()  # read early: see die_with_parent

# User code is in the folder three levels above that of this file, molecules/smiles-build/pools/py.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3]))
import smiles  # noqa: E402

# ---- Packets -----------------------------------------------------------------------------------

# Magic, 8 bytes of zeros, 8 command bytes, size of the metadata, size of the payload. Every
# integer in a packet is little-endian.
HEADER = struct.Struct("<4s8x8sIQ")
MAGIC = b"\x6d\xf8\x07\x07"
LARGEST = 1 << 30  # bytes after the header; a header that announces more is junk

DATA, CALL, PING = 0, 1, 2  # command byte 0 of any packet
LOCAL = 0  # byte 1 of a call: it comes from this machine; bytes 4 to 7 number the function
MESSAGE = 0  # byte 1 of data: the value is in the payload
TEXT, VOIDSTAR = 2, 4  # byte 2 of data: the form of the value
PLAIN = 0  # byte 3 of data: not compressed; byte 4 is 0, too: not encrypted
PASSED, FAILED = 0, 1  # byte 5 of data


class PacketError(Exception):
    """A packet that does not follow the protocol."""

    def __init__(self, problem):
        super().__init__("packet error: " + problem)


def read_header(head):
    """Return the command bytes, the metadata size and the payload size."""
    if len(head) != HEADER.size or not head.startswith(MAGIC):
        raise PacketError("Malformed morloc packet")
    _, command, offset, length = HEADER.unpack(head)
    if offset + length > LARGEST:
        raise PacketError("%d bytes announced, at most %d taken" % (offset + length, LARGEST))
    return command, offset, length


def data_packet(form, status, metadata, payload):
    """Return a data packet that carries its value in the payload."""
    command = bytes([DATA, MESSAGE, form, PLAIN, 0, status, 0, 0])
    return HEADER.pack(MAGIC, command, len(metadata), len(payload)) + metadata + payload


def failure(text):
    """Return the data packet that says a call failed, and why."""
    return data_packet(TEXT, FAILED, b"", text.encode("utf-8", "replace"))


def success(kind, value):
    """Return the data packet with the result of a call. Its metadata is the result's schema."""
    schema = kind.schema.encode() + b"\0"
    entry = b"mmh\x01" + len(schema).to_bytes(4, "little") + schema
    metadata = entry + bytes(-len(entry) % 32)  # zeros, up to a multiple of 32 bytes
    return data_packet(VOIDSTAR, PASSED, metadata, Payload(kind, value).data)


def split(payload):
    """Return (command, payload) of each argument: a call's payload is one data packet each."""
    arguments, at = [], 0
    while at < len(payload):
        command, offset, length = read_header(payload[at:at + HEADER.size])
        if command[0] != DATA:
            problem = "Argument #%d is not a DATA packet (type=%d)"
            raise PacketError(problem % (len(arguments), command[0]))
        start = at + HEADER.size + offset  # skips the metadata: a pool knows its own types
        at = start + length
        if at > len(payload):
            raise PacketError("Argument #%d is cut short" % len(arguments))
        arguments.append((command, payload[start:at]))
    return arguments


# ---- Values ------------------------------------------------------------------------------------
#
# A value takes `width` bytes at a multiple of `align`. What does not fit there, such as the bytes
# of a string, lies further back in the payload; its offset, a relptr, stands in the value.
# Types can put (write) a value; those of arguments can also get (read) one.

PAIR = struct.Struct("<qq")  # a count and a number or relptr
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"  # counts in a schema


class Payload:
    """A value as bytes: itself at offset 0, what belongs to it behind."""

    def __init__(self, kind, value):
        self.data, self.slack = bytearray(kind.width), 0
        kind.put(self, 0, value)
        # Compiled pools size the buffer in advance, with the largest gap wherever one can be,
        # and send all of it. Nobody reads these zeros; they keep the packets alike.
        self.data += bytes(self.slack)

    def claim(self, size, align):
        """Append `size` bytes and return their relptr."""
        gap = -len(self.data) % align
        self.slack += align - 1 - gap
        self.data += bytes(gap + size)
        return len(self.data) - size


def check_inside(payload, start, count, width):
    """Raise an error unless `count` things of `width` bytes are in the payload at `start`."""
    if not 0 <= start <= start + count * width <= len(payload):
        raise PacketError("%d x %d bytes at %d are not in the payload" % (count, width, start))


def read_pair(payload, at, width):
    """Return a count and the relptr of as many things of `width` bytes."""
    count, start = PAIR.unpack_from(payload, at)
    if count:  # a relptr to nothing means nothing
        check_inside(payload, start, count, width)
    return count, start


class Real:
    """A 64-bit float."""

    schema, width, align = "f8", 8, 8

    def put(self, out, at, value):
        struct.pack_into("<d", out.data, at, value)


class Int:
    """An integer: 1 and the number. (Beyond 64 bits it would be a count and a relptr of words.)"""

    schema, width, align = "j", 16, 8

    def put(self, out, at, value):
        PAIR.pack_into(out.data, at, 1, value)


class Str:
    """A UTF-8 string: the number of its bytes and their relptr; 0 and 0 if it is empty."""

    schema, width, align = "s", 16, 8

    def put(self, out, at, value):
        raw = value.encode()
        start = out.claim(len(raw), 1) if raw else 0
        PAIR.pack_into(out.data, at, len(raw), start)
        out.data[start:start + len(raw)] = raw

    def get(self, payload, at):
        length, start = read_pair(payload, at, 1)
        return payload[start:start + length].decode()


class List:
    """Values of one type, side by side: their count and the relptr of the first."""

    width, align = 16, 8

    def __init__(self, item):
        self.schema, self.item = "a" + item.schema, item

    def put(self, out, at, items):
        # Numbers such as Real would start at a multiple of 64; no list here has any.
        start = out.claim(len(items) * self.item.width, self.item.align) if items else 0
        PAIR.pack_into(out.data, at, len(items), start)
        for i, item in enumerate(items):
            self.item.put(out, start + i * self.item.width, item)

    def get(self, payload, at):
        count, start = read_pair(payload, at, self.item.width)
        return [self.item.get(payload, start + i * self.item.width) for i in range(count)]


class Optional:
    """The relptr of a value, or -1 for None."""

    width, align = 8, 8

    def __init__(self, item):
        self.schema, self.item = "?" + item.schema, item

    def put(self, out, at, value):
        start = -1 if value is None else out.claim(self.item.width, self.item.align)
        struct.pack_into("<q", out.data, at, start)
        if value is not None:
            self.item.put(out, start, value)


class Tuple:
    """Values of different types, one after the other, aligned as in a C struct."""

    def __init__(self, *kinds):
        self.schema = "t" + DIGITS[len(kinds)] + "".join(kind.schema for kind in kinds)
        self.align = max(kind.align for kind in kinds)
        self.fields, self.width = [], 0
        for kind in kinds:
            offset = self.width + -self.width % kind.align
            self.fields.append((offset, kind))
            self.width = offset + kind.width
        self.width += -self.width % self.align

    def put(self, out, at, values):
        for (offset, kind), value in zip(self.fields, values):
            kind.put(out, at + offset, value)


class Record(Tuple):
    """A tuple whose fields have names; in Python, a dict."""

    def __init__(self, **kinds):
        super().__init__(*kinds.values())
        self.names = list(kinds)
        self.align = 8  # whatever the fields are
        fields = [DIGITS[len(name)] + name + kind.schema for name, kind in kinds.items()]
        self.schema = "m" + DIGITS[len(fields)] + "".join(fields)

    def put(self, out, at, value):
        super().put(out, at, [value[name] for name in self.names])


# ---- Calls -------------------------------------------------------------------------------------

MOLECULE = Record(smiles=Str(), formula=Str(), weight=Real(), atoms=List(Tuple(Str(), Int())),
                  charge=Optional(Int()))

Command = collections.namedtuple("Command", "name function arguments result position")

# By number, the "mid" of the manifest. The position is a line and column in smiles.loc.
COMMANDS = {
    1: Command("mw", smiles.mol_weight, [Str()], Real(), "2:16"),
    2: Command("formula", smiles.mol_formula, [Str()], Str(), "2:20"),
    3: Command("describe", smiles.mol_describe, [Str()], MOLECULE, "2:29"),
    4: Command("heaviest", smiles.mol_heaviest, [List(Str())], Optional(Str()), "2:39"),
    5: Command("parseAll", smiles.mol_parse_all, [List(Str())], List(MOLECULE), "2:49"),
}
USER_CODE = threading.Lock()  # runs one call at a time, as in a compiled Python pool


def open_argument(kind, command, payload):
    """Return the value of one argument of a call."""
    if command[5] == FAILED:
        raise PacketError("\n" + payload.decode("utf-8", "replace"))
    if tuple(command[1:4]) != (MESSAGE, VOIDSTAR, PLAIN):
        problem = "Unsupported packet source/format/compression: 0x%02x/0x%02x/0x%02x"
        raise PacketError(problem % tuple(command[1:4]))
    check_inside(payload, 0, 1, kind.width)
    return kind.get(payload, 0)


def answer_call(packet_command, payload):
    """Run the function that a call packet asks for and return the reply packet."""
    mid = int.from_bytes(packet_command[4:8], "little")
    if packet_command[1] != LOCAL or mid not in COMMANDS:
        return failure(str(mid))  # just the number: so do compiled Python pools
    name, function, kinds, result, position = COMMANDS[mid]
    arguments = split(payload)
    if len(arguments) != len(kinds):
        return failure("%s: want %d arguments, got %d" % (name, len(kinds), len(arguments)))
    try:
        with USER_CODE:
            values = [open_argument(kind, *packet) for kind, packet in zip(kinds, arguments)]
            return success(result, function(*values))
    except BaseException as error:  # even sys.exit() in user code: every call gets its reply
        place = "%s [py] (mid=%d, smiles.loc:%s)" % (name, mid, position)
        return failure("%s\n  at %s" % (error, place))


# ---- The process -------------------------------------------------------------------------------


def receive(connection, size):
    """Return exactly `size` bytes."""
    data = bytearray()
    while len(data) < size:
        chunk = connection.recv(min(size - len(data), 1 << 20))
        if not chunk:
            raise ConnectionError("the client closed the connection")
        data += chunk
    return bytes(data)


def serve_connection(connection):
    """Read one packet, answer with one packet, close."""
    # A client that goes away (OSError) spoils nothing but its own call.
    with connection, contextlib.suppress(OSError):
        try:
            head = receive(connection, HEADER.size)
            command, offset, length = read_header(head)
            body = receive(connection, offset + length)
            if command[0] == PING:
                reply = head + body  # a ping comes back as it is
            elif command[0] == CALL:
                reply = answer_call(command, body[offset:])
            else:
                reply = failure("Expected a ping or call type packet")
        except PacketError as error:
            reply = failure(str(error))
        # Results of any size are in the packet. A compiled pool puts those of more than
        # MORLOC_INLINE_SIZE bytes into shared memory and sends a relptr, because its sockets do
        # not wait and would cut them. This socket does: sendall ends when all is on its way.
        connection.sendall(reply)


def die_with_parent():
    """Have the kernel send SIGTERM when the program that started this pool ends (Linux)."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
    if os.getppid() != PARENT:  # it ended before the kernel knew
        sys.exit("pool.py: the program that started this pool has ended")


def serve(path):
    """Answer calls on the Unix socket `path` until SIGTERM."""

    def remove_socket():
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def stop(signum, frame):
        remove_socket()
        os._exit(0)  # at once, also in the middle of a call

    signal.signal(signal.SIGTERM, stop)
    die_with_parent()
    remove_socket()  # an earlier pool that was killed leaves it behind
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(path)
        server.listen(socket.SOMAXCONN)
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve_connection, args=(connection,), daemon=True).start()


def main(arguments):
    if arguments == ["--health"]:
        print('{"status":"ok","version":"0.98.2"}')
        return
    if len(arguments) != 3:
        print("usage: pool.py SOCKET TMPDIR SHM_BASENAME")
        sys.exit(1)
    # What user code prints goes out line by line, so that it comes before the result.
    sys.stdout.reconfigure(line_buffering=True)
    serve(arguments[0])  # the other two serve shared memory and calls to other pools


if __name__ == "__main__":
    main(sys.argv[1:])
