#!/usr/bin/env python3
"""Swapped sizes and operands in ggml graphs: which of those that ggml aborts on the checks report.

  graphs.py judge GGML_DIR [--cxx CXX] > graphs/swaps.tsv
      builds every graph of graphs/models.cpp with every swap against ggml itself
      (its source tree, the folder with include/ and src/) and notes what it says
  graphs.py run --tool TOOL [--verbose]
      lints one copy of graphs/models.cpp for each row of graphs/swaps.tsv

A swap exchanges two sizes of one ggml_new_tensor_Nd, ggml_reshape_Nd, ggml_cont_Nd
or ggml_view_Nd, or the two operands of one ggml_mul_mat, ggml_add and the like:

  ggml_reshape_3d(ctx, q, n_embd_head, n_head, n)
  ggml_reshape_3d(ctx, q, n_head, n_embd_head, n)     swap n_embd_head and n_head

A row: number, graph, line, what is swapped, and `legal`, the assertion that fails,
or `outside`: a view ends outside its memory. drive.cpp gives sizes that are equal only where they must be, so a swap
that is legal there is legal for these sizes. `run` counts the swaps that are not
legal and of which the tool says something it does not say of the file as it is;
of those that are legal it should say nothing, but that a reshape or the strides of
a view take dimensions for others, which ggml cannot see and is so. It ends with status 1 when a smaller
share of the former is found than --share, or something else is said of the latter.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import settings  # noqa: E402,F401 (no result of a former run)

GRAPHS = os.path.join(HERE, "graphs")
MODELS = os.path.join(GRAPHS, "models.cpp")
SWAPS = os.path.join(GRAPHS, "swaps.tsv")
HEADERS = os.path.join(HERE, "..", "lit", "ggml", "Inputs")
SIZED = re.compile(r"ggml_(?:new_tensor|reshape|cont|view)_([1234])d")
OPERANDS = ("ggml_mul_mat", "ggml_add", "ggml_mul", "ggml_concat", "ggml_cpy", "ggml_get_rows", "ggml_ssm_conv")


def arguments(text, opening):
    """The spans of the arguments of the call whose bracket opens at `opening`, and its end."""
    spans, depth, begin = [], 0, opening + 1
    for at in range(opening, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if depth == 1 and text[at] == "," or depth == 0:
            spans.append((begin, at))
            begin = at + 1
        if depth == 0:
            return spans, at + 1
    raise ValueError("a bracket is open at %d" % opening)


def pairs(name, count):
    """Which arguments of a call may be exchanged."""
    sized = SIZED.fullmatch(name)
    if sized:
        first, sizes = 2, int(sized[1])
        return [(i, j) for i in range(first, first + sizes) for j in range(i + 1, first + sizes)]
    return [(1, 2)] if name in OPERANDS and count >= 3 else []


def swaps(text):
    """Every swap: (graph, line, words, [(span, new text) of the two arguments])."""
    graph, out = "", []
    for m in re.finditer(r"^ggml_tensor \*(\w+)\(|\b(ggml_\w+)\(", text, re.M):
        if m[1]:
            graph = m[1]
            continue
        if text[m.start() - 1] == "*":
            continue
        spans, _ = arguments(text, m.end() - 1)
        for i, j in pairs(m[2], len(spans)):
            one, two = (text[slice(*spans[k])].strip() for k in (i, j))
            if one != two:
                line = text.count("\n", 0, m.start()) + 1
                out.append((graph, line, "%s: %s and %s" % (m[2], " ".join(one.split()), " ".join(two.split())),
                            (m.start(), i, j)))
    return out


def swapped(text, at, i, j):
    """The call at `at` with two arguments exchanged."""
    spans, end = arguments(text, text.index("(", at))
    parts = [text[slice(*s)] for s in spans]
    parts[i], parts[j] = " " + parts[j].strip(), " " + parts[i].strip()
    return text[at:text.index("(", at) + 1] + ",".join(parts) + ")", end


def switched(text, found):
    """The source in which `mutant` says which swap is made."""
    at = {}
    for number, (_, _, _, (start, i, j)) in enumerate(found):
        at.setdefault(start, []).append((number, i, j))

    def call(start):
        """The text of the call at `start`, its own calls switched as well, and where it ends."""
        opening = text.index("(", start)
        spans, end = arguments(text, opening)
        parts = [part(*span) for span in spans]
        head = text[start:opening + 1]
        choice = ""
        for number, i, j in at.get(start, []):
            other = list(parts)
            other[i], other[j] = parts[j], parts[i]
            choice += "mutant == %d ? %s%s) : " % (number, head, ",".join(other))
        whole = head + ",".join(parts) + ")"
        return ("(%s%s)" % (choice, whole) if choice else whole), end

    def part(begin, end):
        out, here = "", begin
        for m in re.finditer(r"\bggml_\w+\(", text[begin:end]):
            start = begin + m.start()
            if start < here or text[start - 1] == "*" and text[start - 2] == " ":
                continue
            new, stop = call(start)
            out += text[here:start] + new
            here = stop
        return out + text[here:end]

    head = text.index("\n\n", text.index("#include <"))
    return text[:head] + "\nextern int mutant;\n" + part(head, len(text))


def judge(ggml, cxx):
    with open(MODELS) as f:
        text = f.read()
    found = swaps(text)
    sources = ["ggml.c", "ggml-quants.c", "ggml-alloc.c", "ggml.cpp", "ggml-threading.cpp", "ggml-backend.cpp",
               "ggml-backend-meta.cpp"]
    with tempfile.TemporaryDirectory() as work:
        objects = []
        flags = ["-O1", "-w", "-D_GNU_SOURCE", '-DGGML_VERSION="-"', '-DGGML_COMMIT="-"',
                 "-I" + os.path.join(ggml, "include"), "-I" + os.path.join(ggml, "src"), "-I" + GRAPHS]
        with open(os.path.join(work, "models.cpp"), "w") as f:
            f.write(switched(text, found))
        paths = [os.path.join(ggml, "src", s) for s in sources]
        for path in [p for p in paths if os.path.exists(p)] + [os.path.join(work, "models.cpp"),
                                                              os.path.join(GRAPHS, "drive.cpp")]:
            objects.append(os.path.join(work, "%d.o" % len(objects)))
            language = ["-x", "c"] if path.endswith(".c") else ["-std=c++17"]
            subprocess.run([cxx, *flags, *language, "-c", path, "-o", objects[-1]], check=True)
        drive = os.path.join(work, "drive")
        subprocess.run([cxx, *objects, "-lpthread", "-lm", "-o", drive], check=True)
        for graph in sorted({s[0] for s in found}):
            subprocess.run([drive, graph], check=True, stdout=subprocess.DEVNULL)
        print("# number\tgraph\tline\tswapped\tverdict of ggml")
        for number, (graph, line, words, _) in enumerate(found):
            run = subprocess.run([drive, graph, str(number)], capture_output=True, text=True)
            failed = re.search(r"GGML_ASSERT\((.*)\) failed", run.stderr + run.stdout)
            if run.returncode not in (0, 3) and not failed:
                sys.exit("swap %d ended with status %d and no assertion" % (number, run.returncode))
            print(number, graph, line, words, failed[1] if failed else "outside" if run.returncode else "legal", sep="\t")


def findings(tool, source, work):
    run = subprocess.run([tool, "--quiet", "--checks=-*,tensor-*", source, "--", "-std=c++17", "-I" + GRAPHS, "-I" + HEADERS],
                         capture_output=True, text=True, cwd=work)
    if "error:" in run.stdout + run.stderr or run.returncode > 1:
        sys.exit("%s does not lint: %s" % (source, run.stdout + run.stderr))
    return sorted(re.sub(r"^\S*?:(\d+:\d+): ", r"\1: ", line) for line in run.stdout.splitlines()
                  if re.search(r": warning: .*\[tensor-", line))


def lint(tool, text, number, swap, work):
    at, i, j = swap[3]
    new, end = swapped(text, at, i, j)
    folder = os.path.join(work, str(number))
    os.mkdir(folder)
    path = os.path.join(folder, "models.cpp")
    with open(path, "w") as f:
        f.write(text[:at] + new + text[end:])
    return findings(tool, path, folder)


def measure(tool, share, verbose):
    with open(MODELS) as f:
        text = f.read()
    with open(SWAPS) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    found = swaps(text)
    if [(s[0], str(s[1]), s[2]) for s in found] != [tuple(r[1:4]) for r in rows]:
        sys.exit("graphs/swaps.tsv was not made of this graphs/models.cpp: run graphs.py judge")
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        before = set(findings(tool, MODELS, work))
        said = list(pool.map(lambda n: lint(tool, text, n, found[n], work), range(len(found))))
    wrong = caught = reported = mixed = 0
    for row, lines in zip(rows, said):
        new = [line for line in lines if line not in before]
        legal = row[4] == "legal"
        if legal and new and all(" keeps the order of the elements" in line or "; its rows overlap" in line for line in new):
            mixed += 1
            new = []
        wrong += not legal
        caught += bool(new) and not legal
        reported += bool(new) and legal
        if verbose or legal and new:
            print("%-8s %s line %s, %s: %s" % ("reported" if legal and new else "caught" if new else "legal" if legal else "missed",
                                              row[1], row[2], row[3], new[0] if new else row[4]))
    legal = len(rows) - wrong
    print("swaps: %d of %d that are not legal are found (%d %%); of %d that are legal %d are found to mix elements up, %d reported "
          "otherwise" % (caught, wrong, 100 * caught // wrong, legal, mixed, reported))
    return caught < share * wrong or reported > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("judge")
    one.add_argument("ggml")
    one.add_argument("--cxx", default="g++")
    two = commands.add_parser("run")
    two.add_argument("--tool", required=True)
    two.add_argument("--share", type=float, default=0.7)
    two.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.command == "judge":
        judge(args.ggml, args.cxx)
        return 0
    return int(measure(os.path.abspath(args.tool), args.share, args.verbose))


if __name__ == "__main__":
    sys.exit(main())
