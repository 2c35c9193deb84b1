"""What the pages of the checks call unsafe is found, what they call safe is not.

    examples.py docs/checks SCRATCH.cpp [--modules] -- tensortidy [OPTION...] -- FLAGS

Each line of a ```cpp block under such a heading is an example, with the lines that continue it. It becomes a function of
its own, with parameters for the names the pages use; `for (...)` is a loop, `...` some code that does not matter here. A
line that is a function or class already stays one. With --modules: the pages whose examples are bodies of forward(), which
need libtorch's headers.
"""

import re
import subprocess
import sys

# Pages whose lines stand alone, and what is known of the parameters there.
PAGES = {
    "tensor-allocation-in-loop": "torch::NoGradGuard guard;",
    "tensor-batchable-loop": "std::vector<at::Tensor> ys; TORCH_CHECK(w.dim() == 2 && z.dim() == 1);",
    "tensor-cache-flush-in-loop": "",
    "tensor-dangling-data-pointer": "",
    "tensor-discarded-result": "",
    "tensor-from-blob-lifetime": "",
    "tensor-hidden-copy": "TORCH_CHECK(ids.scalar_type() == torch::kLong && dense.is_contiguous());",
    "tensor-inplace-on-saved": "",
    "tensor-lost-write": "TORCH_CHECK(x.is_contiguous() && x.dim() == 2 && x.size(0) == a && x.size(1) == b);",
    "tensor-memory-format": "TORCH_CHECK(cl.dim() == 4 && cl.is_contiguous(at::MemoryFormat::ChannelsLast));"
    "TORCH_CHECK(cl.size(1) == 3 && cl.size(2) == 8 && cl.size(3) == 8); auto m = torch::zeros({2, 3}).t();",
    "tensor-missing-no-grad": "",
    "tensor-overlapping-write": "x = torch::zeros({4, 6}); auto m = torch::zeros({9, 9});",
    "tensor-raw-pointer-layout": "TORCH_CHECK(x.is_contiguous() && x.dim() == 2); auto y = x.t();",
    "tensor-redundant-clone": "",
    "tensor-redundant-contiguous": "",
    "tensor-retain-graph": "at::Tensor loss;",
    "tensor-shape-mismatch": "auto m = torch::zeros({3, 4}); TORCH_CHECK(cl.dim() == 4);",
    "tensor-sync-in-loop": "TORCH_CHECK(v.dim() == 1 && in.dim() == 1 && out.dim() == 1 && lengths.dim() == 1 && m.dim() == 1);",
    "tensor-unsynchronized-timing": "x = x.to(at::kCUDA); auto start = Clock::now();",
    "tensor-view-after-permute": "TORCH_CHECK(x.is_contiguous() && x.dim() == 2 && x.size(1) == 8 && cl.dim() == 4);"
    "TORCH_CHECK(cl.is_contiguous(at::MemoryFormat::ChannelsLast));",
}
# What else the examples of a page name: declarations before them, parameters in place of the usual ones.
DECLARED = {
    "tensor-dangling-data-pointer": (
        """struct Params { const float *data; int64_t n; };
void use(const float *);
void use(at::IntArrayRef);
void run(const Params &);
void launch(const std::vector<float *> &);
at::Tensor make();
std::vector<float> load();
extern const float *data_;
struct Runner { const float *in; void set(const at::Tensor &t) { in = t.data_ptr<float>(); } void run() { use(in); } };""",
        """at::Tensor x, at::Tensor y, std::vector<at::Tensor> &kept, bool c, int64_t n""",
    ),
    "tensor-from-blob-lifetime": (
        """std::vector<float> read();
extern at::Tensor weight;
extern std::vector<float> memory_;
namespace cv {
struct Mat {
  Mat(const Mat &);
  ~Mat();
  unsigned char *data;
  int rows, cols;
};
Mat imread(const std::string &);
}""",
        """std::vector<at::Tensor> &all, std::vector<std::vector<float>> rows, std::string name, int64_t n, int64_t m""",
    ),
    "tensor-lost-write": (
        """void step(float *param, const float *grad);
void scan(const float *, float *, int64_t);""",
        """at::Tensor x, at::Tensor y, at::Tensor z, at::Tensor mask, at::Tensor param, at::Tensor grad,
std::vector<at::Tensor> &tensors, torch::nn::Module *net, int64_t a, int64_t b""",
    ),
    "tensor-raw-pointer-layout": (
        """void launch(const float *, int64_t, int64_t);
void strided(const float *, int64_t, int64_t, int64_t);
void together(const float *, const at::Tensor &, int64_t, int64_t);
void led(const float *, int64_t n, int64_t m, int64_t lda);
float sum(const float *, int64_t);
void mm(const float *, const float *, int64_t, int64_t, int64_t);
void cublasSgemm(const float *, int64_t, int64_t);""",
        """at::Tensor x, at::Tensor a, at::Tensor b, const float *image, float *out, int64_t n, int64_t m""",
    ),
    "tensor-sync-in-loop": (
        """struct Batch { at::Tensor data; };
void rest(const at::Tensor &);
at::Tensor f(const at::Tensor &);""",
        """at::Tensor x, at::Tensor boxes, at::Tensor v, at::Tensor in, at::Tensor out, at::Tensor y, at::Tensor m, at::Tensor w,
at::Tensor scale, at::Tensor length, at::Tensor lengths, at::Tensor mask, at::Tensor error, std::vector<Batch> loader,
std::vector<float> r, std::vector<float> mean, const at::Device &device, float sum, double total, int64_t n""",
    ),
}
# Pages whose examples are bodies of a module's forward().
MODULES = {"tensor-constant-in-forward": ""}
# Checks that are silent unless they are asked for.
OPINIONS = ("tensor-cache-flush-in-loop", "tensor-missing-no-grad", "tensor-retain-graph", "tensor-unsynchronized-timing")
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
    failures = 0
    for check, known in (MODULES if modules else PAGES).items():
        page = "{}/{}.md".format(docs, check)
        declared, parameters = DECLARED.get(check, ("", PARAMETERS))
        prelude = MODULE_PRELUDE if modules else PRELUDE
        lines, origin = prelude.splitlines() + declared.splitlines(), {}
        for number, code, wanted in examples(page):
            if DEFINITION.match(code):
                lines += ["namespace line{} {}".format(number, "{"), code, "}"]
                origin[len(lines) - 1] = (number, code, wanted)
                continue
            result = "at::Tensor" if "return" in code else "void"
            function = "{} line{}({}) {{".format(result, number, parameters.replace("\n", " "))
            lines += [MODULE.format(number) if modules else function, known, "{"]
            lines.append(complete(code))
            origin[len(lines)] = (number, code, wanted)
            lines += ["}", "return x; } };" if modules else "}"]
        with open(output, "w") as file:
            file.write("\n".join(lines) + "\n")
        options = command.index("--")
        opinions = "--config={CheckOptions: {%s.Level: %d}}" % (check, 2 if check in OPINIONS else 1)
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
    return 1 if failures else 0


sys.exit(main())
