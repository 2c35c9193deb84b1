#!/usr/bin/env python3
#
# Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Draws terminal output as a picture:
#
#   tensortidy --use-color attention.cpp ... | docs/images/render.py '$ command' > output.svg

import html
import re
import sys

COLOURS = {30: "#6e7681", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff",
           35: "#d2a8ff", 36: "#76e3ea", 37: "#e6edf3"}
CHAR, LINE, MARGIN, WRAP = 7.8, 18, 16, 118


def runs(text):
    """Yields (text, colour, bold) between escape sequences."""
    colour, bold = None, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not codes:
            if part:
                yield part, colour, bold
            continue
        for code in (int(c or 0) for c in codes.group(1).split(";")):
            if code == 0:
                colour, bold = None, False
            elif code == 1:
                bold = True
            elif code in COLOURS:
                colour = COLOURS[code]
            elif 90 <= code <= 97:
                colour = COLOURS[code - 60]


def wrap(line):
    """Cuts a line of runs at WRAP characters, as a terminal does."""
    rows, width = [[]], 0
    for text, colour, bold in line:
        while width + len(text) > WRAP:
            cut = WRAP - width
            rows[-1].append((text[:cut], colour, bold))
            rows.append([])
            text, width = text[cut:], 0
        rows[-1].append((text, colour, bold))
        width += len(text)
    return rows


def main():
    lines = [[("$ " + sys.argv[1][2:] if sys.argv[1].startswith("$ ") else sys.argv[1], "#8b949e", False)]]
    lines += [list(runs(line.rstrip("\n"))) for line in sys.stdin]
    rows = [row for line in lines for row in wrap(line)]
    width, height = 2 * MARGIN + CHAR * WRAP, 2 * MARGIN + LINE * len(rows)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
          f'viewBox="0 0 {width:.0f} {height}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
    print('<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" '
          'fill="#e6edf3" xml:space="preserve">')
    for number, row in enumerate(rows):
        x, y = MARGIN, MARGIN + LINE * number + 13
        for text, colour, bold in row:
            if text.strip():
                style = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if bold else "")
                # The width is stated, so that every font keeps the columns.
                lead = len(text) - len(text.lstrip())
                body = text.strip()
                print(f'<text x="{x + lead * CHAR:.1f}" y="{y}" textLength="{len(body) * CHAR:.1f}"{style}>'
                      f'{html.escape(body)}</text>')
            x += len(text) * CHAR
    print("</g>\n</svg>")


main()
