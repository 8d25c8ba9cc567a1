"""What the program stats does in C++ (stats.hpp), and its command that uses both languages."""

import stats


def sum_of(values):
    total = 0.0
    for value in values:
        total += value
    return total


def scale_by(factor, values):
    return [factor * value for value in values]


def mean(values, count):
    return stats.mean_from(sum_of(values), count)
