#!/usr/bin/env python3
"""Compares what the analyzer says of random functions with what they did.

usage: claims.py FUNCTIONS.cpp FINDINGS [LEAST]

FUNCTIONS.cpp is what claims-libtorch printed, FINDINGS the analyzer's output.
A line that is said to throw, and did not, is a false alarm; so is a
contiguous() that is said to do nothing and copied, and a reshape() that is
said to copy and did not. Of the lines that threw in functions without
parameters at least LEAST percent must have a finding.
"""

import re
import sys

FINDING = re.compile(r"^.*?:(\d+):\d+: warning: (.*) \[([\w-]+)\]")


def contradicts(message, check, line):
    """Whether the finding says what the line's comment refutes."""
    if check == "tensor-redundant-contiguous":
        return line.endswith("// copies")
    if check == "tensor-hidden-copy":
        return line.endswith("// view")
    claims = check in ("tensor-shape-mismatch", "tensor-view-after-permute", "tensor-overlapping-write")
    # "throws unless n is 1": it may be, and of a parameter nothing is known.
    return claims and "throws" in message and "unless" not in message and "// throws" not in line


def main():
    lines = open(sys.argv[1]).read().split("\n")
    found = {}
    for text in open(sys.argv[2]):
        if m := FINDING.match(text):
            found.setdefault(int(m[1]), []).append((m[2], m[3]))
    if not found:
        sys.exit("no finding at all")
    bad = 0
    for number, of_line in sorted(found.items()):
        for message, check in of_line:
            if contradicts(message, check, lines[number - 1]):
                bad += 1
                first = max(i for i in range(number) if lines[i].startswith("at::Tensor f"))
                print("\n".join(lines[first:number]))
                print(f"  false: {message} [{check}]\n")
    threw, seen, concrete = 0, 0, False
    for number, line in enumerate(lines, 1):
        if line.startswith("at::Tensor f"):
            concrete = line.endswith("() {")
        elif "// throws" in line and concrete:
            threw += 1
            seen += number in found
            if number not in found:
                print("missed:", line.strip())
    print(f"{len(found)} lines with findings, {bad} false; {seen} of {threw} that throw are found")
    least = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    sys.exit(bad > 0 or 100 * seen < least * threw)


main()
