#!/usr/bin/env python3
"""native.py MODEL CALLS HEADERS [MOST]: the operations of a release of libtorch that have no model.

HEADERS is its ATen/ops, which has a header for each function of native_functions.yaml; CALLS says how often code calls
what. Of those calls at most MOST percent (2) may be of operations that the model does not have. Prints them, the most
frequent first, and how many others there are that none of those projects calls.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
from names import modelled  # noqa: E402

# What the model says of names that have an ending of these, it says of others as well.
ENDINGS = ("_symint", "_outf", "_out", "_")
# Headers beside that of the function itself.
PARTS = re.compile(r"_(native|ops|meta|\w*dispatch)\.h$")


def operations(folder):
    return {name[:-2] for name in os.listdir(folder) if name.endswith(".h") and not PARTS.search(name)}


def has_model(name, names):
    return name in names or any(name.endswith(end) and name[: -len(end)] in names for end in ENDINGS)


def attributed(path):
    """Names of which the model says by attributes what calls do."""
    text = open(path).read()
    text = text[text.index("\nattributes:"):text.index("\noperations:")]
    return {name for group in re.findall(r"names: \[(.*?)\]", text, re.S) for name in re.findall(r"\w+", group)}


def main():
    model, calls, folder = sys.argv[1:4]
    most = float(sys.argv[4]) if len(sys.argv) > 4 else 2
    names, native = modelled(model) | attributed(model), operations(folder)
    if len(native) < 1000:
        sys.exit("%s has %d operations: is it libtorch's ATen/ops?" % (folder, len(native)))
    total, missing, called = 0, [], set()
    for row in open(calls):
        if row.startswith("#"):
            continue
        name, count = row.split()
        if not has_model(name, native):  # a function of another kind
            continue
        total += int(count)
        called.add(name)
        if not has_model(name, names):
            missing.append((int(count), name))
    for count, name in sorted(missing, reverse=True):
        print("%6d  %s" % (count, name))
    share = 100 * sum(count for count, _ in missing) / total
    rest = [name for name in sorted(native - called) if not has_model(name, names)]
    print("of %d calls of %d operations %.2f %% have no model; of the %d operations that are not called there, %d" % (
        total, len(called), share, len(native - called), len(rest)))
    sys.exit(share > most)


if __name__ == "__main__":
    main()
