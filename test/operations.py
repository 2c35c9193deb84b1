#!/usr/bin/env python3
"""operations.py TABLE.def PAGE [--update]: whether the page's tables of operations
are those of Ops.def, those of attributes of Attributes.def, or what releases of
libtorch changed of Changes.def; with --update, they are made so.

  TENSORTIDY_OP(Narrow, "narrow", View, "self dim start length",
                "a range of one dimension")
  becomes    | `narrow` | `self dim start length` | a range of one dimension |

  TENSORTIDY_ATTRIBUTE(Frees, "frees", Call, "frees what a pointer points to")
  becomes    | `frees` | calls | frees what a pointer points to |

  TENSORTIDY_CHANGE(PreluKeepsOrder, 2, 0, "prelu() keeps the operand's order")
  becomes    | 2.0 | `PreluKeepsOrder` | prelu() keeps the operand's order |
"""

import re
import sys

OP = re.compile(r'TENSORTIDY_OP\(\w+,\s*"(\w+)",\s*\w+,\s*("(?:[^"\\]|\\.)*"),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.S)
ATTRIBUTE = re.compile(r'TENSORTIDY_ATTRIBUTE\(\s*\w+,\s*"(\w+)",\s*(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.S)
CHANGE = re.compile(r'TENSORTIDY_CHANGE\(\s*(\w+),\s*(\d+),\s*(\d+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.S)
# Which statements an attribute is for, by its kind.
WHOSE = {"Type": "operations", "Overlap": "operations", "Gradient": "operations", "Operation": "operations",
         "Call": "other calls", "Any": "both"}


def text(literals):
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literals)
    return re.sub(r"\\(.)", r"\1", "".join(parts))


def operation(row):
    name, operands, what = row
    return f"`{name}`", f"`{text(operands)}`" if text(operands) else "", what


def attribute(row):
    name, kind, what = row
    return f"`{name}`", WHOSE[kind], what


def change(row):
    name, major, minor, what = row
    return f"{major}.{minor}", f"`{name}`", what


def tables(source, pattern, cells_of, head):
    """The tables, one for each section of the file."""
    out, count = [], 0
    for section in re.split(r"^// --- ", source, flags=re.M)[1:]:
        title = section.partition(" ---")[0]
        rows = pattern.findall(section)
        count += len(rows)
        if not rows:
            continue
        out += ["", "### " + title[0].upper() + title[1:], "", head, "|---|---|---|"]
        for row in rows:
            name, middle, what = cells_of(row)
            out.append("| " + " | ".join([name, middle, text(what).replace("|", "\\|")]) + " |")
    if not count or count != len(re.findall(r"^TENSORTIDY_\w+\(", source, re.M)):
        sys.exit("a line of " + sys.argv[1] + " cannot be read")
    return "\n".join(out) + "\n\n"


def main():
    source, page = open(sys.argv[1]).read(), open(sys.argv[2]).read()
    if sys.argv[1].endswith("Attributes.def"):
        what, made = "attributes", (ATTRIBUTE, attribute, "| attribute | of | what it says |")
    elif sys.argv[1].endswith("Changes.def"):
        what, made = "changes", (CHANGE, change, "| since | rule | what it does since then |")
    else:
        what, made = "operations", (OP, operation, "| operation | operands | what it is |")
    first, last = f"<!-- {what}: made by test/operations.py -->\n", f"<!-- end of {what} -->\n"
    before, begin, rest = page.partition(first)
    old, end, after = rest.partition(last)
    if not begin or not end:
        sys.exit(f"{sys.argv[2]} has no '{first.strip()}' ... '{last.strip()}'")
    new = tables(source, *made)
    if "--update" in sys.argv:
        open(sys.argv[2], "w").write(before + first + new + last + after)
    elif old != new:
        sys.exit(f"{sys.argv[2]} has other {what} than {sys.argv[1]}: run test/operations.py with --update")


main()
