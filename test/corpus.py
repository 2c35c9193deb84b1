#!/usr/bin/env python3
"""corpus.py: whether a change of the tool changes what it says of public code.

  corpus.py lint SOURCES BUILD/test OUT [PROJECT...] [--every N] [--plain] [--option=OPTION]
  corpus.py diff OUT OUT

`lint` runs BUILD's tensortidy on each file of the projects below that is about tensors (with --every, on each Nth) and
keeps what it says in OUT, a file for each source: findings with their notes, fixes, --stats. SOURCES has a checkout of
each project under its name; `lit` and `examples` are our own cases and examples, wherever SOURCES is. With --plain the
headers are parsed and no precompiled ones used; OPTION is one more for tensortidy, such as --read-everything. `diff` compares two such folders and shows what differs; CPU time of the analysis is summed.

    sources: {git clone of pytorch3d, ...}     before: OUT of the build before     after: OUT of the build with the change
    corpus.py lint sources old/test before;  corpus.py lint sources new/test after;  corpus.py diff before after

A header that cannot be found makes functions that are not analysed, in both builds alike; --stats counts them.
Exit status of diff: 0 nothing differs, 1 something does, 2 nothing can be compared.
"""

import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

import settings

TENSORS = re.compile(r"#include [<\"](?:torch/|ATen/|c10/|ggml)|ggml_tensor|at::Tensor|torch::")
TORCH, GGML = "%torch", "-std=c++17"


def torch(*patterns, include=()):
    return patterns, TORCH, include


def ggml(*patterns, include=()):
    return patterns, GGML, include


# Which files of a checkout, what they are about, and where they look for headers, below SOURCES.
PROJECTS = {
    "pytorch-cpp": torch("tutorials/**/*.cpp", include=["pytorch-cpp/utils/image-io/include"]),
    "LibtorchTutorials": torch("**/*.cpp"),
    "pytorch3d": torch("pytorch3d/csrc/**/*.c*", include=["pytorch3d/pytorch3d/csrc"]),
    "DeepSpeed": torch("csrc/**/*.c*", "deepspeed/**/*.c*", include=["DeepSpeed/csrc/includes"]),
    "gsplat": torch("gsplat/cuda/csrc/*.c*", "gsplat/cuda/*.c*",
                    include=["gsplat/gsplat/cuda/include", "gsplat/gsplat/cuda"]),
    "koba-jon": torch("**/*.cpp", include=["koba-jon/utils"]),
    "llama.cpp": ggml("src/*.cpp", "src/models/*.cpp", "tools/mtmd/*.cpp", "tools/mtmd/models/*.cpp",
                      include=["llama.cpp/" + name for name in
                               ("include", "src", "ggml/include", "ggml/src", "common", "vendor", "tools/mtmd")]),
    "stable-diffusion.cpp": ggml("src/**/*.cpp", include=["stable-diffusion.cpp/" + name for name in
                                                          ("include", "src", "thirdparty")] + ["llama.cpp/ggml/include"]),
}
OWN = {"lit": "test/lit", "examples": "docs/examples"}
KINDS = re.compile(r"%(?:plain-|runtime-)?(?:aten|torch|runtime)\b")
TIMES = re.compile(r"^(?:CPU seconds by phase:\n(?: +[\d.]+  \w+\n)*|results from the cache: .*\n)", re.M)


def files_of(sources, name):
    root = os.path.join(sources, name)
    for pattern in PROJECTS[name][0]:
        for path in sorted(glob.glob(os.path.join(root, pattern), recursive=True)):
            if os.path.splitext(path)[1] in (".cpp", ".cc", ".cu", ".c"):
                with open(path, errors="replace") as file:
                    if TENSORS.search(file.read()):
                        yield path


def own(config, name):
    """Our own files, each with what its RUN lines compile it as."""
    for path in sorted(glob.glob(os.path.join(config.source_dir, OWN[name], "**/*.c*"), recursive=True)):
        with open(path, errors="replace") as file:
            runs = KINDS.findall("".join(line for line in file if "RUN:" in line))
        if runs or name == "examples":
            yield path, runs[0] if runs else TORCH


def lint(arguments):
    config = settings.load(arguments.build)
    flags = {**settings.flags(config), GGML: GGML}
    if arguments.plain:
        flags.update((kind, flags["%plain-" + ("runtime" if "runtime" in kind else "torch")])
                     for kind in flags if kind.startswith("%"))
    jobs = []
    for name in arguments.projects or PROJECTS:
        if name in OWN:
            for path, kind in list(own(config, name))[::arguments.every]:
                more = []
                if arguments.plain and "runtime" in kind:
                    header = "torch" if kind == "%runtime-torch" else "aten"
                    more = ["-include", "tensortidy/%s.h" % header]
                elif arguments.plain and not path.startswith(os.path.join(config.source_dir, OWN["examples"])):
                    more = ["-include", "torch/torch.h" if kind == "%torch" else "ATen/ATen.h"]
                jobs.append((path, config.source_dir, flags[kind].split() + more))
            continue
        _, kind, include = PROJECTS[name]
        paths = list(files_of(arguments.sources, name))
        if not paths:
            print("%s: no sources below %s" % (name, os.path.join(arguments.sources, name)), file=sys.stderr)
        for path in paths[::arguments.every]:
            more = ["-I" + os.path.join(arguments.sources, folder) for folder in (*include, os.path.dirname(path))]
            jobs.append((path, arguments.sources, flags[kind].split() + more))
    if not jobs:
        return 2

    def run(job):
        path, root, options = job
        # A file in CUDA cannot use what is precompiled as C++.
        if path.endswith(".cu") and "-include-pch" in options:
            at = options.index("-include-pch")
            del options[at:at + 2]
        out = os.path.join(arguments.out, os.path.relpath(path, root) + ".txt")
        os.makedirs(os.path.dirname(out), exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run([config.build_dir + "/bin/tensortidy", "--quiet", "--use-color=0", "--stats",
                                   "--config={}", "--export-fixes=" + scratch + "/fixes", *arguments.option,
                                   path, "--", *options],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
            fixes = ""
            if os.path.exists(scratch + "/fixes"):
                with open(scratch + "/fixes", errors="replace") as file:
                    fixes = file.read()
        with open(out, "w") as file:
            file.write("status %d\n%s%s%s" % (done.returncode, done.stdout, done.stderr, fixes))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, _ in enumerate(pool.map(run, jobs), 1):
            if number % 20 == 0 or number == len(jobs):
                print("%d of %d files" % (number, len(jobs)), flush=True)
    return 0


def kept(folder):
    texts = {}
    for path in glob.glob(os.path.join(folder, "**/*.txt"), recursive=True):
        with open(path) as file:
            texts[os.path.relpath(path, folder)] = file.read()
    return texts


def seconds(texts):
    return sum(float(value) for text in texts for value in re.findall(r"^ +([\d.]+)  analyse$", text, re.M))


def diff(arguments):
    before, after = kept(arguments.before), kept(arguments.after)
    both = sorted(set(before) & set(after))
    if not both:
        print("nothing that both have", file=sys.stderr)
        return 2
    for name in sorted(set(before) ^ set(after)):
        print("only in %s: %s" % (arguments.before if name in before else arguments.after, name))
    differ = 0
    for name in both:
        old, new = (TIMES.sub("", texts[name]).split("\n") for texts in (before, after))
        if old != new:
            differ += 1
            print("\n".join(difflib.unified_diff(old, new, name, name, n=1, lineterm="")))
    findings = sum(len(re.findall(r"warning: .*\[tensor-", before[name])) for name in both)
    print("%d files, %d findings before, %d files differ; analysis %.2f s before, %.2f s after" % (
        len(both), findings, differ, seconds(before[name] for name in both), seconds(after[name] for name in both)))
    return 1 if differ else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("lint")
    for name in ("sources", "build", "out"):
        one.add_argument(name, type=os.path.abspath)
    one.add_argument("projects", nargs="*", metavar="project", choices=[[], *PROJECTS, *OWN])
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--plain", action="store_true")
    one.add_argument("--option", action="append", default=[])
    two = commands.add_parser("diff")
    two.add_argument("before")
    two.add_argument("after")
    arguments = parser.parse_args()
    return lint(arguments) if arguments.command == "lint" else diff(arguments)


if __name__ == "__main__":
    sys.exit(main())
