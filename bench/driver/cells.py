# SPDX-License-Identifier: MIT
"""Numbers as the tables show them."""

import math
from statistics import median


def number(value, decimals):
    return "–" if value is None else f"{value:,.{decimals}f}"


def significant(value):
    """Three digits."""
    if value == 0:
        return "0"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def spread(values, decimals):
    if not values:
        return "–"
    middle, least, most = (number(value, decimals)
                           for value in (median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least} to {most})"
