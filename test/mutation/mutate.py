#!/usr/bin/env python3
"""Mutation recall: seeds layout mistakes into a source tree, one at a time, and
counts which of them the checks report.

  mutate.py list TREE... > mutants.tsv            writes the mutants, by text alone
  mutate.py run mutants.tsv TREE... [--tool T] [--jobs N] [--limit N]
            [-- COMPILER FLAGS]                   lints each mutant
  mutate.py show mutants.tsv TREE N               prints mutant N as a diff

A mutant is one of

  drop-contiguous    x.permute(..).contiguous().view(..)  loses its contiguous()
  reshape-to-view    x.transpose(..).reshape(..)          becomes view(..)
  add-contiguous     torch::zeros(..) and other fresh, dense values get .contiguous()
  sink-allocation    an allocation in front of a loop moves into its body
  ggml-drop-cont     ggml_reshape_2d(c, ggml_cont(c, x), ..) loses its cont;
                     ggml_cont_2d(c, x, ..) becomes ggml_reshape_2d
  ggml-add-cont      y = ggml_mul_mat(..) becomes y = ggml_cont(c, ggml_mul_mat(..))

`list` never asks the analyzer. Beside each mutant it notes where the tensor
comes from, by following names backwards through the function's text:
  created    a factory or computation of the same function
  opaque     a parameter, a member or something the text does not show
and, for the first two and ggml-drop-cont, whether the text shows a layout change
(permute, transpose ...) in the same function: without one the contiguous() was
only a precaution, and its loss no mistake for contiguous input.
A mutant is caught when its check reports, on a line of the changed expression,
something it does not report on the unchanged file. The first line that differs
from a compile error is none: a mutant that does not compile is not counted.
"""

import argparse
import collections
import concurrent.futures
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = (".cpp", ".cc", ".cxx", ".cu")
LAYOUT = re.compile(r"\.\s*(permute|transpose|t|mT|numpy_T|swapaxes|movedim|unfold|expand|diagonal)\s*\(|"
                    r"\b(?:torch|at)::(?:permute|transpose|movedim)\s*\(|ggml_(?:permute|transpose|view_[234]d)\s*\(")
FRESH = (r"zeros|ones|empty|full|rand|randn|arange|matmul|mm|bmm|cat|stack|sum|softmax|zeros_like|linspace|eye")
GGML_DENSE = "mul_mat|reshape_[1234]d|concat|get_rows"
CHECK = {
    "drop-contiguous": "tensor-view-after-permute",
    "reshape-to-view": "tensor-view-after-permute",
    "ggml-drop-cont": "tensor-view-after-permute",
    "add-contiguous": "tensor-redundant-contiguous",
    "ggml-add-cont": "tensor-redundant-contiguous",
    "sink-allocation": "tensor-allocation-in-loop",
}

Mutant = collections.namedtuple("Mutant", "kind file line origin change begin end text")


def blank(text):
    """The text with comments and string contents as spaces, of equal length."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', spaces, text, flags=re.S)


def closing(code, at):
    """Index after the bracket that closes the one at `at`, or -1."""
    pairs, stack = {"(": ")", "[": "]", "{": "}"}, []
    for i in range(at, len(code)):
        c = code[i]
        if c in pairs:
            stack.append(pairs[c])
        elif c in ")]}":
            if not stack or stack.pop() != c:
                return -1
            if not stack:
                return i + 1
    return -1


def object_before(code, dot):
    """Start of the postfix expression that ends before the `.` at `dot`."""
    i = dot
    while i > 0:
        j = i
        while j > 0 and code[j - 1].isspace():
            j -= 1
        if j > 0 and code[j - 1] in ")]}":
            depth = 0
            while j > 0:
                j -= 1
                if code[j] in ")]}":
                    depth += 1
                elif code[j] in "([{":
                    depth -= 1
                    if depth == 0:
                        break
            i = j
            continue
        k = j
        while k > 0 and (code[k - 1].isalnum() or code[k - 1] in "_"):
            k -= 1
        if k < j and code[k:j] not in ("return", "else", "case"):
            i = k
            before = code[:k].rstrip()
            if before.endswith(("::", "->", ".")):
                i = len(before) - (1 if before.endswith(".") else 2)
                continue
            return k
        return i
    return i


class Source:
    def __init__(self, path):
        with open(path, errors="surrogateescape") as f:
            self.text = f.read()
        self.code = blank(self.text)
        self.functions = []
        for match in re.finditer(r"\)\s*(?:const|noexcept|override|final|->\s*[\w:<>, ]+|:\s*[^;{}]*\)|\s)*\{", self.code):
            brace = match.end() - 1
            end = closing(self.code, brace)
            start = match.start()
            head = re.search(r"(\w+)\s*\([^;{}]*$", self.code[max(0, start - 3000):start + 1])
            if end > 0 and head and head.group(1) not in ("if", "for", "while", "switch", "catch"):
                self.functions.append((start - len(head.group(0)), brace, end))

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def function(self, at):
        """Innermost (start of head, body, end) around a position, or None."""
        inside = [f for f in self.functions if f[1] < at < f[2]]
        return max(inside, key=lambda f: f[1]) if inside else None

    def chain(self, start, end):
        """The expression and what its names were defined as before, as text."""
        function = self.function(start)
        out = [self.code[start:end]]
        while function and len(out) < 12:
            root = re.match(r"\s*(?:ggml_\w+\s*\(\s*[\w.>-]+\s*,\s*)*(\w+)", out[-1])
            if not root:
                break
            earlier = None
            for d in re.finditer(r"(?<![\w.>])%s\s*=(?!=)\s*" % re.escape(root.group(1)), self.code[function[1]:start]):
                stop = self.code.find(";", function[1] + d.end())
                if stop < start:
                    earlier = (function[1] + d.end(), stop)
            if not earlier:
                break
            start = earlier[0]
            out.append(self.code[earlier[0]:earlier[1]])
        return out

    def notes(self, start, end):
        texts = self.chain(start, end)
        change = "changed" if any(LAYOUT.search(t) for t in texts) else "plain"
        last = texts[-1].strip()
        created = re.match(r"(?:torch|at)::(?:\w+::)*\w+\s*\(|ggml_(?!view|permute|reshape|cont|transpose)\w+\s*\(", last)
        return ("created" if created else "opaque"), change

    def edit(self, kind, path, at, end, text, span, noted=True):
        origin, change = self.notes(*span) if noted else ("created", "-")
        return Mutant(kind, path, self.line(at), origin, change, at, end, text)

    def mutants(self, path):
        code = self.code
        for m in re.finditer(r"\.\s*contiguous\s*\(\s*\)", code):
            span = (object_before(code, m.start()), m.start())
            direct = re.match(r"\s*\.\s*view\s*\(", code[m.end():])
            named = re.search(r"(\w+)\s*=\s*$", code[:span[0]])
            function = self.function(m.start())
            later = (named and function and re.match(r"\s*;", code[m.end():]) and
                     re.search(r"(?<![\w.>])%s\s*\.\s*view\s*\(" % named.group(1), code[m.end():function[2]]))
            if direct or later:
                yield self.edit("drop-contiguous", path, m.start(), m.end(), "", span)
        for m in re.finditer(r"\.\s*(reshape)\s*\(", code):
            span = (object_before(code, m.start()), m.start())
            mutant = self.edit("reshape-to-view", path, m.start(1), m.end(1), "view", span)
            if mutant.change == "changed":
                yield mutant
        for m in re.finditer(r"=\s*((?:torch|at)::(?:%s)\s*\()" % FRESH, code):
            end = closing(code, m.end() - 1)
            if end > 0 and self.function(m.start()) and re.match(r"\s*;", code[end:]):
                yield self.edit("add-contiguous", path, end, end, ".contiguous()", (m.start(1), end), False)
        for m in re.finditer(r"\n([ \t]*)((?:auto|(?:torch::|at::)?Tensor)\s+(\w+)\s*=\s*(?:torch|at)::(?:zeros|ones|empty|full)\s*\()", code):
            yield from self.sink(path, m)
        for m in re.finditer(r"ggml_cont(_[234]d)?\s*\(", code):
            yield from self.ggml_drop(path, m)
        for m in re.finditer(r"=\s*(ggml_(?:%s)\s*\(\s*(\w[\w.>-]*)\s*,)" % GGML_DENSE, code):
            end = closing(code, code.index("(", m.start(1)))
            if end > 0 and re.match(r"\s*;", code[end:]) and self.function(m.start()):
                yield self.edit("ggml-add-cont", path, m.start(1), end,
                                "ggml_cont(%s, %s)" % (m.group(2), self.text[m.start(1):end]), (m.start(1), end), False)

    def sink(self, path, m):
        """A declaration that only one later loop of the same block uses."""
        code, name = self.code, m.group(3)
        end = closing(code, m.end() - 1)
        function = self.function(m.start(2))
        if end < 0 or not function or not re.match(r"\s*;", code[end:]):
            return
        end = code.index(";", end) + 1
        uses = re.compile(r"(?<![\w.>])%s\b" % name)
        first = uses.search(code, end, function[2])
        at = end
        while first and at < first.start():
            step = re.compile(r"[{(}]").search(code, at)
            if not step or step.group(0) == "}":
                return
            close = closing(code, step.start())
            if re.search(r"\bfor\s*$", code[:step.start()]):
                brace = re.match(r"\s*\{", code[close:])
                stop = closing(code, close + brace.end() - 1) if brace else -1
                if stop < 0 or first.start() < close + brace.end():
                    return
                if first.start() < stop:
                    break
                close = stop
            at = close
        else:
            return
        body = close + brace.end()
        if uses.search(code, stop, function[2]):
            return
        # What the arguments name must not change in the loop.
        declaration = self.text[m.start(2):end]
        for word in set(re.findall(r"\b[a-z_]\w*\b", code[m.end():end])):
            if re.search(r"(?<![\w.>])%s\s*(?:=(?!=)|\+\+|--|[-+*/]=)|(?:\+\+|--)\s*%s\b" % (word, word), code[body:stop]):
                return
        loop_text = self.text[end:body]
        yield self.edit("sink-allocation", path, m.start(2), body, loop_text.strip() + "\n" + m.group(1) + "  " + declaration,
                        (m.start(2), end), False)

    def ggml_drop(self, path, m):
        code = self.code
        end = closing(code, m.end() - 1)
        comma = code.find(",", m.end())
        if end < 0 or not 0 < comma < end or not self.function(m.start()):
            return
        if m.group(1):
            yield self.edit("ggml-drop-cont", path, m.start(), m.start() + len("ggml_cont"), "ggml_reshape",
                            (comma + 1, end - 1))
            return
        if re.search(r"ggml_reshape_[1234]d\s*\(\s*[\w.>-]+\s*,\s*$", code[:m.start()]):
            yield self.edit("ggml-drop-cont", path, m.start(), end, self.text[comma + 1:end - 1].strip(), (comma + 1, end - 1))


def relative(path, tree):
    return os.path.relpath(path, tree)


def list_mutants(trees):
    print("# kind\ttree\tfile\tline\torigin\tlayout\tbegin\tend\ttext")
    for number, tree in enumerate(trees):
        for base, _, names in sorted(os.walk(tree)):
            for name in sorted(names):
                path = os.path.join(base, name)
                if not name.endswith(SOURCES) or os.path.getsize(path) > 2_000_000:
                    continue
                for m in Source(path).mutants(relative(path, tree)):
                    print(m.kind, number, m.file, m.line, m.origin, m.change, m.begin, m.end, repr(m.text), sep="\t")


def read_list(path):
    out = []
    with open(path) as f:
        for row in f:
            if row.startswith("#"):
                continue
            kind, number, file, line, origin, change, begin, end, text = row.rstrip("\n").split("\t")
            out.append((int(number), Mutant(kind, file, int(line), origin, change, int(begin), int(end), eval(text, {}))))
    return out


def apply(mutant, text):
    return text[:mutant.begin] + mutant.text + text[mutant.end:]


def lint(tool, path, flags):
    run = subprocess.run([tool, "--quiet", path, "--"] + flags, capture_output=True, text=True, errors="replace")
    found = []
    for row in run.stdout.splitlines():
        m = re.match(r"(.*?):(\d+):\d+: warning: (.*) \[(tensor-[\w-]+)\]", row)
        if m and os.path.basename(m.group(1)) == os.path.basename(path):
            found.append((m.group(4), int(m.group(2)), m.group(3)))
    errors = len(re.findall(r": error: ", run.stdout))
    return found, errors


def run_mutants(arguments):
    rows = read_list(arguments.list)
    if arguments.limit:
        step = max(1, len(rows) // arguments.limit)
        rows = rows[::step]
    with tempfile.TemporaryDirectory() as scratch:
        # A copy a worker, so that files can change under it.
        copies = []
        for worker in range(arguments.jobs):
            copy = [os.path.join(scratch, str(worker), str(i)) for i in range(len(arguments.trees))]
            for tree, to in zip(arguments.trees, copy):
                shutil.copytree(tree, to)
            copies.append(copy)
        free, before = list(range(arguments.jobs)), {}

        def flags_for(copy):
            return [re.sub(r"TREE(\d+)", lambda m: copy[int(m.group(1))], f) for f in arguments.flags]

        def one(row):
            number, mutant = row
            worker = free.pop()
            try:
                copy = copies[worker]
                path = os.path.join(copy[number], mutant.file)
                with open(path, errors="surrogateescape") as f:
                    text = f.read()
                key = (number, mutant.file)
                if key not in before:
                    before[key] = lint(arguments.tool, path, flags_for(copy))
                changed = apply(mutant, text)
                with open(path, "w", errors="surrogateescape") as f:
                    f.write(changed)
                try:
                    found, errors = lint(arguments.tool, path, flags_for(copy))
                finally:
                    with open(path, "w", errors="surrogateescape") as f:
                        f.write(text)
            finally:
                free.append(worker)
            if errors > before[key][1]:
                return row, "broken", ""
            old = collections.Counter((c, t) for c, _, t in before[key][0])
            new = []
            for check, line, message in found:
                if old[(check, message)] > 0:
                    old[(check, message)] -= 1
                else:
                    new.append((check, line, message))
            mine = [f for f in new if f[0] == CHECK[mutant.kind]]
            other = [f for f in new if f[0] != CHECK[mutant.kind]]
            answer = "caught" if mine else "other" if other else "missed"
            return row, answer, "; ".join("%s:%d: %s" % f for f in mine or other)

        results = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for row, answer, why in pool.map(one, rows):
                number, m = row
                print(answer, m.kind, m.origin, m.change, "%d:%s:%d" % (number, m.file, m.line), why, sep="\t", flush=True)
                results.append((m, answer))
    summary(results)


def summary(results):
    def share(name, rows):
        rows = [r for r in rows if r[1] != "broken"]
        caught = sum(r[1] == "caught" for r in rows)
        print("# %-44s %4d of %4d caught%s" % (name, caught, len(rows), " (%.0f %%)" % (100 * caught / len(rows)) if rows else ""))
    for kind in CHECK:
        share(kind, [r for r in results if r[0].kind == kind])
    share("tensor created in the same function", [r for r in results if r[0].origin == "created"])
    share("a layout change in the text, or none needed", [r for r in results if r[0].change != "plain"])
    share("all", results)
    print("# %d do not compile" % sum(r[1] == "broken" for r in results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("list")
    p.add_argument("trees", nargs="+")
    p = commands.add_parser("run")
    p.add_argument("list")
    p.add_argument("trees", nargs="+")
    p.add_argument("--tool", default="build/bin/tensortidy")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--limit", type=int, default=0)
    p = commands.add_parser("show")
    p.add_argument("list")
    p.add_argument("tree")
    p.add_argument("number", type=int)
    words = sys.argv[1:]
    flags = words[words.index("--") + 1:] if "--" in words else []
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    arguments.flags = flags
    if arguments.command == "list":
        list_mutants(arguments.trees)
    elif arguments.command == "run":
        run_mutants(arguments)
    else:
        _, mutant = read_list(arguments.list)[arguments.number]
        with open(os.path.join(arguments.tree, mutant.file), errors="surrogateescape") as f:
            text = f.read()
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), apply(mutant, text).splitlines(True),
                                                   mutant.file, mutant.file, n=1))


if __name__ == "__main__":
    main()
