#!/usr/bin/env python3
"""Compares what the analyzer says of random functions with what they did.

usage: claims.py FUNCTIONS.cpp FINDINGS [LEAST [LAYOUTS]]

FUNCTIONS.cpp is what claims-libtorch or tensortidy-differential --claims
printed, FINDINGS the analyzer's output, LAYOUTS that of --print-layouts. A line
that is said to throw, and did not, is a false alarm; so is a contiguous() that
is said to do nothing and copied, a reshape() that is said to copy and did not,
and every number in a layout that is another one. Of the lines that threw in
functions without parameters at least LEAST percent must have a finding.
"""

import re
import sys

FINDING = re.compile(r"^.*?:(\d+):\d+: warning: (.*) \[([\w-]+)\]")
FUNCTION = re.compile(r"^[\w:]+ (\w+)\((.*)\) \{")
TENSOR = re.compile(r"(\w+): (\w+) \[(.*?)\], strides \[(.*?)\](?:, offset (\d+))? of (\w+);")
KIND = r"(?: (?!on )([a-z]\w+))?(?: on (\S+))?$"
BELIEF = re.compile(r"\[(.*?)\] strides (\[.*?\]|contiguous) storage [%$a-z]\S*(?: offset (.*?))?" + KIND)
NO_BELIEF = re.compile(r"varies$|unknown storage [%$a-z]\S*" + KIND)


def numbers(text):
    """The expressions of a list: "2, min(a, b)" has two."""
    parts, depth = [], 0
    for part in text.split(", ") if text else []:
        if depth:
            parts[-1] += ", " + part
        else:
            parts.append(part)
        depth += part.count("(") - part.count(")")
    return parts


def dense(sizes, strides):
    step = 1
    for size, stride in reversed(list(zip(sizes, strides))):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


class Tensor:
    """What a line says that a variable is."""

    def __init__(self, m):
        self.dtype, self.offset, self.of = m[2], int(m[5] or 0), m[6]
        self.sizes, self.strides = [int(n) for n in numbers(m[3])], [int(n) for n in numbers(m[4])]

    def __str__(self):
        return f"{self.dtype} {self.sizes} strides {self.strides} offset {self.offset} of {self.of}"

    def problem(self, belief, number):
        """What of the belief is not so; number() is the value of an expression."""
        m = BELIEF.match(belief)
        if not m:
            return ""

        def differ(said, real):
            value = number(said)
            return value is not None and value != real

        said = numbers(m[1])
        counted = "..." not in said
        if counted and (len(said) != len(self.sizes) or any(map(differ, said, self.sizes))):
            return "sizes"
        if not counted:  # what is said from either end
            gap = said.index("...")
            back = len(said) - gap - 1
            # Where a dimension is named, there is taken to be one.
            if not self.sizes:
                return ""
            if len(self.sizes) < back or len(self.sizes) < gap:
                return "sizes"
            if any(map(differ, said[:gap], self.sizes)):
                return "sizes"
            if back and any(map(differ, said[-back:], self.sizes[-back:])):
                return "sizes"
        if m[4] and m[4] != self.dtype:
            return "element type"
        if m[5] and m[5] != "cpu":  # no function moves one
            return "device"
        if 0 in self.sizes:  # nothing is there to be addressed
            return ""
        if m[2] == "contiguous":
            return "" if dense(self.sizes, self.strides) else "strides"
        if counted and any(
            size != 1 and differ(s, real) for s, real, size in zip(numbers(m[2][1:-1]), self.strides, self.sizes)
        ):
            return "strides"
        return "offset" if m[3] and differ(m[3], self.offset) else ""


class Functions:
    def __init__(self, path):
        self.lines = open(path).read().split("\n")
        self.start, self.concrete, self.after = [0], [False], [{}]
        self.shown = set()
        for number, line in enumerate(self.lines, 1):
            start, concrete, state = self.start[-1], self.concrete[-1], self.after[-1]
            if m := FUNCTION.match(line):
                start, concrete, state = number, not m[2], {}
            if changes := {m[1]: Tensor(m) for m in TENSOR.finditer(line.partition("//")[2])}:
                state = {**state, **changes}
            self.start.append(start), self.concrete.append(concrete), self.after.append(state)

    def show(self, number, problem):
        """Prints a problem; how many times (a line may be in several functions)."""
        if (self.lines[number - 1], problem) in self.shown:
            return 0
        self.shown.add((self.lines[number - 1], problem))
        print("\n".join(self.lines[self.start[number] - 1 : number]))
        print(f"  false: {problem}\n")
        return 1

    def threw(self, number):
        return "// throws" in self.lines[number - 1]

    def copied(self, number):
        """Whether the variable a line made has memory of its own; None: no variable."""
        m = re.search(r"auto (\w+) = (\w+)", self.lines[number - 1])
        made, source = (self.after[number].get(name) for name in m.groups()) if m else (None, None)
        return made.of != source.of if made and source else None

    def contradict(self, message, check, number):
        if check == "tensor-redundant-contiguous":
            return self.copied(number) is True
        if check == "tensor-hidden-copy":
            return "shape(" in message and self.copied(number) is False
        claims = check in ("tensor-shape-mismatch", "tensor-view-after-permute", "tensor-overlapping-write")
        # "throws unless n is 1": it may be, and of a parameter nothing is known.
        return claims and "throws" in message and "unless" not in message and not self.threw(number)


def check_layouts(functions, path):
    """How many beliefs were compared, how many are wrong, and the lines that
    have an operand whose sizes or element type are not known."""
    compared = wrong = 0
    unknown = set()
    names, beliefs, loads = {}, {}, {}
    first, told = {}, set()

    def compare(value, name, state, number):
        nonlocal compared, wrong
        belief, tensor = beliefs.get(value), state.get(name)
        if not belief or not tensor:
            return
        compared += 1

        def number_of(said):
            def size(m):
                of = state.get(m[1])
                same = of is not None and str(of) == first.get(m[1]) and int(m[2]) < len(of.sizes)
                return str(of.sizes[int(m[2])]) if same else "unknown"

            text = re.sub(r"(\w+)\.size\((\d+)\)", size, said)
            return eval(text.replace("/", "//")) if re.fullmatch(r"[\d+*/() -]+", text) else None

        problem = tensor.problem(belief, number_of)
        # A slice is taken to be inside of what nobody knows the size of.
        if problem and re.search(r"lice\(|tensor_split", functions.lines[number - 1]) and re.search("size|[.]{3}", belief):
            told.add(name)
        if problem and not told:  # the others may come from it
            told.add(name)
            wrong += functions.show(number, f"{problem} of {name}: {belief}, is {tensor}")

    for row in open(path):
        if m := re.match(r'function "(\w+)"', row):
            names, beliefs, loads, first, told = {}, {}, {}, {}, set()
        elif m := re.match(r'  var \$(\d+) "(\w+)"', row):
            names[m[1]] = m[2]
        elif m := re.match(r"\s+# %(\d+): (.*)", row):
            beliefs[m[1]] = m[2]
            if not BELIEF.match(m[2]) and not NO_BELIEF.match(m[2]):
                sys.exit(f"not a layout: {row}")
            if m[1] in loads:
                name, number = loads[m[1]]
                b = BELIEF.match(m[2])
                if not b or not b[4] or not re.fullmatch(r"[\d, ]*", b[1]):
                    unknown.add(number)
                if not functions.threw(number):
                    compare(m[1], name, functions.after[number - 1], number)
        elif m := re.match(r"\s+%(\d+) = load \$(\d+) ; (\d+)", row):
            loads[m[1]] = names.get(m[2], ""), int(m[3])
            first.setdefault(names.get(m[2], ""), str(functions.after[int(m[3]) - 1].get(names.get(m[2], ""))))
        elif m := re.match(r"\s+store \$(\d+) %(\d+) ; (\d+)", row):
            compare(m[2], names.get(m[1], ""), functions.after[int(m[3])], int(m[3]))
    return compared, wrong, unknown


def main():
    functions = Functions(sys.argv[1])
    found = {}
    for text in open(sys.argv[2]):
        if m := FINDING.match(text):
            found.setdefault(int(m[1]), []).append((m[2], m[3]))
    if not found:
        sys.exit("no finding at all")
    bad = 0
    for number, of_line in sorted(found.items()):
        for message, check in of_line:
            if functions.contradict(message, check, number):
                bad += functions.show(number, f"{message} [{check}]")
    compared, wrong, unknown = check_layouts(functions, sys.argv[4]) if len(sys.argv) > 4 else (0, 0, set())
    threw, seen = 0, 0
    for number, line in enumerate(functions.lines, 1):
        if functions.threw(number) and functions.concrete[number] and number not in unknown:
            threw += 1
            seen += number in found
            if number not in found:
                print("missed:", line.strip())
    print(f"{len(found)} lines with findings, {bad} false; {seen} of {threw} that throw are found")
    if len(sys.argv) > 4:
        print(f"{compared} layouts compared, {wrong} wrong")
    least = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    sys.exit(bad + wrong > 0 or 100 * seen < least * threw)


main()
