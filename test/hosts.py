#!/usr/bin/env python3
"""hosts.py TEST_BUILD_DIR [N]: the command line and clang-tidy with the plugin say
the same, to the letter, about every lit case, or about one in N."""

import difflib
import glob
import os
import re
import subprocess
import sys

import settings


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode < 0 or "Error:" in done.stderr:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return done.stdout.splitlines(keepends=True)


def split(lines):
    """The compile errors, and everything else, each with its notes."""
    errors, rest = [], []
    into = rest
    for line in lines:
        if re.match(r"(\S.*: )?(warning|error): ", line):
            into = errors if line.endswith(" [clang-diagnostic-error]\n") else rest
        into.append(line)
    return errors, rest


def main():
    config = settings.load(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    flags = settings.flags(config)
    groups = {}
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for case in sorted(glob.glob(here + "/lit/**/*.cpp", recursive=True))[::every]:
        if "/lit/cuda/" in case:
            continue  # Only our command line brings stand-ins for CUDA's headers.
        # A case belongs with the headers its RUN line names.
        used = re.search(r"RUN:.* -- .*?(%runtime|%aten|%torch)\b", open(case).read())
        # clang-tidy walks all of a precompiled <torch/torch.h>: too slow.
        if used and (used.group(1) == "%runtime" or used.group(1) == "%aten" and config.have_libtorch):
            groups.setdefault(used.group(1), []).append(case)

    tool = config.build_dir + "/bin/tensortidy"
    plugin = run([tool, "--plugin-path"])[0].strip()
    differences = compared = findings = 0
    for name, cases in groups.items():
        # Of many files clang-tidy prints errors that have no place first; so
        # those with errors are compared one by one.
        broken = [case for case in cases if "%exits 2" in open(case).read()]
        batches = [[case] for case in broken] + [[case for case in cases if case not in broken]]
        for batch in batches:
            common = ["--checks=-*,tensor-*", "--quiet"] + batch + ["--"] + flags[name].split()
            ours = run([tool, "-j", "2"] + common)
            # Its newer releases look at headers unless told not to.
            theirs = run([config.llvm_bin + "/clang-tidy", "--load", plugin, "--header-filter=^$"] + common)
            if batch[0] in broken:
                # Ours shows the first errors of a file.
                errors, ours = split(ours)
                others, theirs = split(theirs)
                unknown = [line for line in errors if line not in others]
                if unknown or not errors:
                    sys.exit("%s: no compile errors of clang-tidy's:\n%s" % (batch[0], "".join(unknown)))
            compared += len(batch)
            findings += sum(": warning: " in line for line in ours)
            diff = list(difflib.unified_diff(ours, theirs, "tensortidy", "clang-tidy"))
            differences += len(diff)
            sys.stdout.writelines(diff)
    print("%d cases, %d findings" % (compared, findings))
    if not findings:
        sys.exit("no case has a finding: nothing was compared")
    sys.exit(1 if differences else 0)


main()
