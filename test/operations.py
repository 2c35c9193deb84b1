#!/usr/bin/env python3
"""operations.py OPS.def PAGE [--update]: whether the page's tables of operations
are those of Ops.def; with --update, they are made so.

  TENSORTIDY_OP(Narrow, "narrow", View, "self dim start length",
                "a range of one dimension")
  becomes    | `narrow` | `self dim start length` | a range of one dimension |
"""

import re
import sys

OP = re.compile(r'TENSORTIDY_OP\(\w+,\s*"(\w+)",\s*\w+,\s*("(?:[^"\\]|\\.)*"),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.S)
BEGIN, END = "<!-- operations: made by test/operations.py -->\n", "<!-- end of operations -->\n"


def text(literals):
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literals)
    return re.sub(r"\\(.)", r"\1", "".join(parts))


def tables(source):
    """The tables, one for each section of Ops.def."""
    out, count = [], 0
    for section in re.split(r"^// --- ", source, flags=re.M)[1:]:
        title = section.partition(" ---")[0]
        rows = OP.findall(section)
        count += len(rows)
        if not rows:
            continue
        out += ["", "### " + title[0].upper() + title[1:], "", "| operation | operands | what it is |", "|---|---|---|"]
        for name, operands, what in rows:
            cells = [f"`{name}`", f"`{text(operands)}`" if text(operands) else "", text(what).replace("|", "\\|")]
            out.append("| " + " | ".join(cells) + " |")
    if count != len(re.findall(r"^TENSORTIDY_OP\(", source, re.M)):
        sys.exit("an operation of Ops.def cannot be read")
    return "\n".join(out) + "\n\n"


def main():
    source, page = open(sys.argv[1]).read(), open(sys.argv[2]).read()
    before, begin, rest = page.partition(BEGIN)
    old, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{sys.argv[2]} has no '{BEGIN.strip()}' ... '{END.strip()}'")
    new = tables(source)
    if "--update" in sys.argv:
        open(sys.argv[2], "w").write(before + BEGIN + new + END + after)
    elif old != new:
        sys.exit(f"{sys.argv[2]} has other operations than {sys.argv[1]}: run test/operations.py with --update")


main()
