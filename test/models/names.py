#!/usr/bin/env python3
"""names.py MODEL NEWER HEADERS...: the names of the model that no header has,
compared with those that NEWER says came with a later release."""

import os
import re
import sys


def modelled(path):
    text = open(path).read()
    text = text[text.index("\noperations:"):]
    names = set()
    for group in re.findall(r"names: \[(.*?)\]\s*(?:,|}|\n)", text, re.S):
        for name in group.split(","):
            name = name.strip().strip('"').split("::")[-1]
            if re.fullmatch(r"\w+", name):
                names.add(name)
    return names


def declared(directories):
    words = set()
    for directory in directories:
        for folder, _, files in os.walk(directory):
            for file in files:
                if file.endswith(".h"):
                    with open(os.path.join(folder, file), errors="replace") as f:
                        words.update(re.findall(r"\w+", f.read()))
    return words


def main():
    newer = set()
    for row in open(sys.argv[2]):
        if not row.startswith("#"):
            newer.update(row.split()[:1])
    here = declared(sys.argv[3:])
    missing = {n for n in modelled(sys.argv[1]) if n not in here}
    for name in sorted(missing - newer):
        print(f"{name}: no header declares it; say in {os.path.basename(sys.argv[2])} which release does")
    for name in sorted(newer - missing):
        print(f"{name}: declared here or not modelled, and yet in {os.path.basename(sys.argv[2])}")
    sys.exit(missing != newer)


if __name__ == "__main__":
    main()
