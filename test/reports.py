#!/usr/bin/env python3
"""reports.py TEST_BUILD_DIR: bug reports of public projects, rewritten in code like theirs, and which of them are found.

Each function of reports/*.cpp is one report of 2023 to 2026, its thread above it, with a correct twin where there is
one. They were written before anything was done for them: 125 of 359 were found then. A comment in the line of the
mistake, or up to three lines beside it, says

  expect: CHECK     it is found
  missed: CHECK     it is not: the test fails where it is, so that this file and docs/evaluation.md are changed
  also: CHECK       what is true besides

and there is nothing else to be found.
"""

import glob
import os
import re
import subprocess
import sys

import settings

OPTIONS = '--config={CheckOptions: {tensor-raw-pointer-layout.NarrowIndex: true}}'
MARK = re.compile(r"// (expect|missed|also): (tensor-[\w-]+)")


def findings(config, path):
    flags = settings.flags(config)["%torch"].split()
    if os.path.basename(path) == "graphs.cpp":
        flags = ["-std=c++17", "-I" + os.path.join(config.source_dir, "test/lit/ggml/Inputs")]
    run = subprocess.run([config.build_dir + "/bin/tensortidy", "--quiet", "--use-color=0", "--checks=-*,tensor-*", OPTIONS, path,
                          "--", *flags], capture_output=True, text=True)
    if run.returncode != 1:
        sys.exit("%s: exit status %d\n%s%s" % (path, run.returncode, run.stdout, run.stderr))
    return [(int(m[1]), m[3], m[2]) for m in
            re.finditer(r"^\S+?:(\d+):\d+: warning: (.*) \[(tensor-[\w-]+)\]$", run.stdout, re.M)]


def main(directory):
    config = settings.load(directory)
    if not config.have_libtorch:
        print("notice: libtorch is not installed; the reports need it")
        return 0
    wrong, found, missed = [], 0, 0
    for path in sorted(glob.glob(os.path.join(config.source_dir, "test/reports/*.cpp"))):
        name = os.path.basename(path)
        said = findings(config, path)
        with open(path) as f:
            lines = f.read().split("\n")
        for number, line in enumerate(lines, 1):
            for kind, check in MARK.findall(line):
                near = [s for s in said if abs(s[0] - number) <= 3 and s[1] == check]
                if near and kind != "missed":
                    said.remove(min(near, key=lambda s: abs(s[0] - number)))
                elif kind != "missed":
                    wrong.append("%s:%d: not found: %s" % (name, number, check))
                elif near:
                    wrong.append("%s:%d: found now: %s" % (name, number, check))
                found += kind == "expect"
                missed += kind == "missed"
        wrong += ["%s:%d: nobody expects this: %s [%s]" % (name, line, text, check) for line, check, text in said]
    print("\n".join(wrong) or "%d of %d reports are found" % (found, found + missed))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
