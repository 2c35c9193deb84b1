#!/usr/bin/env python3
"""shared.py TEST_BUILD_DIR: files that begin with one header say what they say when each reads it by itself.

Every case is a small project whose files begin with a header that is large enough to be precompiled. Its findings, notes,
fixes and messages must be those of --no-precompiled, and --stats must count what was done.
"""

import difflib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402
from blocks import write  # noqa: E402

PAD = "// " + "-" * 300000 + "\n"
TENSOR = """#pragma once
namespace at {
struct Tensor {
  Tensor(); Tensor(const Tensor &); ~Tensor();
  Tensor contiguous() const; Tensor clone() const; Tensor t() const;
};
} // namespace at
"""
LARGE = """#pragma once
#include <tensor.h>
#ifdef MODE
namespace mode { struct Only {}; }
#endif
inline at::Tensor dense(at::Tensor x) { return x.contiguous(); }
template <class T> struct Box { T value; Box(T v) : value(v) {} T get() const { return value; } };
inline int boxed() { return Box<int>(3).get(); }
""" + PAD
USE = """
at::Tensor f(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
at::Tensor g(at::Tensor x) { auto y = dense(x.t()); y.clone(); return Box<at::Tensor>(y).get().contiguous(); }
"""
LINE = re.compile(r"^precompiled headers: (\d+) made, (\d+) of former runs; read with one: (\d+) files?, did not fit (\d+)$", re.M)
TIMES = re.compile(r"^(tensortidy: \d+ of \d+ files.*|results from the cache: .*|precompiled headers: .*|  +[\d.]+  (parse|find|lower|analyse|report))\n", re.M)
failures = 0


class Project:
    def __init__(self, tool, root, files):
        self.tool, self.root, self.cache = tool, root, root + "-cache"
        shutil.rmtree(root, ignore_errors=True)
        shutil.rmtree(self.cache, ignore_errors=True)
        self.names = []
        self.write("sys/tensor.h", TENSOR)
        self.write("sys/large.h", LARGE)
        for name, text in files.items():
            self.write(name, text)
            if not name.endswith((".h", ".yaml", ".clang-tidy", ".pch")):
                self.names.append(name)

    def write(self, name, text):
        write(os.path.join(self.root, name), text)

    def command(self, *more, flags=("-std=c++17", "-isystem", "sys", "-Iinc")):
        return [self.tool, "--use-color=0", "--stats", *more, *self.names, "--", *flags]

    def run(self, *more, **how):
        flags = {"flags": how.pop("flags")} if "flags" in how else {}
        done = subprocess.run(self.command(*more, **flags), cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", env=dict(os.environ, CUDA_HOME="/nowhere"), **how)
        counts = LINE.search(done.stderr)
        return ((done.returncode, done.stdout, TIMES.sub("", done.stderr)),
                tuple(map(int, counts.groups())) if counts else None)

    def expect(self, what, counts, *more, check=True, **how):
        """The counts are those of --stats: made, found, read with one, did not fit."""
        plain = {key: value for key, value in how.items() if key == "flags"}
        wanted, _ = self.run("--no-cache", *more, **plain)
        said, got = self.run("--cache-dir=" + self.cache, *more, **how)
        if said != wanted:
            lines = difflib.unified_diff(*("\n".join(map(str, one)).split("\n") for one in (wanted, said)), "without", "with", n=0)
            fail("%s:\n%s" % (what, "\n".join(lines)))
        if got != counts:
            fail("%s: %s, expected %s" % (what, got, counts))
        if check and "warning: " not in wanted[1]:
            fail("%s: nothing is found" % what)


def fail(text):
    global failures
    failures += 1
    print(text, flush=True)


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def touch(path):
    os.utime(path, (1, 1))


def begins(first, count=3, name="f%d.cpp", use=USE):
    return {name % number: first + use for number in range(count)}


def check_life(tool, scratch):
    """What becomes of one in the cache."""
    p = Project(tool, scratch + "/life", begins("#include <large.h>\n"))
    p.expect("three files", (1, 0, 3, 0))
    p.expect("and nothing has changed", (0, 0, 0, 0))
    p.write("f0.cpp", "#include <vector>\n\n#include <large.h>\n" + USE)
    p.expect("one has changed", (0, 1, 1, 0))
    touch(p.root + "/sys/large.h")
    p.write("f0.cpp", "// again\n#include <large.h>\n" + USE)
    p.expect("the header has another time", (0, 1, 1, 0))
    p.write("sys/tensor.h", TENSOR.replace("};", "int more; };"))
    p.expect("what it includes has changed", (1, 0, 3, 0))
    # Damaged in the middle, and cut short.
    header, = [p.cache + "/" + name for name in os.listdir(p.cache) if name.endswith("-h")]
    for damage in ("flip", "cut"):
        with open(header, "r+b") as file:
            file.seek(os.path.getsize(header) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1])) if damage == "flip" else file.truncate()
        for name in p.names:
            p.write(name, "// %s\n#include <large.h>\n" % damage + USE)
        p.expect(damage, (1, 0, 3, 0))
    # Two runs at once; one that is killed at some time.
    for number in range(6):
        p.write("sys/large.h", LARGE + "// %d\n" % number)
        one = subprocess.Popen(p.command("--cache-dir=" + p.cache), cwd=p.root, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number % 2:
            time.sleep(0.15 * number)
            os.killpg(one.pid, signal.SIGKILL)
        said, _ = p.run("--cache-dir=" + p.cache)
        one.wait()
        if said != p.run("--no-cache")[0]:
            fail("beside another run: %s" % (said,))
    # No room for it, and no place.
    full = Project(tool, scratch + "/full", begins("#include <large.h>\n"))
    full.expect("a full disk", (1, 0, 0, 0), preexec_fn=small_files)
    full.expect("and later", (1, 0, 3, 0), "--extra-arg=-DX")
    with open(scratch + "/file", "w"):
        pass
    full.cache = scratch + "/file"
    warning = "tensortidy: warning: nothing is kept in '%s': " % full.cache
    said, got = full.run("--cache-dir=" + full.cache)
    if got or not said[2].startswith(warning):
        fail("no place: %s %s" % (got, said))


def check_fit(tool, scratch):
    """What fits, and what does not."""
    def case(name, files, counts, *more, **how):
        Project(tool, "%s/%s" % (scratch, re.sub(r"\W", "-", name)), files).expect(name, counts, *more, **how)

    fits = begins("#include <large.h>\n")
    case("two files", begins("#include <large.h>\n", 2), (0, 0, 0, 0))
    case("through headers of the project", {
        "inc/guarded.h": "/* a\n b */\n#ifndef GUARDED_H\n#define GUARDED_H\n#include <large.h>\nclass Own {};\n#endif\n",
        "inc/once.h": "#pragma once // once\n#include \"guarded.h\"\n",
        **begins("#include \"once.h\"\n#include <guarded.h>\n")}, (1, 0, 3, 0))
    case("after the standard library", {**fits, **begins("#include <string>\n#include <cstdint>\n#include \"large.h\" // x\n", 2, "g%d.cpp")},
         (1, 0, 5, 0))
    case("macros before it", {**fits, "m.cpp": "#define MODE\n#include <large.h>\nmode::Only only;\n" + USE}, (1, 0, 3, 0))
    case("macros before all", begins("#define MODE\n#include <large.h>\nmode::Only only;\n"), (1, 0, 3, 0))
    case("code before it", {**fits, "c.cpp": "struct MODE_ {};\n#include <large.h>\n" + USE}, (1, 0, 3, 0))
    case("another header before it", {"sys/other.h": "#pragma once\n#define MODE\n", **fits,
                                      "o.cpp": "#include <other.h>\n#include <large.h>\nmode::Only only;\n" + USE}, (1, 0, 3, 0))
    case("a condition before it", {**fits, "i.cpp": "#if 1\n#define MODE\n#endif\n#include <large.h>\nmode::Only only;\n" + USE},
         (1, 0, 3, 0))
    case("no guard", {"sys/large.h": LARGE.replace("#pragma once\n", "").replace("inline", "static").replace(
        "template <class T> struct", "#ifndef BOX\n#define BOX\ntemplate <class T> struct").replace(
            "static int boxed", "#endif\nstatic int boxed").replace("static at::Tensor dense", "namespace { }\nstatic at::Tensor dense"),
        **fits}, (1, 0, 0, 0))
    case("another name for it", {"inc/link.h": "#include \"../sys/large.h\"\nint linked;\n", **fits,
                                 "l.cpp": "#include <large.h>\n#include \"link.h\"\n" + USE,
                                 "m.cpp": "#include \"link.h\"\n#include <large.h>\n" + USE}, (1, 0, 4, 0))
    # Of the standard library's headers one changes what follows it, which it must not.
    case("an error that is gone without it", {
        "sys/large.h": LARGE.replace("#ifdef MODE", "#ifdef VECTOR"), "sys/vector": "#define VECTOR\n", **fits,
        "v.cpp": "#include <vector>\n#include <large.h>\nmode::Only only;\n" + USE}, (1, 0, 3, 1))
    case("an error that stays", {**fits, "e.cpp": "#include <large.h>\nint x = nothing;\n" + USE}, (1, 0, 3, 1))
    case("a file that is not there", {**fits, "n.cpp": "#include <large.h>\n#include \"nowhere.h\"\n" + USE}, (1, 0, 4, 0))
    case("one behind an error", {**fits, "n.cpp": "#include <large.h>\nint x = nothing;\n#include \"nowhere.h\"\n" + USE}, (1, 0, 3, 1))
    case("one that does not fit is tried no more often than others fit", {**fits, **{"e%d.cpp" % n: "#include <large.h>\nint x = nothing;\n" + USE for n in range(6)}},
         (1, 0, 3, 3), "-j1")
    case("errors in the header", {"sys/large.h": LARGE + "int bad = nothing;\n", **fits}, (1, 0, 0, 0))
    # What is linted is read with each file.
    case("a header that is linted", fits, (0, 0, 0, 0), "--header-filter=large", "--system-headers")
    case("a header that is none of the system's", fits, (0, 0, 0, 0), flags=("-std=c++17", "-Isys"))
    case("all headers but the system's", fits, (1, 0, 3, 0), "--header-filter=.*")
    case("everything", fits, (1, 0, 3, 0), "--read-everything")
    case("programs", fits, (1, 0, 3, 0), "--print-layouts", check=False)
    case("fixes", fits, (1, 0, 3, 0), "--diff", check=False)
    case("several at once", {**fits, **begins("#define MODE\n#include <large.h>\n", 3, "g%d.cpp")}, (2, 0, 6, 0), "-j3")
    case("not wanted", fits, None, "--no-precompiled")
    case("a header that is forced in", begins(""), (1, 0, 3, 0),
         flags=("-std=c++17", "-isystem", "sys", "-include", "large.h"))
    case("C and CUDA beside C++", {
        **fits, **begins("#include <large.h>\n", 3, "k%d.cu"),
        **{"c%d.c" % n: "#include <stdint.h>\n#include <c.h>\nint f(void) { return g(); }\n" for n in range(3)},
        "sys/c.h": "#pragma once\nint g(void);\n" + PAD}, (3, 0, 9, 0))
    case("more than one", {"sys/wide.h": "#pragma once\n#include <large.h>\n" + PAD * 4, **fits,
                           **begins("#include <large.h>\n#include <wide.h>\n", 8, "w%d.cpp")}, (2, 0, 11, 0))


def check_databases(tool, scratch, clang):
    """Commands of several kinds in one database, and a project with a precompiled header of its own."""
    p = Project(tool, scratch + "/mixed", {**begins("#include <large.h>\n", 9), "own.h": "#include <large.h>\n"})
    subprocess.run([clang, "-std=c++17", "-isystem", "sys", "-D__clang_analyzer__", "-x", "c++-header", "own.h", "-o", "own.pch"],
                   cwd=p.root, check=True)
    kinds = [["-std=c++17"], ["-std=c++20"], ["-std=c++17", "-include-pch", "own.pch"]]
    entries = ",".join('{"directory": "%s", "file": "f%d.cpp", "arguments": ["clang++", "%s", "-isystem", "sys", "-c", "f%d.cpp"]}' %
                       (p.root, n, '", "'.join(kinds[n % 3]), n) for n in range(9))
    write(p.root + "/compile_commands.json", "[%s]" % entries)
    p.command = lambda *more, **_: [tool, "--use-color=0", "--stats", "-p", p.root, *more]
    p.expect("C++17, C++20, and one of its own", (2, 0, 6, 0))


def main():
    config = settings.load(os.path.abspath(sys.argv[1]))
    tool = config.build_dir + "/bin/tensortidy"
    with tempfile.TemporaryDirectory(prefix="tensortidy-shared-") as scratch:
        scratch = os.path.realpath(scratch)
        check_fit(tool, scratch)
        check_databases(tool, scratch, config.llvm_bin + "/clang++")
        check_life(tool, scratch)
    print("ok" if not failures else "%d failures" % failures)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
