"""The functions of the program kit: what clients are most likely to get wrong."""

import math
import struct
import time


def picture(label):
    return '<svg xmlns="http://www.w3.org/2000/svg"><text y="12">%s</text></svg>' % label


def sound():
    samples = bytes([128, 255, 128, 0])
    chunk = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    chunk += b"data" + struct.pack("<I", len(samples)) + samples
    return list(b"RIFF" + struct.pack("<I", len(chunk)) + chunk)


def archive():
    return [0, 1, 254, 255]


def note(title):
    return '# %s\n\nA "quoted" line.\n' % title


def factorial(n):
    return math.factorial(n)


def square(n):
    return {"n": n, "square": n * n}


def limits():
    return {"low": -math.inf, "high": math.inf, "none": math.nan}


def echo(text):
    return text


def fail(reason):
    raise ValueError(reason)


def nap(seconds):
    time.sleep(seconds)
    return seconds
