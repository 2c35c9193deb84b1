#!/usr/bin/env python3
"""Mutation recall: seeds layout mistakes into source trees, one at a time, and
counts which of them the checks report.

  mutate.py list [--limit N] NAME@COMMIT=TREE... > mutants.tsv
  mutate.py run mutants.tsv [--tool T] [--jobs N] [--pch FILE]
            NAME=TREE... [-- COMPILER FLAGS]     (paths into a TREE lead to its copy)
  mutate.py show mutants.tsv NAME=TREE... N       prints mutant N as a diff

A mutant is one of

  drop-contiguous    x.permute(..).contiguous().view(..)  loses its contiguous()
  reshape-to-view    x.transpose(..).reshape(..)          becomes view(..)
  add-contiguous     torch::zeros(..) and other fresh, dense values get .contiguous();
                     so does what is contiguous already, x.contiguous() or a tensor
                     that TORCH_CHECK(x.is_contiguous()) has let through
  sink-allocation    an allocation in front of a loop moves into its body
  ggml-drop-cont     ggml_reshape_2d(c, ggml_cont(c, x), ..) loses its cont;
                     ggml_cont_2d(c, x, ..) becomes ggml_reshape_2d
  ggml-add-cont      y = ggml_mul_mat(..) becomes y = ggml_cont(c, ggml_mul_mat(..)),
                     and ggml_cont(c, x) becomes ggml_cont(c, ggml_cont(c, x))

`list` reads text alone and never asks the analyzer. A row names a place and no
code: kind, repository@commit, path:line, offset, and two notes that come from
following names backwards through the function's text. Where the tensor comes from:
  created    a factory or computation of the same function
  opaque     a parameter, a member or something the text does not show
and, of the kinds that take a contiguous() away, whether the same function shows
a layout change (permute, transpose ...):
  changed    it does
  plain      it does not: the contiguous() is a precaution
--limit takes so many of each kind, evenly. `run` finds the edits again by the
same rules. Its answers:
  caught     the mutant's check says something that it does not say of the file as it is
  other      only another check does
  missed     nothing new
  unbuilt    not counted: the mutant does not compile, or its place is not compiled
             either (inside #if, a missing header, an error in the same function)
  equivalent not counted: no mistake by one of the rules in equivalent()
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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import settings  # noqa: E402,F401 (no result of a former run)

SOURCES = (".cpp", ".cc", ".cxx", ".cu")
HEADERS = (".h", ".hpp", ".cuh", ".inc", ".inl", ".ipp", ".hh")
LAYOUT = re.compile(r"\.\s*(permute|transpose|t|mT|numpy_T|swapaxes|movedim|unfold|expand|diagonal)\s*\(|"
                    r"\b(?:torch|at)::(?:permute|transpose|movedim)\s*\(|ggml_(?:permute|transpose|view_[234]d)\s*\(")
# Contiguous whatever they are given: not zeros_like, sum, cat or matmul.
FRESH = "zeros|ones|empty|full|rand|randn|randint|arange|linspace|eye|mm|bmm"
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

    def checks(self):
        """Macros of this file that demand a contiguous argument, or use one that does."""
        macros = re.findall(r"#[ \t]*define[ \t]+(\w+)\(\s*\w+\s*\)((?:.*\\\n)*.*)", self.text)
        names = {name for name, body in macros if re.search(r"CHECK\s*\(\s*\w+\s*\.\s*is_contiguous\(\)\s*,", body)}
        for _ in macros:
            names |= {name for name, body in macros if any(re.search(r"\b%s\s*\(" % n, body) for n in names)}
        return names

    def notes(self, start, end):
        texts = self.chain(start, end)
        change = "plain"
        for t in texts:
            if LAYOUT.search(t):
                change = "changed"
            if change == "changed" or re.search(r"\bcontiguous\s*\(|ggml_cont", t):
                break  # what went before was made contiguous
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
            if end > 0 and self.function(m.start()) and re.match(r"\s*;", code[end:]) and "format" not in code[m.end():end]:
                yield self.edit("add-contiguous", path, end, end, ".contiguous()", (m.start(1), end), False)
        for m in re.finditer(r"=\s*([^;=]*\.\s*contiguous\s*\(\s*\))\s*;", code):
            if self.function(m.start()):
                yield self.edit("add-contiguous", path, m.end(1), m.end(1), ".contiguous()", (m.start(1), m.end(1)))
        checks = self.checks()
        for m in re.finditer(r"\n[ \t]*(\w+)\s*\(\s*(\w+)(\s*\.\s*is_contiguous\s*\(\s*\))?", code):
            end = closing(code, code.index("(", m.end(1)))
            stop = end + code[end:].find(";") + 1 if end > 0 and re.match(r"\s*;", code[end:]) else -1
            if (self.function(m.start()) and stop > 0 and
                    (m.group(1) == "TORCH_CHECK" and m.group(3) and re.match(r"\s*[,)]", code[m.end():]) or
                     m.group(1) in checks and not m.group(3))):
                yield self.edit("add-contiguous", path, stop, stop, " auto %s_again = %s.contiguous();" % (m.group(2), m.group(2)),
                                (m.start(2), m.end(2)))
        for m in re.finditer(r"\n([ \t]*)((?:const\s+)?(?:auto|(?:torch::|at::)?Tensor)\s+(\w+)\s*=\s*(?:torch|at)::(?:zeros|ones|empty|full|eye|arange|linspace)(?:_like)?\s*\()", code):
            yield from self.sink(path, m)
        for m in re.finditer(r"ggml_cont(_[234]d)?\s*\(", code):
            yield from self.ggml_drop(path, m)
        for m in re.finditer(r"=\s*(ggml_(?:%s)\s*\(\s*(\w[\w.>-]*)\s*,)" % GGML_DENSE, code):
            end = closing(code, code.index("(", m.start(1)))
            if end > 0 and re.match(r"\s*;", code[end:]) and self.function(m.start()):
                yield self.edit("ggml-add-cont", path, m.start(1), end,
                                "ggml_cont(%s, %s)" % (m.group(2), self.text[m.start(1):end]), (m.start(1), end),
                                m.group(1).startswith("ggml_reshape"))

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
        yield self.edit("ggml-add-cont", path, m.start(), end,
                        "ggml_cont(%s, %s)" % (code[m.end():comma].strip(), self.text[m.start():end]), (comma + 1, end - 1))
        if m.group(1):
            yield self.edit("ggml-drop-cont", path, m.start(), m.start() + len("ggml_cont"), "ggml_reshape",
                            (comma + 1, end - 1))
            return
        if re.search(r"ggml_reshape_[1234]d\s*\(\s*[\w.>-]+\s*,\s*$", code[:m.start()]):
            yield self.edit("ggml-drop-cont", path, m.start(), end, self.text[comma + 1:end - 1].strip(), (comma + 1, end - 1))


def trees_of(words):
    """NAME=DIR -> {NAME: DIR}; of NAME@COMMIT=DIR the key is all before the `=`."""
    return dict(word.split("=", 1) for word in words)


def mutants_of(tree):
    for base, _, names in sorted(os.walk(tree)):
        for name in sorted(names):
            path = os.path.join(base, name)
            if name.endswith(SOURCES) and os.path.getsize(path) <= 2_000_000:
                yield from Source(path).mutants(os.path.relpath(path, tree))


def list_mutants(trees, limit):
    rows = collections.defaultdict(list)
    for name, tree in trees.items():
        for m in mutants_of(tree):
            rows[m.kind].append((name, m))
    print("# kind\trepository@commit\tpath:line\toffset\torigin\tlayout")
    for kind, all_rows in rows.items():
        step = max(1, -(-len(all_rows) // limit)) if limit else 1
        for name, m in all_rows[::step]:
            print(kind, name, "%s:%d" % (m.file, m.line), m.begin, m.origin, m.change, sep="\t")


def read_list(path, trees):
    """The rows of a list as (tree's name, mutant), made again from the sources."""
    wanted = []
    with open(path) as f:
        for row in f:
            if not row.startswith("#"):
                kind, name, place, begin = row.split("\t")[:4]
                wanted.append((name.split("@")[0], place.rsplit(":", 1)[0], kind, int(begin)))
    made, out = {}, []
    for name, file, kind, begin in wanted:
        if name not in trees:
            continue
        if (name, file) not in made:
            made[name, file] = {(m.kind, m.begin): m for m in Source(os.path.join(trees[name], file)).mutants(file)}
        if (kind, begin) in made[name, file]:
            out.append((name, made[name, file][kind, begin]))
        else:
            print("# not there: %s of %s" % (kind, file), file=sys.stderr)
    return out


def apply(mutant, text):
    return text[:mutant.begin] + mutant.text + text[mutant.end:]


def equivalent(mutant, source):
    """Why the mutant is no mistake, by its text alone; or nothing."""
    if mutant.kind in ("drop-contiguous", "ggml-drop-cont") and mutant.change == "plain":
        return "no layout change in the function: a precaution"
    if mutant.kind == "ggml-add-cont" and mutant.origin == "opaque" and "ggml_reshape" in mutant.text:
        return "memory from outside the function, which others may write: the copy keeps its values"
    if mutant.kind == "sink-allocation":
        name = re.findall(r"(\w+)\s*=\s*(?:torch|at)::", mutant.text)[-1]
        function = source.function(mutant.begin)
        rest = source.code[mutant.end:function[2]]
        fresh = re.search(r"::empty(_like)?\s*\(", mutant.text)
        written = re.search(r"(?<![\w.>])%s\s*(?:\[[^=;]*\]\s*[-+*/]?=(?!=)|[-+*/]?=(?!=)|\.\s*\w+_\s*\(|\.\s*(?:mutable_)?data\w*\s*[<(]|"
                            r"\.\s*(?:packed_)?accessor)" % name, rest)
        if written and not fresh:
            return "what the loop writes to starts anew each time: another program, maybe the one meant"
    return ""


def lint(tool, path, flags):
    run = subprocess.run([tool, "--quiet", "--timeout=600", path, "--", "-ferror-limit=0"] + flags, capture_output=True, text=True, errors="replace")
    found, errors = [], []
    for row in (run.stdout + run.stderr).splitlines():
        m = re.match(r"(.*?):(\d+):\d+: (warning|error|fatal error): (.*?)(?: \[([\w.-]+)\])?$", row)
        if m and m.group(3) != "warning":
            errors.append((os.path.basename(m.group(1)) == os.path.basename(path), int(m.group(2)),
                           bool(re.search(r"fatal|file not found|too many errors", m.group(3) + m.group(4)))))
        elif m and os.path.basename(m.group(1)) == os.path.basename(path) and (m.group(5) or "").startswith("tensor-"):
            found.append((m.group(5), int(m.group(2)), m.group(4)))
    return found, errors


def header_flags(tree):
    """Each directory with headers, and the one above: projects name either."""
    found = {tree}
    for base, _, names in os.walk(tree):
        if any(n.endswith((".h", ".hpp", ".cuh")) for n in names):
            found |= {base, os.path.dirname(base)}
    return [f for d in sorted(found) if d.startswith(tree) for f in ("-idirafter", d)]


def run_mutants(arguments):
    trees = trees_of(arguments.trees)
    rows = read_list(arguments.list, trees)
    with tempfile.TemporaryDirectory() as scratch:
        # A copy a worker, so that files can change under it.
        copies = []
        for worker in range(arguments.jobs):
            copy = {}
            for name in {name for name, _ in rows}:
                to = os.path.join(scratch, str(worker), name)
                shutil.copytree(trees[name], to, ignore=lambda d, names: [
                    n for n in names if not os.path.isdir(os.path.join(d, n)) and not n.endswith(SOURCES + HEADERS)])
                copy[name] = (to, header_flags(to))
            copies.append(copy)
        free, before = list(range(arguments.jobs)), {}

        def one(row):
            name, mutant = row
            worker = free.pop()
            try:
                tree, headers = copies[worker][name]
                path = os.path.join(tree, mutant.file)
                flags = [f.replace(trees[name], tree) for f in arguments.flags] + headers
                if arguments.pch and not path.endswith(".cu"):
                    flags += ["-include-pch", arguments.pch]
                with open(path, errors="surrogateescape") as f:
                    text = f.read()
                source = Source(path)

                def changed(to):
                    with open(path, "w", errors="surrogateescape") as f:
                        f.write(to)
                    try:
                        return lint(arguments.tool, path, flags)
                    finally:
                        with open(path, "w", errors="surrogateescape") as f:
                            f.write(text)

                why = equivalent(mutant, source)
                if why:
                    return row, "equivalent", why
                key = (name, mutant.file)
                if key not in before:
                    before[key] = lint(arguments.tool, path, flags)
                function = source.function(mutant.begin)
                first, last = source.line(function[0]), source.line(function[2])
                # After a fatal error clang says nothing more, of mutants and probes either.
                if any(fatal or mine and first <= line <= last for mine, line, fatal in before[key][1]):
                    return row, "unbuilt", "the function does not compile as it is"
                found, errors = changed(apply(mutant, text))
                if len(errors) > len(before[key][1]):
                    return row, "unbuilt", "the mutant does not compile"
                old = collections.Counter((c, t) for c, _, t in before[key][0])
                new = []
                for check, line, message in found:
                    if old[check, message] > 0:
                        old[check, message] -= 1
                    else:
                        new.append((check, line, message))
                # A view may stand further down; what is added is said where it stands.
                grown = mutant.text.count("\n")
                if CHECK[mutant.kind] == "tensor-view-after-permute":
                    near = (first, last + grown)
                else:
                    near = (mutant.line - 2, source.line(mutant.end) + grown + 2)
                mine = [f for f in new if f[0] == CHECK[mutant.kind] and near[0] <= f[1] <= near[1]]
                if mine:
                    return row, "caught", "; ".join("%s:%d: %s" % f for f in mine)
                at = mutant.begin
                if len(changed(text[:at] + " no_such_name_ " + text[at:])[1]) <= len(before[key][1]):
                    return row, "unbuilt", "an error there is none: the place is not compiled"
                return row, "other" if new else "missed", "; ".join("%s:%d: %s" % f for f in new)
            finally:
                free.append(worker)

        results = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for row, answer, why in pool.map(one, rows):
                name, m = row
                print(answer, m.kind, m.origin, m.change, "%s/%s:%d" % (name, m.file, m.line), why, sep="\t", flush=True)
                results.append((m, answer))
    summary(results)


def summary(results):
    def share(name, rows):
        counted = [r for r in rows if r[1] in ("caught", "other", "missed")]
        caught = sum(r[1] == "caught" for r in counted)
        percent = " (%.0f %%)" % (100 * caught / len(counted)) if counted else ""
        print("# %-36s %4d mutants, %4d built and a mistake, %4d caught%s" % (name, len(rows), len(counted), caught, percent))
    for kind in CHECK:
        if any(r[0].kind == kind for r in results):
            share(kind, [r for r in results if r[0].kind == kind])
            share("  created in the same function", [r for r in results if r[0].kind == kind and r[0].origin == "created"])
    share("all", results)
    share("  created in the same function", [r for r in results if r[0].origin == "created"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("list")
    p.add_argument("trees", nargs="+")
    p.add_argument("--limit", type=int, default=0)
    p = commands.add_parser("run")
    p.add_argument("list")
    p.add_argument("trees", nargs="+")
    p.add_argument("--tool", default="build/bin/tensortidy")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--pch", help="a precompiled header for the files that are not CUDA")
    p = commands.add_parser("show")
    p.add_argument("list")
    p.add_argument("tree")
    p.add_argument("number", type=int)
    words = sys.argv[1:]
    flags = words[words.index("--") + 1:] if "--" in words else []
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    arguments.flags = flags
    if arguments.command == "list":
        list_mutants(trees_of(arguments.trees), arguments.limit)
    elif arguments.command == "run":
        run_mutants(arguments)
    else:
        trees = trees_of([arguments.tree])
        name, mutant = read_list(arguments.list, trees)[arguments.number]
        with open(os.path.join(trees[name], mutant.file), errors="surrogateescape") as f:
            text = f.read()
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), apply(mutant, text).splitlines(True),
                                                   mutant.file, mutant.file, n=1))


if __name__ == "__main__":
    main()
