#!/usr/bin/env python3
"""bench.py TEST_BUILD_DIR [LINES...]: what linting costs.

Writes tensor code of 300, 3,000 and 30,000 lines behind <torch/torch.h> and
prints CPU seconds of clang's parse, of each phase of ours in the command line,
and of two flow-sensitive checks of clang-tidy's own, as clang-tidy's profile
counts them. The code is the example program's kind: attention heads, views,
loops, branches and calls between the functions of the file."""

import os
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import settings

UNIT = """
torch::Tensor heads{n}(const torch::Tensor &x, const torch::Tensor &w, int64_t heads) {{
  const auto batch = x.size(0), steps = x.size(1), width = x.size(2);
  const auto depth = width / heads;
  auto q = torch::matmul(x, w).view({{batch, steps, heads, depth}}).transpose(1, 2);
  auto k = torch::matmul(x, w.t()).view({{batch, steps, heads, depth}}).transpose(1, 2);
  auto scores = torch::softmax(torch::matmul(q, k.transpose(-2, -1)), -1);
  auto context = torch::matmul(scores, q);
  if (steps > {n})
    context = context + q;
  return context.transpose(1, 2).contiguous().view({{batch, steps, width}});
}}

torch::Tensor images{n}(torch::Tensor image, int64_t rounds, bool turn) {{
  if (turn)
    image = image.transpose(0, 1);
  auto sum = torch::zeros({{3, {n} + 8}});
  for (int64_t i = 0; i < rounds; ++i) {{
    auto row = image.select(0, i).narrow(0, 0, 3);
    auto scale = torch::full({{3, 1}}, double(i));
    sum = sum + row.unsqueeze(1) * scale;
    if (i % 2 == 0)
      continue;
    sum = sum.reshape({{3, -1}});
  }}
  if (!sum.is_contiguous())
    sum = sum.contiguous();
  return sum.view(-1);
}}

torch::Tensor step{n}(const torch::Tensor &x, const torch::Tensor &w) {{
  auto y = {call}(x, w, 4);
  auto flat = y.permute({{0, 2, 1}}).reshape({{y.size(0), -1}});
  std::vector<torch::Tensor> parts;
  for (const auto &part : flat.chunk(4, 1))
    parts.push_back(part.contiguous());
  auto joined = torch::cat(parts, 1);
  TORCH_CHECK(joined.dim() == 2, "two dimensions");
  return joined.view({{joined.size(0), y.size(2), y.size(1)}});
}}
"""


def code(lines):
    text = ["#include <torch/torch.h>\n#include <vector>\n"]
    unit = UNIT.count("\n")
    for n in range(max(1, lines // unit)):
        text.append(UNIT.format(n=n, call="heads%d" % (n // 2)))
    return "".join(text)


def cpu(command):
    """CPU seconds of a command and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done.stdout


def main():
    config = settings.load(sys.argv[1])
    sizes = [int(size) for size in sys.argv[2:]] or [300, 3000, 30000]
    flags = ["--"] + config.torch_flags.split()
    print("LLVM %s, CPU seconds, share of clang's parse" % config.release)
    header = ["lines", "parse", "find", "lower", "analyse", "report", "ours", "",
              "use-after-move", "", "optional-access", ""]
    print(("%7s %8s %8s %8s %8s %8s %8s %8s %15s %8s %16s %8s" % tuple(header)).rstrip())
    with tempfile.TemporaryDirectory() as directory:
        for size in sizes:
            path = "%s/code%d.cpp" % (directory, size)
            with open(path, "w") as out:
                out.write(code(size))
            _, text = cpu([config.build_dir + "/bin/tensortidy", "--quiet", "--stats",
                           "--timeout=0", path] + flags)
            phase = {name: float(value) for value, name in
                     re.findall(r"^ +([0-9.]+) +(\w+)$", text.split("by phase:")[-1], re.M)}
            if "parse" not in phase or " error: " in text:
                sys.exit("the command line failed:\n" + text[-2000:])
            parse = phase.pop("parse")
            row = [parse] + list(phase.values())
            others = []
            for check in ("bugprone-use-after-move", "bugprone-unchecked-optional-access"):
                _, text = cpu([config.llvm_bin + "/clang-tidy", "--quiet", "--checks=-*," + check,
                               "--enable-check-profile", path] + flags)
                # user, system, user+system, wall ... name
                seconds = re.search(r"^ +[0-9.]+ .*?" + check + "$", text, re.M)
                columns = re.findall(r"([0-9.]+) \( *[0-9.]+%\)", seconds.group(0)) if seconds else []
                others.append(float(columns[2]) if len(columns) > 2 else float("nan"))
            ours = sum(phase.values())
            share = lambda seconds: "%.1f %%" % (100 * seconds / parse)
            print(("%7d" % size) + "".join(" %8.3f" % value for value in row) +
                  " %8.3f %8s %15.3f %8s %16.3f %8s" % (
                      ours, share(ours), others[0], share(others[0]), others[1], share(others[1])),
                  flush=True)


main()
