#!/usr/bin/env python3
"""prefixes.py TEST_BUILD_DIR: lints every prefix, cut at each line, of two of
the examples. Half-typed code may be reported as such; it never crashes or
hangs."""

import subprocess
import sys
import tempfile

import settings


def main():
    config = settings.load(sys.argv[1])
    if not config.have_libtorch:
        print("libtorch's headers are not installed")
        return
    examples = config.source_dir + "/docs/examples/"
    flags = settings.flags(config)["%aten"].split() + ["-I" + examples]
    with tempfile.TemporaryDirectory() as directory:
        files = []
        for name in ("kernel", "preprocess"):
            lines = open(examples + name + ".cpp").readlines()
            for count in range(len(lines) + 1):
                files.append("%s/%s-%03d.cpp" % (directory, name, count))
                with open(files[-1], "w") as out:
                    out.writelines(lines[:count])
        command = [config.build_dir + "/bin/tensortidy", "-j", "2", "--timeout=60", "--quiet"]
        done = subprocess.run(command + files + ["--"] + flags, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    bad = [line for line in done.stderr.splitlines()
           if "crashed" in line or "took more than" in line or "ended early" in line]
    print("%d prefixes" % len(files))
    if bad or done.returncode not in (1, 2):
        print("\n".join(bad))
        sys.exit("exit status %d" % done.returncode)


main()
