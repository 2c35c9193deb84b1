#!/usr/bin/env python3
"""fields.py BUILD: a field that is added to a state, and not to what orders and joins states, does not compile.

    struct State { ...; std::map<SymbolId, ObjId> RankOf; int Added; };
    Domain/State.cpp (leq, ==) and Domain/Join.cpp then have too few names for its fields
"""

import json
import os
import subprocess
import sys
import tempfile

# Before which of its own lines each struct gets one more field.
PLACES = {
    "Object": "  bool HasLayout = false; ///< sizes are known",
    "State": "  /// Rank symbols of objects of unknown rank.\n",
}


def compile_with(entry, folder):
    """What a compiler says of the source, with the headers below FOLDER first."""
    words = [word for word in entry["command"].split() if not word.endswith("ccache")]
    words = words[:words.index("-o")] + ["-I" + folder, "-fsyntax-only", entry["file"]]
    words.insert(1, "-I" + folder)
    run = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.returncode, run.stdout


def main():
    entries = json.load(open(sys.argv[1] + "/compile_commands.json"))
    of = {name: next(e for e in entries if e["file"].endswith("/Analysis/Domain/" + name)) for name in ("State.cpp", "Join.cpp")}
    header = open(os.path.dirname(of["State.cpp"]["file"]) + "/State.h").read()
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + "/Analysis/Domain")

        def give(text):
            open(folder + "/Analysis/Domain/State.h", "w").write(text)

        give(header)
        for name, entry in of.items():
            status, said = compile_with(entry, folder)
            if status:
                sys.exit(f"{name} does not compile as it is:\n{said}")
        for struct, place in PLACES.items():
            if header.count(place) != 1:
                sys.exit(f"where is '{place.strip()}' of {struct}?")
            give(header.replace(place, "  int Added = 0;\n" + place))
            for name, entry in of.items():
                status, said = compile_with(entry, folder)
                if not status or "structured binding" not in said:
                    sys.exit(f"{name} compiles with a field of {struct} that it does not name:\n{said}")
    print("a field that is added has to be named")


main()
