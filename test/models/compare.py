#!/usr/bin/env python3
"""compare.py REAL LAYOUTS [OPERATIONS]: what models.cpp printed on libtorch, and
`tensortidy --print-layouts` on it. Whatever the analysis claims must be so;
what Operations.inc demands must be claimed of a contiguous input."""

import re
import sys


def real(path):
    cases = {}
    for row in open(path):
        m = re.match(r"(\w+) (\d+) (\d) (\d) (\[.*\]) strides (\[.*\])", row)
        if m:
            cases[m[1], int(m[2])] = (int(m[3]), m[4] == "1", m[5], m[6])
    return cases


def claims(path):
    function, consts, layouts, shown = "", {}, {}, {}
    for row in open(path):
        if m := re.match(r'function "(\w+)', row):
            function, consts, layouts = m[1], {}, {}
        elif m := re.match(r"\s+%(\d+) = const (\d+)", row):
            consts[m[1]] = int(m[2])
        elif m := re.match(r"\s+# %(\d+): (?:varies|(.*) storage ([%$a-z]\S*).*)$", row):
            layouts[m[1]] = (m[2] or "unknown", m[3])
        elif re.match(r"\s+# ", row):
            sys.exit(f"not a layout: {row}")
        elif m := re.match(r'\s+opaque "show" (.*?)(?: \[.*\])?(?: ;.*)?$', row):
            args = re.findall(r"%(\d+)", m[1])
            line, result, x = consts[args[-4]], args[-2], args[-1]
            shown[function, line] = layouts.get(result, ("unknown", None)), layouts.get(x)
    return shown


def numbers(text):
    return [n.strip() for n in text.strip("[]").split(",") if n.strip()]


def agree(claim, truth):
    claim, truth = numbers(claim), numbers(truth)
    return len(claim) == len(truth) and all(not c.lstrip("-").isdigit() or c == t for c, t in zip(claim, truth))


def strides_agree(claim, truth, sizes):
    """Strides of size-1 dimensions mean nothing, and none of an empty tensor do."""
    claim, truth, sizes = numbers(claim), numbers(truth), numbers(sizes)
    return "0" in sizes or all(not c.isdigit() or c == t or s == "1" for c, t, s in zip(claim, truth, sizes))


def dense(sizes, strides):
    step, ok = 1, True
    for n, t in reversed(list(zip(map(int, numbers(sizes)), map(int, numbers(strides))))):
        ok = ok and (n == 1 or t == step)
        step *= n
    return ok or step == 0


def main():
    truth, said = real(sys.argv[1]), claims(sys.argv[2])
    rows = open(sys.argv[3]).read().split("\n")
    bad = known = 0
    for (function, line), (required, shares, sizes, strides) in sorted(truth.items()):
        if (function, line) not in said:
            problem = "not analysed"
        else:
            (layout, storage), x = said[function, line]
            m = re.match(r"(\[.*\]) strides (.*)", layout)
            problem = ""
            have = 0
            if m:
                unknown = any(not n.lstrip("-").isdigit() for n in numbers(m[1]))
                have = 0 if unknown else 1 if "?" in m[2] else 2
                counted = "..." not in m[1]
                if counted and not agree(m[1], sizes):
                    problem = "wrong sizes"
                elif m[2] == "contiguous" and not dense(sizes, strides):
                    problem = "not contiguous"
                elif counted and m[2] != "contiguous" and not strides_agree(m[2], strides, sizes):
                    problem = "wrong strides"
            if shares and x and storage and storage != x[1]:
                problem = "shares storage"
            known += have == 2
            if not problem and function == "contiguous" and have < required and "?" not in rows[line - 1][-4:]:
                # Numbers that depend on the values are no more than there.
                data = re.search(r"nonzero|argwhere|_unique|bincount|masked_select", rows[line - 1])
                if not data:
                    problem = "not known"
        if problem:
            bad += 1
            print(f"{function}: {rows[line - 1]}: {problem}: {said.get((function, line))}; "
                  f"libtorch: {sizes} strides {strides}{' shared' if shares else ''}")
    print(f"{len(truth)} results compared, {known} layouts known, {bad} problems")
    sys.exit(bad != 0)


main()
