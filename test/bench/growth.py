#!/usr/bin/env python3
"""growth.py TENSORTIDY RUNTIME_INCLUDE [LARGEST]: how analysis time grows.

Writes functions of one kind of code (straight-line, branches, loops, calls,
overwritten) with 625, 1,562 ... 50,000 statements, all in one function, lints each and fits
time = c * n^k to the CPU seconds of lowering and analysis. Prints one row for
each kind, and says when a budget ended one. n log n reads as 1.12."""

import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import settings  # noqa: E402,F401 (no result of a former run)

HEAD = "#include <tensortidy/torch.h>\n"

KINDS = {
    # statements per piece, helper code before the function, the piece
    "straight-line": (5, "", """
  auto a{i} = x.permute({{0, 2, 1}});
  auto b{i} = a{i}.contiguous();
  auto c{i} = b{i}.view({{x.size(0), -1}});
  auto d{i} = c{i} + 1.5;
  y = y + d{i}.sum();
"""),
    "branches": (5, "", """
  auto a{i} = torch::zeros({{n, m}});
  if (n > {i})
    a{i} = a{i}.t();
  TORCH_CHECK(m != {i}, "no");
  auto b{i} = a{i}.reshape({{-1}});
  y = y + b{i}.sum();
"""),
    "loops": (5, "", """
  auto a{i} = torch::zeros({{n, m}});
  for (int64_t j = 0; j < n; ++j) {{
    auto r{i} = a{i}.select(0, j);
    y = y + r{i}.view({{-1}}).sum();
  }}
"""),
    "overwritten": (2, "", """
  y = y + x * {i}.0;
  y = y * y.sin();
"""),
    "calls": (2, """
static torch::Tensor leaf{f}(const torch::Tensor &t) {{
  auto u = t.transpose(0, 1);
  return u.reshape({{-1}});
}}
static torch::Tensor helper{f}(const torch::Tensor &t) {{ return leaf{f}(t).sum(); }}
""", """
  auto a{i} = helper{f}(x.select(0, {i}));
  y = y + a{i};
"""),
}


def source(kind, statements):
    per, helpers, piece = KINDS[kind]
    return (HEAD + helpers.format(f=0) +
            "torch::Tensor f0(const torch::Tensor &x, int64_t n, int64_t m) {\n"
            "  auto y = torch::zeros({1});\n" +
            "".join(piece.format(i=i, f=0) for i in range(statements // per)) +
            "  return y;\n}\n")


def seconds(tool, include, text, folder):
    path = os.path.join(folder, "growth.cpp")
    with open(path, "w") as f:
        f.write(text)
    run = subprocess.run([tool, "--stats", "--checks=-*,tensor-*", path, "--", "-std=c++17", "-I" + include,
                          "-I" + os.path.join(include, "../../lib")], capture_output=True, text=True)
    rows = {}
    for line in run.stderr.splitlines():
        words = line.split()
        if len(words) == 2 and words[1] in ("lower", "analyse"):
            rows[words[1]] = float(words[0])
        if "budget" in line or "too many blocks" in line:
            print("  given up: " + line.strip(), file=sys.stderr)
    return rows["lower"] + rows["analyse"]


def main():
    tool, include = sys.argv[1], os.path.abspath(sys.argv[2])
    largest = int(sys.argv[3]) if len(sys.argv) > 3 else 50000
    sizes = [largest >> s for s in range(5, -1, -1)]
    print("%-14s" % "kind" + "".join("%9d" % n for n in sizes) + "  exponent")
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            times = [seconds(tool, include, source(kind, n), folder) for n in sizes]
            logs = [(math.log(n), math.log(max(t, 1e-4))) for n, t in zip(sizes, times)]
            mx, my = (sum(v[i] for v in logs) / len(logs) for i in (0, 1))
            k = sum((a - mx) * (b - my) for a, b in logs) / sum((a - mx) ** 2 for a, _ in logs)
            print("%-14s" % kind + "".join("%8.2fs" % t for t in times) + "  %.2f" % k, flush=True)


if __name__ == "__main__":
    main()
