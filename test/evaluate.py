#!/usr/bin/env python3
"""Runs tensortidy over a source tree: one row of docs/evaluation.md, and findings.

  test/evaluate.py [--tool build/bin/tensortidy] [--limit N] DIRECTORY -- FLAGS

Files that name a tensor type are linted one by one, those with most tensor
calls first. Prints the row, the names of calls without a model, and each finding
as path:line with its check, so that a person can write a verdict beside it.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import time

import settings  # noqa: F401 (no result of a former run)

USES = re.compile(r"torch/|ATen/|(?:at|torch)::Tensor|ggml_tensor")
CALLS = re.compile(
    r"[.>](?:view|reshape|permute|transpose|index|select|narrow|slice|expand|contiguous|copy_|add_|mul_|"
    r"sub_|div_|index_put_|to|clone|accessor|data_ptr)\b|(?:at|torch)::(?:zeros|empty|ones|cat|stack|matmul)\(|ggml_\w+\("
)
SUMS = {
    "functions": r"functions that mention a tensor: (\d+)",
    "analysed": r"functions analysed: (\d+) of",
    "of": r"functions analysed: \d+ of (\d+)",
    "modelled": r"calls modelled: (\d+) of",
    "calls": r"calls modelled: \d+ of (\d+)",
    "views": r"view sites decided: (\d+) of",
    "all views": r"view sites decided: \d+ of (\d+)",
    "layouts": r"layout sites decided: (\d+) of",
    "all layouts": r"layout sites decided: \d+ of (\d+)",
}


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, flags = own[:at], own[at + 1 :]
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tool", default="build/bin/tensortidy")
    options.add_argument("--limit", type=int, default=1 << 30)
    options.add_argument("directory", type=pathlib.Path)
    options = options.parse_args(own)
    root = options.directory.resolve()

    files = []
    for path in root.rglob("*"):
        if path.suffix in (".cpp", ".cc", ".cxx", ".cu"):
            text = path.read_text(errors="replace")
            if USES.search(text):
                files.append((-len(CALLS.findall(text)), path))
    files = [path for _, path in sorted(files)[: options.limit]]

    sums, unmodelled, findings, failed = collections.Counter(), collections.Counter(), set(), []
    started = time.time()
    for path in files:
        run = subprocess.run(
            [options.tool, "--stats", "--use-color=0", f"--header-filter={re.escape(str(root))}.*", str(path), "--", *flags],
            capture_output=True,
            text=True,
        )
        if run.returncode not in (0, 1, 2):
            failed.append(f"{path}: exit status {run.returncode}")
        said = run.stdout + run.stderr
        for name, pattern in SUMS.items():
            found = re.search(pattern, said)
            sums[name] += int(found.group(1)) if found else 0
        names = re.search(r"calls without a model, by name:\n((?: +\d+  .*\n)+)", said)
        for line in names.group(1).splitlines() if names else []:
            count, name = line.split(None, 1)
            unmodelled[name] += int(count)
        for place, check in re.findall(r"^(.*?:\d+):\d+: warning: .*\[(tensor-[a-z-]+)\]$", said, re.M):
            findings.add((place.replace(str(root) + "/", ""), check))

    def share(part, whole):
        return f"{sums[part]}/{sums[whole]}" + (f" ({100 * sums[part] // sums[whole]} %)" if sums[whole] else "")

    print(
        f"| {root.name} | {len(files)} | {share('analysed', 'of')} | {share('modelled', 'calls')} | "
        f"{share('views', 'all views')} | {share('layouts', 'all layouts')} | {len(findings)} | {time.time() - started:.0f} s |"
    )
    for name, count in unmodelled.most_common(10):
        print(f"  without a model: {count} {name}")
    for place, check in sorted(findings):
        print(f"  {place}: {check}")
    for line in failed:
        print(f"  {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
