#!/usr/bin/env python3
#
# Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of layouts and lifetimes on the pages.

  draw.py TENSORTIDY            draws them all anew
  draw.py TENSORTIDY --check    says which would change; exit status 1 if one would

A picture of a layout is named on its page together with the command that draws it:

  ![what it shows](../images/checks/NAME.svg)

  `tensortidy explain "[3,4] t()" --svg NAME.svg`

Pictures of lifetimes are described below, under LIFETIMES.
"""

import glob
import html
import os
import re
import subprocess
import sys
import tempfile

DOCS = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
PICTURE = re.compile(r'^!\[[^\]]*\]\(([^)\s]+\.svg)\)\n\n`tensortidy explain "([^"]+)" --svg ([\w.-]+)`$', re.M)

# A program's lines; then what lives while it runs: a name, its first and last line (from 1), whether it ends there. A
# use after the end of what is pointed to is named by its line.
LIFETIMES = {
    "images/checks/tensor-dangling-data-pointer.svg": (
        ["const float *p = x.contiguous().data_ptr<float>();", "launch(p, x.numel());"],
        [("the copy", 1, 1, True), ("p", 1, 2, False)],
        (2, "p points to memory that was freed at the end of line 1"),
    ),
    "images/checks/tensor-from-blob-lifetime.svg": (
        ["at::Tensor load() {", "  std::vector<float> v = read();", "  auto t = torch::from_blob(v.data(), {2, 3});",
         "  return t;", "}", "auto y = load() + 1;"],
        [("v's memory", 2, 5, True), ("the tensor", 3, 6, False)],
        (6, "the tensor outlives the memory it borrows"),
    ),
    "images/checks/tensor-inplace-on-saved.svg": (
        ["auto y = w.sigmoid();", "y.mul_(2);", "y.sum().backward();"],
        [("y for the gradient", 1, 2, True), ("the graph", 1, 3, False)],
        (3, "backward() needs y as line 1 left it"),
    ),
}
CHAR, LINE, MARGIN, COLUMN = 7.3, 26, 20, 150


def lifetimes(lines, bars, use):
    left = MARGIN + CHAR * max(len(line) for line in lines) + 10
    top = MARGIN + 34
    width = left + COLUMN * len(bars) + MARGIN
    last, words = use
    width = max(width, MARGIN * 2 + CHAR * (len(words) + 12))
    height = top + LINE * len(lines) + 40
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
           'font-family="ui-monospace, DejaVu Sans Mono, monospace" font-size="12">' % (width, height, width, height),
           '<rect width="100%" height="100%" fill="white"/>']

    def text(x, y, words, colour="#1b1f24", anchor="start"):
        out.append('<text x="%.0f" y="%.0f" fill="%s" text-anchor="%s" xml:space="preserve">%s</text>' % (
            x, y, colour, anchor, html.escape(words, quote=False)))

    for number, line in enumerate(lines, 1):
        y = top + LINE * (number - 1)
        if number == last:
            out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="#ffebe9"/>' % (
                MARGIN - 8, y, width - 2 * MARGIN + 16, LINE))
        text(MARGIN, y + 17, str(number), "#57606a")
        text(MARGIN + 24, y + 17, line)
    for at, (name, first, end, dies) in enumerate(bars):
        x = left + COLUMN * at + COLUMN / 2
        y0, y1 = top + LINE * (first - 1) + 6, top + LINE * end - 6
        text(x, top - 12, name, "#57606a", "middle")
        colour = "#57606a" if dies else "#c23b4b"
        out.append('<rect x="%.0f" y="%d" width="10" height="%d" rx="5" fill="%s"/>' % (x - 5, y0, y1 - y0, colour))
        if dies:
            out.append('<path d="M%.0f,%d h24" stroke="%s" stroke-width="2"/>' % (x - 12, y1, colour))
            text(x + 18, y1 + 4, "ends", colour)
    text(MARGIN, height - 16, "line %d: %s" % (last, words), "#c23b4b")
    out.append("</svg>")
    return "\n".join(out) + "\n"


def drawn(tool, question):
    with tempfile.TemporaryDirectory() as scratch:
        path = scratch + "/picture.svg"
        run = subprocess.run([tool, "explain", question, "--svg", path], capture_output=True, text=True)
        if not os.path.exists(path):
            sys.exit("tensortidy explain %r draws nothing:\n%s%s" % (question, run.stdout, run.stderr))
        with open(path) as file:
            return file.read()


def pictures(tool):
    """(file below docs/, its text) of each."""
    for path, (lines, bars, use) in LIFETIMES.items():
        yield path, lifetimes(lines, bars, use)
    for page in sorted(glob.glob(DOCS + "/**/*.md", recursive=True)):
        with open(page) as file:
            for path, question, name in PICTURE.findall(file.read()):
                path = os.path.relpath(os.path.join(os.path.dirname(page), path), DOCS)
                if os.path.basename(path) != name:
                    sys.exit("%s: the command below %s draws %s" % (page, path, name))
                yield path, drawn(tool, question)


def main():
    tool, check = sys.argv[1], sys.argv[2:] == ["--check"]
    kept = changed = 0
    for path, text in pictures(tool):
        place = os.path.join(DOCS, path)
        old = None
        if os.path.exists(place):
            with open(place) as file:
                old = file.read()
        if text == old:
            kept += 1
            continue
        changed += 1
        print(path + (": is not what is drawn now; run docs/images/draw.py" if check else ""))
        if not check:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w") as file:
                file.write(text)
    print("%d pictures, %d %s" % (kept + changed, changed, "differ" if check else "drawn"))
    return 1 if check and changed or not kept + changed else 0


sys.exit(main())
