#!/usr/bin/env python3
"""callees.py: whether the analysis knows callees by their names.

  callees.py LIB [ANALYSIS]

What a call does is said by the models of LIB: an operation, and attributes (lib/Program/Attributes.def). So a
name that a model lists may stand in lib/Analysis as the name of an operand, in a message or in a fix, and is never
compared with the name of a callee; and no C++ of LIB names anything of a library whose images a model describes. Exit
status 1 when one is.
"""

import pathlib
import re
import sys

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Who is given the name of an operand.
OPERAND = re.compile(r"(?:\b(?:findArg|operand|\w+Arg|other|ggmlNeeds|ggmlReads|lastValue|spatialDims|perDim|allSizes|writes|"
                     r"Given|Of|First|Text|InElements|inOrder|of)\s*\([^()\"]*(?:\"\w*\",?\s*)*|"
                     r"\bName\s*[!=]=\s*(?:[^;{}\"]*\?\s*)?|\bTarget == |First\(\{[^}]*|: \{[^}]*|\? \"\w+\"\s*: )$")
# What else such a literal is, by file.
ALLOWED = {
    "Checks/NeedlessCopies.cpp": {"any": "strides are called so", "cpu": "a device", "device": "a message names it", "rows": "strides are called so",
                                  "to": "a message names it"},
    "Transfer/Devices.cpp": {"cpu": "a device", "cuda": "a device", "index": "an operand", "mps": "a device", "t": "a mark"},
    "Transfer/FromBlobOps.cpp": {"cpu": "a device"},
    "Transfer/Overwrite.cpp": {"cpu": "a device"},
    "Checks/LostWrite.cpp": {"index_put_": "a fix writes it"},
    "Checks/ValueDomain.cpp": {"pad": "variables are called so"},
    "Checks/RedundantClone.cpp": {"clone": "a fix writes it"},
    "Borrow/MemoryLoan.cpp": {"cpu": "a device"},
    "Checks/FromBlobLifetime.cpp": {"push_back": "a message names what grows"},
    "Checks/ViewAfterPermute.cpp": {"reshape": "a fix writes it", "reshape_as": "a fix writes it",
                                    "view": "a message names it", "view_as": "a message names it"},
    "Checks/MemoryFormat.cpp": {"contiguous": "a fix writes it, and a format is called so"},
    "Checks/RawPointerLayout.cpp": {"contiguous": "a fix writes it"},
    "Checks/RedundantContiguous.cpp": {"contiguous": "a message names it"},
    "Transfer/Ggml.cpp": {"contiguous": "a packing is called so", "ne": "a field", "rows": "a packing is called so",
                          "cpu": "a word of `needs_X`", "any": "a word of `strides_X`"},
    "Transfer/Describe.cpp": {"contiguous": "a format is called so", "[]": "a message writes an empty list"},
    "Domain/Identity.cpp": {"any": "the text of a key"},
    "Domain/Join.cpp": {"ne": "a message names the field"},
    "Transfer/Comparisons.cpp": {"eq": "the text of a key"},
    "Domain/State.cpp": {"var": "the text of a key"},
    "Transfer/Transfer.cpp": {"var": "the text of a key"},
    "Transfer/Traversal.cpp": {"channels": "formats are called so"},
    "Transfer/Needs.cpp": {"index": "an operand"},
    "Transfer/Promotion.cpp": {"options": "an operand"},
    "Checks/SyncInLoop.cpp": {"cpu": "a device"},
    "Checks/UnsynchronizedTiming.cpp": {"cuda": "a device"},
    "Transfer/BlobMemory.cpp": {"[]": "an array, made with new"},
    "Transfer/Images.cpp": {"channels": "a size is called so", "cpu": "a device"},
}


def strings(text, key):
    """What the lists or values of this key hold."""
    for flow in re.findall(r"\b%s:\s*\[((?:\"[^\"]*\"|[^\]\"])*)\]" % key, text):
        for quoted, plain in re.findall(r'"([^"]*)"|([^\s,"]+)', flow):
            yield quoted or plain


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: " " * len(match.group()), text, flags=re.S)


def callees(lib):
    names = set()
    for path in sorted(lib.glob("Frontend/models/*.yaml")):
        text = "\n".join(line for line in path.read_text().split("\n") if not line.lstrip().startswith("#"))
        text = re.sub(r"^fields:\n(?:[ #].*\n)*", "", text, flags=re.M)  # no callees
        names.update(name.rpartition("::")[2] for name in strings(text, "names"))
    return {name for name in names if re.search(r"\w|\[\]", name)}


def named_scopes(lib):
    """Literals in C++ that name something of a library of which models say what its images are: path, line, text."""
    scopes = set()
    for path in sorted(lib.glob("Frontend/models/*.yaml")):
        scopes.update(strings(path.read_text(), "scopes"))
    if not scopes:
        sys.exit("callees.py: found no scopes in the models")
    for path in sorted(lib.rglob("*")):
        if path.suffix in (".h", ".cpp"):
            text = without_comments(path.read_text())
            for match in LITERAL.finditer(text):
                if match.group(1).split("::")[0] in scopes and "::" in match.group(1):
                    yield path, text.count("\n", 0, match.start()) + 1, match.group(1)


def main(lib, analysis=None):
    lib = pathlib.Path(lib)
    analysis = pathlib.Path(analysis or lib / "Analysis")
    names = callees(lib)
    if len(names) < 1000:
        sys.exit("callees.py: found only %d names in the models" % len(names))
    wrong, seen, unused = [], 0, {(file, name) for file, allowed in ALLOWED.items() for name in allowed}
    for path in sorted(analysis.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        inside = path.relative_to(analysis).as_posix()
        text = without_comments(path.read_text())
        for match in LITERAL.finditer(text):
            name = match.group(1)
            if name not in names or text[:match.start()].rstrip().endswith("#include"):
                continue
            seen += 1
            if name in ALLOWED.get(inside, {}):
                unused.discard((inside, name))
                continue
            if not OPERAND.search(text[max(0, match.start() - 200):match.start()]):
                line = text.count("\n", 0, match.start()) + 1
                wrong.append("lib/Analysis/%s:%d: \"%s\" is the name of a callee: an attribute of a model should say what it does"
                             % (inside, line, name))
    wrong += ["lib/Analysis/%s: \"%s\" is not there any more, and allowed" % place for place in sorted(unused)]
    wrong += ["%s:%d: \"%s\" is a name of a library that a model describes" % place for place in named_scopes(lib)]
    print("\n".join(wrong) or "%d literals are names of callees and of something else, none is compared with a callee's" % seen)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
