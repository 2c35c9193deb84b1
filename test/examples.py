"""What the pages of the checks call unsafe is found, what they call safe is not.

    examples.py docs/checks SCRATCH.cpp [--modules] -- tensortidy [OPTION...] -- FLAGS

Each line of a ```cpp block under such a heading is an example, with the lines that continue it. It becomes a function of
its own, with parameters for the names the pages use; `for (...)` is a loop, `...` some code that does not matter here. A
line that is a function or class already stays one. What else a page's examples rely on stands in comments at its end:

    <!-- examples begin with            statements before each
    TORCH_CHECK(x.dim() == 2);
    -->
    <!-- examples come after            declarations before all of them
    <!-- examples have parameters       in place of the usual ones
    <!-- examples are bodies of forward() -->

With --modules: only the pages of the last kind, which need libtorch's headers. A check whose lowest level is 2 is silent
unless it is asked for.
"""

import glob
import os
import re
import subprocess
import sys

FOUND = ("Unsafe", "Reported", "Redundant")
SILENT = ("Safe, not reported", "Right, not reported", "Needed, not reported")

PRELUDE = """#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <tensortidy/torch.h>
#include <thread>
#include <vector>
using torch::indexing::None;
using torch::indexing::Slice;
bool more();
void rest();
void use(const at::Tensor &);
at::Tensor f(const at::Tensor &);
struct Net {
  at::Tensor forward(const at::Tensor &);
  void train();
  void eval();
};
struct Clock {
  static int64_t now();
};
namespace tensortidy::cuda::CUDACachingAllocator {
void emptyCache();
}
"""
MODULE_PRELUDE = "#include <torch/torch.h>"
MODULE = "struct Line{} : torch::nn::Module {{ at::Tensor cache; at::Tensor forward(at::Tensor x, int64_t n) {{"
PARAMETERS = """at::Tensor x, at::Tensor y, at::Tensor z, at::Tensor w, at::Tensor q, at::Tensor cl, at::Tensor dense, at::Tensor mask, at::Tensor ids,
at::Tensor &best, at::Tensor &state, at::Tensor out, at::Tensor big, std::vector<at::Tensor> &kept, float *p,
const at::Device &device, int64_t a, int64_t b, int64_t c, int64_t h, int64_t n, int64_t i, int64_t B, int64_t T,
int64_t H, int64_t D, bool rare, double total, Net *net, std::vector<at::Tensor> &xs"""


# What a page says of its examples.
COMMENT = re.compile(r"^<!-- examples (begin with|come after|have parameters|are bodies of forward\(\))\s(.*?)-->$", re.M | re.S)
CATALOGUE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib/Analysis/Checks.def")
CHECK = re.compile(r'^TENSORTIDY_CHECK\(\s*\w+, "([\w-]+)", (\d)', re.M)

# A function or a class, not a statement.
DEFINITION = re.compile(r"(?:(?:static |template <.*> ?)*(?:struct|class) )|(?!(?:return|else)\b)[\w:<>,*& ]+[ *&]\w+\([^;(]*\) \{.*\}$")


def examples(page):
    """(line number, text, whether it is found) of each example of a page."""
    wanted, block, result = None, False, []
    for number, line in enumerate(open(page), 1):
        if line.startswith("## "):
            wanted = {**dict.fromkeys(FOUND, True), **dict.fromkeys(SILENT, False)}.get(line[3:].strip())
        elif line.startswith("```"):
            block = line.strip() == "```cpp"
        elif block and wanted is not None:
            code = line.split("//")[0].rstrip()
            if code.startswith(" ") and result:
                result[-1] = (result[-1][0], result[-1][1] + code, wanted)
            elif code:
                result.append((number, code, wanted))
    return result


def complete(code):
    code = re.sub(r"(for \()(\w?)( ?\.\.\.)\)", lambda m: "for (int64_t {0} = 0; {0} < n; ++{0})".format(m[2] or "i"), code)
    code = code.replace("while (...)", "while (more())")
    code = re.sub(r"(?<!catch \()\.\.\.", "rest();", code)
    return code if code.endswith((";", "}")) else code + ";"


def main():
    docs, output = sys.argv[1:3]
    command = sys.argv[sys.argv.index("--") + 1 :]
    modules = sys.argv[3] == "--modules"
    with open(CATALOGUE) as file:
        levels = dict(CHECK.findall(file.read()))
    failures, seen = 0, 0
    for page in sorted(glob.glob(docs + "/tensor-*.md")):
        check = os.path.basename(page)[:-len(".md")]
        with open(page) as file:
            said = {what: text.strip() for what, text in COMMENT.findall(file.read())}
        if ("are bodies of forward()" in said) != modules:
            continue
        seen += 1
        known, declared = said.get("begin with", ""), said.get("come after", "")
        parameters = said.get("have parameters", PARAMETERS)
        prelude = MODULE_PRELUDE if modules else PRELUDE
        lines, origin = prelude.splitlines() + declared.splitlines(), {}
        for number, code, wanted in examples(page):
            if DEFINITION.match(code):
                lines += ["namespace line{} {}".format(number, "{"), code, "}"]
                origin[len(lines) - 1] = (number, code, wanted)
                continue
            result = "at::Tensor" if "return" in code else "void"
            function = "{} line{}({}) {{".format(result, number, parameters.replace("\n", " "))
            lines += [MODULE.format(number) if modules else function, known.replace("\n", " "), "{"]
            lines.append(complete(code))
            origin[len(lines)] = (number, code, wanted)
            lines += ["}", "return x; } };" if modules else "}"]
        with open(output, "w") as file:
            file.write("\n".join(lines) + "\n")
        options = command.index("--")
        opinions = "--config={CheckOptions: {%s.Level: %d}}" % (check, max(1, int(levels[check])))
        run = subprocess.run(command[:options] + ["--checks=-*," + check, opinions, output] + command[options:],
                             capture_output=True, text=True)
        if run.returncode > 1 or not origin:
            errors = [line for line in run.stdout.splitlines() if "error:" in line]
            print(page, "does not compile:", *errors, run.stderr, sep="\n")
            failures += 1
        found = {int(m[1]) for m in re.finditer(r"^[^\n:]*:(\d+):\d+: warning:.*\[" + check, run.stdout, re.M)}
        for line, (number, code, wanted) in origin.items():
            if (line in found) != wanted:
                print("{}:{}: {}: {}".format(page, number, "not found" if wanted else "found", code))
                failures += 1
    if not seen:
        print(docs, "has no such page")
    return 1 if failures or not seen else 0


sys.exit(main())
