#!/usr/bin/env python3
"""project.py TEST_BUILD_DIR [FILES...]: what linting a project costs, beside what clang takes to parse it.

Makes projects of 24, 100 and 300 sources, as extensions built by setup.py, applications of libtorch and ATen kernels include
its headers, and prints CPU seconds of: clang's parse of all; a first run; a run when nothing has changed, when one source
has, and when one header has; and each as a share of the parses. clang parses a sample, every fourth source of 24 and every
eighth of more, and --others adds clang-tidy with the plugin and with its own bugprone checks, on fewer.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import settings

CODE = """
at::Tensor heads{n}(const at::Tensor &x, int64_t heads) {{
  const auto batch = x.size(0), steps = x.size(1), width = x.size(2);
  auto y = x.view({{batch, steps, heads, width / heads}}).transpose(1, 2);
  if (steps > {n})
    y = y + 1;
  return y.contiguous().view({{batch * heads, steps, width / heads}});
}}
at::Tensor rows{n}(at::Tensor image, int64_t rounds) {{
  auto sum = at::zeros({{3, {n} + 8}});
  for (int64_t i = 0; i < rounds; ++i)
    sum = sum + image.select(0, i).narrow(0, 0, 3).unsqueeze(1);
  return sum.t().contiguous().contiguous();
}}
"""
# What the sources of each kind begin with, in turns.
KINDS = {
    "extension": ["#include <torch/extension.h>\n#include <vector>\n", "#include <vector>\n\n#include <torch/extension.h>\n",
                  '#include "ops.h"\n'],
    "application": ["#include <torch/torch.h>\n#include <iostream>\n", "#include <iostream>\n#include <torch/torch.h>\n",
                    '#include "model.h"\n\n#include <string>\n'],
    "kernel": ["#define TORCH_ASSERT_ONLY_METHOD_OPERATORS\n#include <ATen/core/Tensor.h>\n#include <ATen/Dispatch.h>\n"
               "#include <ATen/Parallel.h>\n#include <c10/util/irange.h>\n#include <ATen/ops/zeros.h>\n",
               "#include <ATen/ATen.h>\n#include <ATen/Parallel.h>\n"],
}
HEADERS = {"ops.h": "torch/extension.h", "model.h": "torch/torch.h"}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


class Project:
    def __init__(self, config, root, count):
        self.config, self.root, self.cache = config, root, root + "-cache"
        # pybind11 and Python are not needed for what is measured.
        write(root + "/include/torch/extension.h", "#pragma once\n#include <torch/all.h>\n")
        for name, heavy in HEADERS.items():
            write(root + "/src/" + name, "#pragma once\n#include <%s>\n#include <vector>\n\nat::Tensor heads0(const at::Tensor &x, int64_t heads);\n" % heavy)
        # As system headers: nobody lints them.
        self.flags = ["-isystem", root + "/include", *config.torch_flags.split(), "-I" + root + "/src"]
        self.sources = []
        kinds = [(kind, first) for kind, firsts in KINDS.items() for first in firsts]
        for number in range(count):
            kind, first = kinds[number % len(kinds)]
            path = "%s/src/%s%d.cpp" % (root, kind, number)
            if kind == "kernel" and "Dispatch" in first:  # no factories and operators, as where kernels are
                code = CODE.split("at::Tensor rows")[0].replace("y + 1", "y.add(1)")
            else:
                code = CODE
            write(path, first + code.format(n=number))
            self.sources.append(path)
        write(root + "/compile_commands.json", json.dumps(
            [{"directory": root, "file": path, "arguments": ["c++", *self.flags, "-c", path]} for path in self.sources]))

    def tensortidy(self, *more):
        return measure([self.config.build_dir + "/bin/tensortidy", "-p", self.root, "--quiet", "--stats", "-j", "2",
                        "--cache-dir=" + self.cache, *more])

    def append(self, name, text):
        with open(os.path.join(self.root, "src", name), "a") as file:
            file.write(text)


def measure(command, **how):
    """CPU seconds, wall seconds, the largest process in MiB, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - start, done.stdout


def hits(text):
    found = re.search(r"^results from the cache: (\d+) of (\d+)$", text, re.M)
    return int(found[1]), int(found[2])


def shared(text):
    return re.search(r"^precompiled headers: (.*)$", text, re.M)[1]


def processor():
    with open("/proc/cpuinfo") as file:
        return re.search(r"^model name\s*: (.*)$", file.read(), re.M)[1]


def row(name, cpu, parses, wall, note=""):
    print("  %-34s %8.1f s  %6.3f of the parses  %6.1f s wall  %s" % (name, cpu, cpu / parses, wall, note), flush=True)


def bench(config, scratch, count, others):
    project = Project(config, "%s/project%d" % (scratch, count), count)
    print("%d sources" % count)
    sample = project.sources[::4 if count <= 24 else 8]
    clang = [config.llvm_bin + "/clang++", "-fsyntax-only", "-w", *project.flags]
    parses = wall = 0
    for path in sample:
        cpu, time_, text = measure(clang + [path])
        if text:
            sys.exit("%s does not compile:\n%s" % (path, text[-2000:]))
        parses += cpu
        wall += time_
    scale = count / len(sample)
    row("clang's parses" + (" (of %d, scaled)" % len(sample) if scale > 1 else ""), parses * scale, parses * scale, wall * scale)
    parses *= scale
    cpu, wall, text = project.tensortidy()
    row("first run", cpu, parses, wall, shared(text))
    if "error" in text:
        sys.exit(text[-2000:])
    first = re.findall(r": warning: .*", text)
    cpu, wall, text = project.tensortidy()
    row("nothing has changed", cpu, parses, wall, "%d of %d" % hits(text))
    project.append(os.path.basename(project.sources[1]), "// changed\n")
    cpu, wall, text = project.tensortidy()
    row("one source has", cpu, parses, wall, "%d of %d" % hits(text))
    alone, wall, text = measure([config.build_dir + "/bin/tensortidy", "-p", project.root, "--quiet", "--no-cache", project.sources[1]])
    row("that one by itself, --no-cache", alone, parses, wall)
    for name in HEADERS:
        users = sum('"%s"' % name in open(path).read() for path in project.sources)
        project.append(name, "// changed\n")
        cpu, wall, text = project.tensortidy()
        found, of = hits(text)
        row("%s, which %d include" % (name, users), cpu, parses, wall, "%d read again" % (of - found))
    print("  largest process: %d MiB; findings: %d" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, len(first)))
    if others:
        tidy = [config.llvm_bin + "/clang-tidy", "--quiet", "-p", project.root]
        for name, more in (("clang-tidy with the plugin", ["--load", config.build_dir + "/lib/tensortidy-tidy-%s.so" % config.release,
                                                            "--checks=-*,tensor-*"]),
                           ("clang-tidy, bugprone-*", ["--checks=-*,bugprone-*"])):
            few = project.sources[:len(KINDS) * 3][::2] if count > 24 else project.sources[::4]
            spent = [measure(tidy + more + [path])[:2] for path in few]
            factor = count / len(few)
            row(name + " (of %d, scaled)" % len(few), sum(c for c, _ in spent) * factor, parses, sum(w for _, w in spent) * factor)
    shutil.rmtree(project.root)
    shutil.rmtree(project.cache)


def main():
    config = settings.load(sys.argv[1])
    others = "--others" in sys.argv
    counts = [int(word) for word in sys.argv[2:] if word != "--others"] or [24, 100, 300]
    print("LLVM %s, %s, %d cores" % (config.release, processor(), os.cpu_count()))
    with tempfile.TemporaryDirectory(prefix="tensortidy-project-") as scratch:
        for count in counts:
            bench(config, os.path.realpath(scratch), count, others)


if __name__ == "__main__":
    main()
