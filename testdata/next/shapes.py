"""The functions of shapes.json and trees.json, as an author would have written them for the Python
pools of the 0.109 line: an enum is the place of its constructor, a variant is (name, fields).
"""

import os

RED, GREEN, BLUE = range(3)


def paint(color):
    return (color + 1) % 3


def ticket(title, priority):
    return "%s is %s" % (title, ["low", "medium", "high"][priority])


def draw(shape):
    name, fields = shape
    return "%s of %s" % (name, list(fields)) if fields else name


def same(value):
    return value


def tint(item, color, palette):
    return dict(item, color=color if color is not None else palette[-1])


def scene(shapes):
    return {"name": "%d shapes" % len(shapes), "shapes": shapes[::-1]}


def scene_text(shapes):
    return ", ".join(map(draw, shapes))


def checked(text):
    if text == "die":
        os._exit(70)  # as a pool does whose worker has died
    return ("Ok", (int(text),)) if text.isdigit() else ("Err", ("not a number: " + text,))


def grow(levels):
    if levels == 0:
        return ("Leaf", ())
    return ("Node", (float(levels), grow(levels - 1), ("Leaf", ())))


def total(tree):
    name, fields = tree
    return fields[0] + total(fields[1]) + total(fields[2]) if fields else 0.0


def chain(length):
    links = ("Nil", ())
    for i in range(length):
        links = ("Cons", (i, links))
    return links


def count(links):
    n = 0
    while links[1]:
        n, links = n + 1, links[1][1]
    return n
