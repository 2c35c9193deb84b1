#!/usr/bin/env python3
"""layers.py: whether each folder of lib includes only what its library links, and words are where they belong.

  layers.py LIB/CMakeLists.txt

The order of the parts is written once, in lib/CMakeLists.txt: `tensortidy_library(Analysis/Flow tensortidy_analysis_facts)`
says that Flow may use Facts, and what Facts may use. An archive links whatever its headers reach, so that a part that
reaches up would not be noticed there; an include is. Layout is free to all. What must never know what, whatever is
linked, stands in APART.

Facts are typed: what is said in English is written in Analysis/Checks and, of its own rules, in Layout. Below those no
text with a word and a space is made, and no name is quoted, but for keys and the text form (ALLOWED).

Exit status 1 when something reaches up, or speaks.
"""

import pathlib
import re
import sys

# The worklist is handed the rules; checks ask facts and never interpret.
APART = (("Analysis/Engine", "Analysis/Transfer"), ("Analysis/Checks", "Analysis/Transfer"), ("Analysis/Checks", "Analysis/Engine"))

SILENT = ("Domain", "Facts", "Flow", "Engine", "Transfer")
ALLOWED = {
    # What conditions are known by, in a state.
    "Domain/State.cpp": {"defined "},
    "Transfer/Comparisons.cpp": {"var ", "dtype ", " of dtype "},
    "Transfer/Conditions.cpp": {"contiguous ", "defined ", "format ", "sizes ", "var ", "var not("},
    "Transfer/Interpret.cpp": {" is "},
    "Transfer/Devices.cpp": {"%at ", "%at v", "%at vm", "%on ", "var has ", "device ", "the device of ", "'"},
    "Transfer/Questions.cpp": {" $of ", "var test"},
    # An element type that is no number's, in the model's words.
    "Transfer/FromBlobOps.cpp": {"of "},
    # Layouts beside values in the text form of a program.
    "Transfer/Describe.cpp": {" offset ", " on ", " storage ", " strides "},
    # Names of operations.
    "Transfer/DTypes.cpp": None,
}
# A word beside a space, or what quotes a name.
SPEAKS = re.compile(r"[A-Za-z].* | .*[A-Za-z]|'")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.S)

LIBRARY = re.compile(r"^tensortidy_library\((\S+)((?: tensortidy_\w+)*)\)", re.M)
SOURCES = re.compile(r'^tensortidy_sources\((\w+) "([^"$]+)"((?: tensortidy_\w+)*)\)', re.M)
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)


def spoken(analysis):
    """Where a part that has no words says something, and how many texts there are."""
    found, seen = [], 0
    for folder in SILENT:
        for source in sorted((analysis / folder).iterdir()):
            inside = folder + "/" + source.name
            for number, line in enumerate(source.read_text().splitlines(), 1):
                for text in filter(None, TOKEN.findall(line)):
                    seen += 1
                    allowed = ALLOWED.get(inside, ())
                    if SPEAKS.search(text) and allowed is not None and text not in allowed:
                        found.append('Analysis/{}:{}: "{}" belongs in Checks'.format(inside, number, text))
    return found, seen


def main(listing):
    lib = pathlib.Path(listing).parent
    text = pathlib.Path(listing).read_text()
    direct, files = {}, {}
    for folder, links in LIBRARY.findall(text):
        direct["tensortidy_" + folder.lower().replace("/", "_")] = (folder, links.split())
    for name, sources, links in SOURCES.findall(text):
        direct["tensortidy_" + name] = (name, links.split())
        files.update((source.rpartition(".")[0], name) for source in sources.split(";"))
    if len(direct) < 4:
        sys.exit("layers.py: found no libraries in " + listing)

    def reach(name):
        folder, links = direct[name]
        return {folder}.union(*(reach(link) for link in links))

    if not {folder for pair in APART for folder in pair} <= {folder for folder, _ in direct.values()}:
        sys.exit("layers.py: APART names folders that are no libraries")
    folders = sorted((folder for folder, _ in direct.values()), key=len, reverse=True)

    def part(path):
        """The library that a file belongs to: one of single files, or the innermost folder."""
        alone = files.get(path.rpartition(".")[0])
        return alone or next((folder for folder in folders if path.startswith(folder + "/")), None)

    wrong, seen = [], 0
    for name, (folder, _) in direct.items():
        wrong += ["{} links {}".format(folder, other) for of, other in APART if of == folder and other in reach(name)]
    for name, (folder, _) in direct.items():
        allowed = reach(name) | {"Layout"}
        for source in sorted(lib.rglob("*")):
            inside = source.relative_to(lib).as_posix()
            if source.suffix not in (".h", ".cpp", ".def") or part(inside) != folder:
                continue
            for included in INCLUDE.findall(source.read_text()):
                home = part(included) or ("Layout" if included.startswith("Layout/") else None)
                seen += 1
                # Tables stand beside the folders that read them.
                if home and home not in allowed and not included.endswith(".def"):
                    wrong.append("{} includes {}: {} does not link {}".format(inside, included, folder, home))
    speaks, texts = spoken(lib / "Analysis")
    wrong += speaks if texts else ["no texts found in Analysis"]
    print("\n".join(wrong) or "{} includes in {} libraries, none reaches up; {} texts, none speaks".format(
        seen, len(direct), texts))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
