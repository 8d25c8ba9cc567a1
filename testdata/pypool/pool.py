"""A stand-in, in tests, for the pools that the Morloc compiler generates: any program, all types.

MORLOC_MANIFEST_PATH names the manifest, which has the types. How a call is answered is in a file
beside this one:

    functions.json  {command: {"call": "module.function", "at": "smiles.loc:2:16"}}
                    runs Python functions; `at` ends the text of their exceptions
    cases.json      {command: [{"args": [...], "result": JSON}, ...]}
                    answers what the test expects to be called with what it wants to come back:
                    "result", "bytes" (of media), "fail" (text of a failure). With "gate", the
                    path of a socket, the answer waits until the test sends something there;
                    with "print", a line is printed first.
                    The calls are written to calls.txt, a line each.
"""

import importlib
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import threading

from wire import CALL, HEADER, MAGIC, PING, Fault, List, Schema, check, decode, failure, split, success

HERE = pathlib.Path(__file__).parent


def read_json(name):
    """Read a file beside this one, {} if there is none. Negative zero stays what it is."""
    path = HERE / name
    integer = {"parse_int": lambda text: -0.0 if text == "-0" else int(text)}
    return json.loads(path.read_text("utf-8"), **integer) if path.exists() else {}


class Command:
    """A remote command of the manifest."""

    def __init__(self, entry):
        self.name, self.mid = entry["name"], entry["mid"]
        schemas = [a.get("schema", "b") for a in entry["args"]]  # a flag has none
        self.arguments = [Schema(schema).type() for schema in schemas]
        self.schema = entry["return"]["schema"]
        self.result = Schema(self.schema).type()

    def run(self, function, lang, arguments):
        """Answer with a Python function."""
        module, _, name = function["call"].rpartition(".")
        try:
            value = getattr(importlib.import_module(module), name)(*arguments)
            return success(self.result, self.schema, value)
        except Exception as error:
            return failure("%s\n  at %s [%s] (mid=%d, %s)" % (error, self.name, lang, self.mid, function["at"]))

    def replay(self, cases, arguments):
        """Answer as the first case says that has these arguments, and drop it."""
        for case in cases:
            expected = [kind.of(value) for kind, value in zip(self.arguments, case["args"], strict=True)]
            if repr(expected) == repr(arguments):  # 1, 1.0 and True are equal, but not the same
                break
        else:
            return failure("unexpected call of %s with %r" % (self.name, arguments))
        cases.remove(case)
        if "print" in case:
            print(case["print"])
        if "gate" in case:
            self.wait(case["gate"])
        if "fail" in case:
            return failure(case["fail"])
        if "bytes" in case:
            data = case["bytes"].encode("utf-8", "surrogateescape")
            value = list(data) if isinstance(self.result, List) else data.decode("utf-8", "surrogateescape")
        else:
            value = self.result.of(case["result"])
        return success(self.result, self.schema, value)

    def wait(self, gate):
        """Tell the test that the call is running, and wait for its word. A program that it has
        started holds the connection too: that ends when both have."""
        with socket.socket(socket.AF_UNIX) as test:
            test.connect(gate)
            with subprocess.Popen(["sleep", "3600"], pass_fds=[test.fileno()]) as program:
                test.sendall(b"%d\n" % os.getpid())
                test.recv(1)
                program.kill()


class Pool:
    def __init__(self, manifest, socket_name):
        self.lang = next(p["lang"] for p in manifest["pools"] if p["socket"] == socket_name)
        self.commands = {c["mid"]: c for c in manifest["commands"] if c["type"] == "remote"}
        self.functions, self.cases = read_json("functions.json"), read_json("cases.json")

    def call(self, packet, payload):
        mid = struct.unpack_from("<I", packet, 4)[0]
        check(packet[1] == 0 and mid in self.commands, "no function %d" % mid)
        command = Command(self.commands[mid])
        payloads = split(payload)
        check(len(payloads) == len(command.arguments), "%d arguments" % len(payloads))
        values = [decode(kind, data) for kind, data in zip(command.arguments, payloads)]
        if command.name in self.functions:
            return command.run(self.functions[command.name], self.lang, values)
        with (HERE / "calls.txt").open("a") as log:
            log.write("%s %s\n" % (command.name, ascii(values)))
        return command.replay(self.cases.get(command.name, []), values)

    def serve(self, connection):
        """Read one packet and answer with one."""
        head = connection.recv(32, socket.MSG_WAITALL)
        if len(head) < 32:
            return
        magic, packet, offset, length = HEADER.unpack(head)
        body = connection.recv(offset + length, socket.MSG_WAITALL) if offset + length else b""
        try:
            check(magic == MAGIC and len(body) == offset + length, "a bad header")
            check(packet[0] in (CALL, PING), "neither ping nor call")
            reply = head + body if packet[0] == PING else self.call(packet, body[offset:])
        except (Fault, UnicodeDecodeError) as fault:
            reply = failure(str(fault))
        connection.sendall(reply)


def join_newest(directory, basename):
    """Behave as pools of the 0.109 line do: refuse to start without what the server must make, and
    end when the server has ended, which a pipe tells."""
    with open("/dev/shm%s-0001" % basename, "rb") as volume:
        check(volume.read(4) == b"\xf0\x0d\xca\xfe", "a volume without magic")
    check(os.path.exists(os.path.join(directory, ".owner")), "a run directory of nobody")
    pipe, device, inode, server, _, _ = map(int, os.environ["MORLOC_LIFELINE"].split(":"))
    state = os.fstat(pipe)
    check((state.st_dev, state.st_ino, os.getppid()) == (device, inode, server), "another lifeline")
    os.set_inheritable(pipe, False)

    def watch():
        if os.read(pipe, 1) == b"":
            os.killpg(0, signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def main(path, directory, basename):
    """Serve calls one after the other, until SIGTERM. The server's death ends this process, too:
    the kernel sends a signal that cannot be caught."""

    def stop(signum, frame):
        os.unlink(path)
        os._exit(0)

    sys.stdout.reconfigure(line_buffering=True)
    if "MORLOC_LIFELINE" in os.environ:
        join_newest(directory, basename)
    manifest = json.loads(pathlib.Path(os.environ["MORLOC_MANIFEST_PATH"]).read_text("utf-8"))
    pool = Pool(manifest, os.path.basename(path))
    presence = socket.socket(socket.AF_UNIX)  # tells a test, if there is one, when we are gone
    if os.environ.get("POOL_PRESENCE"):
        presence.connect(os.environ["POOL_PRESENCE"])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        signal.signal(signal.SIGTERM, stop)
        server.listen()
        while True:
            connection, _ = server.accept()
            with connection:
                try:
                    pool.serve(connection)
                except OSError:
                    pass  # the client is gone


if __name__ == "__main__":
    main(*sys.argv[1:])
