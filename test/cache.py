#!/usr/bin/env python3
"""cache.py TEST_BUILD_DIR STEPS [SEED]: what is said with results of former runs is what is said without.

A small project is changed STEPS times at random: its sources and headers, headers that shadow others, links, flags,
configuration, models, the set of files, and the cache itself, which is damaged, used by two runs at once and by runs
that are killed. Some begin with a header large enough to be precompiled for many. After each step a run with the cache must say what one with --no-cache says; a second one must find
every result. A difference is printed with its seed and step, and ends the test with status 1.
"""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import settings

TENSOR = """#pragma once
namespace at {
struct Tensor {
  Tensor(); Tensor(const Tensor &); ~Tensor();
  Tensor contiguous() const; Tensor clone() const; Tensor t() const; Tensor relu() const;
};
} // namespace at
namespace my { struct Mat { Mat(); Mat(const Mat &); ~Mat(); Mat flip() const; Mat dense() const; }; }
"""
DIRS = ["src", "inc1", "inc2", "inc3"]
HEADERS = ["u.h", "v.h", "w.h", "opt.h"]
LARGE = "// " + "-" * 300000 + "\n"
BODIES = [
    "inline at::Tensor %(f)s(at::Tensor x) { return x.t(); }",
    "inline at::Tensor %(f)s(at::Tensor x) { return x.contiguous(); }",
    "inline at::Tensor %(f)s(at::Tensor x) { return x.contiguous().contiguous(); }",
    "inline at::Tensor %(f)s(at::Tensor x) { return x.t().contiguous().contiguous(); } // NOLINT",
    "inline at::Tensor %(f)s(at::Tensor x) { return undeclared; }",
    "#ifdef ON\ninline at::Tensor %(f)s(at::Tensor x) { return x.contiguous(); }\n#else\n"
    "inline at::Tensor %(f)s(at::Tensor x) { return x.t(); }\n#endif",
    "#include <w.h>\ninline at::Tensor %(f)s(at::Tensor x) { return w(x); }",
    "#if __has_include(<opt.h>)\n#include <opt.h>\n#endif\ninline at::Tensor %(f)s(at::Tensor x) { return x; }",
]
USES = [
    "at::Tensor f%(n)d(at::Tensor x) { auto y = u(x).contiguous(); return y.contiguous(); }",
    "at::Tensor f%(n)d(at::Tensor x) { return v(x.contiguous()).contiguous(); }",
    "at::Tensor f%(n)d(at::Tensor x) { auto y = v(x.contiguous()); return y.contiguous(); }",
    "at::Tensor f%(n)d(at::Tensor x) { return x.t().contiguous().contiguous(); }",
    "at::Tensor f%(n)d(at::Tensor x) { return x.t().contiguous().contiguous(); } // NOLINT",
    "my::Mat f%(n)d(my::Mat x) { return x.dense().dense(); }",
    "at::Tensor f%(n)d(at::Tensor x) { x.clone(); return x; }",
    "#if __has_include(\"opt.h\")\nat::Tensor f%(n)d(at::Tensor x) { return x.contiguous().contiguous(); }\n#endif",
    "#include \"missing.h\"",
]
MODELS = [
    "version: 1\ntypes: { tensor: [my::Mat] }\noperations:\n"
    "  - { op: contiguous, names: [my::Mat::dense] }\n  - { op: t, names: [my::Mat::flip] }\n",
    "version: 1\ntypes: { tensor: [my::Mat] }\nheaders: [u.h]\n",
    "version: 1\nheaders: [v.h, w.h]\n",
    "version: 2\n",
]
CONFIGS = [
    "Checks: '-*,tensor-*'\n",
    "Checks: '-*,tensor-redundant-contiguous'\n",
    "Checks: 'tensor-*'\nHeaderFilterRegex: '.*'\n",
    "InheritParentConfig: true\nCheckOptions: { tensor-redundant-contiguous.Level: 0 }\n",
    "InheritParentConfig: true\nExtraArgs: [-DON]\n",
    "WarningsAsErrors: 'tensor-*'\n",
    "Checks: [\n",
]
OPTIONS = [
    ["--header-filter=.*"], ["--header-filter=inc1"], ["--system-headers", "--header-filter=.*"],
    ["--checks=-*,tensor-discarded-result"], ["--warnings-as-errors=*"], ["--extra-arg=-DON"],
    ["--line-filter=[{\"name\":\"a.cpp\",\"lines\":[[1,6]]}]"], ["--print-program"], ["--print-layouts"],
    ["--read-everything"], ["--diff"], ["--config={}"], ["--model=model.yaml"], ["-j2"], ["--quiet"],
]
FLAGS = [["-Iinc1", "-Iinc2", "-isysteminc3"], ["-Iinc2", "-Iinc1", "-isysteminc3"], ["-isysteminc1", "-Iinc2"],
         ["-Iinc3"], ["-Iinc1", "-Iinc2", "-Iinc3", "-DON"], ["-iquoteinc2", "-Iinc1", "-includeu.h"]]
TIMES = re.compile(r"^(results from the cache: .*|precompiled headers: .*|CPU seconds by phase:|  +[\d.]+  (parse|find|lower|analyse|report))\n", re.M)
SHARED = re.compile(r"^precompiled headers: (\d+) made, (\d+) .* read with one: (\d+) files?, did not fit (\d+)$", re.M)
HITS = re.compile(r"^results from the cache: (\d+) of (\d+)$", re.M)


class Project:
    def __init__(self, root, tool, chance):
        self.root, self.tool, self.chance = root, tool, chance
        self.cache = root + "-cache"
        self.flags, self.options, self.sources = FLAGS[0], [], ["src/%s.cpp" % name for name in "abcd"]
        self.hits = self.asked = 0
        self.shared = [0, 0, 0, 0]
        for folder in DIRS:
            os.makedirs(os.path.join(root, folder))
        self.write("inc2/t.h", TENSOR)
        for name in HEADERS[:3]:
            self.write("inc2/" + name, self.header(name))
        self.edit_large()
        for name in ("a", "b", "c", "d"):
            self.write("src/%s.cpp" % name, self.source())

    # --- what a file says ---
    def header(self, name):
        return "#pragma once\n#include <t.h>\n%s\n" % (self.chance.choice(BODIES) % {"f": name[0]})

    def source(self):
        uses = [self.chance.choice(USES) % {"n": number} for number in range(self.chance.randint(1, 4))]
        plain = "#include <large.h>\n"
        first = self.chance.choice([plain] * 6 + ["", "#define ON\n" + plain, "#include <vector>\n#include \"large.h\"\n"])
        return first + "#include <t.h>\n#include \"u.h\"\n#include <v.h>\n%s\n" % "\n".join(uses)

    # --- changes ---
    def path(self, name):
        return os.path.join(self.root, name)

    def remove(self, name):
        path = self.path(name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def write(self, name, text):
        path = self.path(name)
        if os.path.islink(path) or os.path.isdir(path):
            self.remove(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def some_header(self):
        return self.chance.choice(DIRS) + "/" + self.chance.choice(HEADERS)

    def there(self, *folders):
        return [os.path.join(folder, name) for folder in folders if os.path.isdir(self.path(folder))
                for name in sorted(os.listdir(self.path(folder)))]

    def edit_source(self):
        self.write("src/%s.cpp" % self.chance.choice("abcd"), self.source())

    def edit_header(self):
        name = self.some_header()
        self.write(name, self.header(os.path.basename(name)))

    def edit_large(self):
        guard = self.chance.choice(["#pragma once\n", "#pragma once\n", "#pragma once\n", ""])
        body = self.chance.choice(BODIES[:6]) % {"f": "u" if self.chance.random() < 0.2 else "large"}
        self.write("inc3/large.h", "%s#include <t.h>\n%s%s\n" % (guard, body, LARGE))

    def same_size(self):
        """Another text of the same size, at the same time."""
        name = self.chance.choice(self.there("src") or ["src/a.cpp"])
        path = self.path(name)
        if os.path.isfile(path):
            before = os.stat(path)
            with open(path) as file:
                text = file.read()
            with open(path, "w") as file:
                file.write(text.replace("relu()", "Relu()") if "relu()" in text else text.replace(".t()", ".u()")
                           if ".t()" in text else text.replace(".u()", ".t()"))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def remove_header(self):
        self.remove(self.some_header())

    def restore(self):
        self.write("inc2/t.h", TENSOR)
        for name in HEADERS[:3]:
            self.remove("inc1/" + name)
            self.write("inc2/" + name, "#pragma once\n#include <t.h>\n%s\n" % (BODIES[0] % {"f": name[0]}))

    def link(self):
        there = self.there(*DIRS[1:])
        name = self.some_header()
        if there:
            target = self.path(self.chance.choice(there))
            self.remove(name)
            make = self.chance.choice([os.symlink, os.link])
            if target != self.path(name) and os.path.isfile(target):
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                make(target, self.path(name))

    def folder_for_header(self):
        name = self.some_header()
        self.remove(name)
        os.makedirs(self.path(name), exist_ok=True)

    def move_folder(self):
        name = self.chance.choice(DIRS[1:])
        away = name + "-away"
        if os.path.lexists(self.path(away)):
            self.remove(name)
            os.rename(self.path(away), self.path(name))
        elif os.path.lexists(self.path(name)):
            os.rename(self.path(name), self.path(away))

    def touch(self):
        for name in self.there(*DIRS):
            if os.path.exists(self.path(name)):
                os.utime(self.path(name))

    def configure(self):
        name = self.chance.choice(["", "src/"]) + ".clang-tidy"
        self.write(name, self.chance.choice(CONFIGS)) if self.chance.random() < 0.6 else self.remove(name)

    def model(self):
        name = self.chance.choice([".tensortidy.yaml", "src/.tensortidy.yaml", "model.yaml"])
        self.write(name, self.chance.choice(MODELS)) if self.chance.random() < 0.6 else self.remove(name)

    def change_flags(self):
        self.flags = self.chance.choice(FLAGS)

    def change_options(self):
        self.options = self.chance.choice(OPTIONS) if self.chance.random() < 0.5 else []

    def change_files(self):
        self.sources = ["src/%s.cpp" % name for name in "abcd" if self.chance.random() < 0.8] or ["src/a.cpp"]

    def nothing(self):
        pass

    # --- the cache ---
    def damage(self):
        names = sorted(os.listdir(self.cache)) if os.path.isdir(self.cache) else []
        for name in self.chance.sample(names, min(3, len(names))):
            path = os.path.join(self.cache, name)
            size = os.path.getsize(path)
            how = self.chance.choice(["cut", "flip", "empty", "remove", "swap"])
            if how == "remove":
                os.unlink(path)
            elif how == "swap" and name != names[0] and os.path.exists(os.path.join(self.cache, names[0])):
                shutil.copyfile(os.path.join(self.cache, names[0]), path)
            elif size:
                with open(path, "r+b") as file:
                    if how == "flip":
                        at = self.chance.randrange(size)
                        file.seek(at)
                        byte = file.read(1)[0]
                        file.seek(at)
                        file.write(bytes([byte ^ 1 << self.chance.randrange(8)]))
                    else:
                        file.truncate(self.chance.randrange(size) if how == "cut" else 0)

    def forget(self):
        """All results; what was precompiled for them is found."""
        for name in os.listdir(self.cache) if os.path.isdir(self.cache) else []:
            if name.endswith("-r"):
                os.unlink(os.path.join(self.cache, name))

    def kill(self):
        process = subprocess.Popen(self.command(["--cache-dir=" + self.cache]), cwd=self.root, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.chance.random() * 0.1)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    # --- runs ---
    def command(self, more):
        return [self.tool, "--use-color=0", "--stats", *more, *self.options, *self.sources, "--", "-std=c++17", *self.flags]

    def said(self, process):
        out, err = process.communicate()
        hits = HITS.search(err)
        for shared in SHARED.findall(err):
            self.shared = [a + int(b) for a, b in zip(self.shared, shared)]
        return (process.returncode, out, TIMES.sub("", err)), tuple(map(int, hits.groups())) if hits else None

    def start(self, more, **how):
        return subprocess.Popen(self.command(more), cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, errors="replace", **how)

    def check(self):
        """What is wrong, or nothing."""
        with_cache = ["--cache-dir=" + self.cache]
        first = [self.start(with_cache) for _ in range(2 if self.chance.random() < 0.1 else 1)]
        answers = [self.said(process) for process in first]
        expected, _ = self.said(self.start(["--no-cache"]))
        for said, hits in answers:
            if said != expected:
                return "with the cache:\n%s\nwithout:\n%s" % (said, expected)
            if hits and len(answers) == 1:
                self.hits += hits[0]
                self.asked += hits[1]
        if self.chance.random() < 0.2:
            again, hits = self.said(self.start(with_cache))
            if again != expected:
                return "the second time:\n%s\nwithout:\n%s" % (again, expected)
            if hits and hits[0] != hits[1]:
                return "nothing has changed, and %d of %d results were found" % hits
        return None


STEPS = [(Project.edit_source, 8), (Project.edit_header, 8), (Project.edit_large, 3), (Project.same_size, 3), (Project.remove_header, 4),
         (Project.restore, 3), (Project.link, 3), (Project.folder_for_header, 1), (Project.move_folder, 2),
         (Project.touch, 1), (Project.configure, 3), (Project.model, 3), (Project.change_flags, 4),
         (Project.change_options, 5), (Project.change_files, 4), (Project.nothing, 2), (Project.damage, 3),
         (Project.forget, 2), (Project.kill, 1)]


def random_steps(tool, scratch, steps, seed):
    chance = random.Random(seed)
    project = Project(os.path.join(scratch, "project"), tool, chance)
    changes, weights = zip(*STEPS)
    for step in range(steps):
        change = chance.choices(changes, weights)[0]
        change(project)
        wrong = project.check()
        if wrong:
            print("seed %d, step %d, after %s, %s %s:\n%s" % (
                seed, step, change.__name__, project.options, project.flags, wrong))
            return 1
        if (step + 1) % 500 == 0:
            print("%d steps" % (step + 1), flush=True)
    share = project.hits / max(1, project.asked)
    print("%d steps, seed %d: %d of %d results were found (%.0f %%)" % (
        steps, seed, project.hits, project.asked, 100 * share))
    print("precompiled headers: %d made, %d found, %d files read with one, %d that did not fit" % tuple(project.shared))
    # Changes of one file leave the others' results.
    return 0 if share > 0.2 and (steps < 100 or all(project.shared[:3])) else 1


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


def places(tool, scratch):
    """Where nothing can be kept, and where it is kept when nobody says."""
    project = Project(os.path.join(scratch, "places"), tool, random.Random(1))
    project.restore()
    project.sources = ["src/a.cpp"]
    expected, _ = project.said(project.start(["--no-cache"]))

    def run(more, hits, **how):
        said, found = project.said(project.start(more, **how))
        warning = re.match(r"tensortidy: warning: nothing is kept in '.*\n", said[2])
        said = (said[0], said[1], said[2][warning.end():] if warning else said[2])
        if said != expected or found != hits:
            print("%s: expected %s of %s, got %s of %s" % (more, hits, expected, found, said))
            return 1
        return 0

    home = dict(os.environ, XDG_CACHE_HOME=project.cache + "-xdg")
    with open(project.path("file"), "w"):
        pass
    nowhere = dict(os.environ, XDG_CACHE_HOME=project.path("file"))
    full = ["--cache-dir=" + project.cache + "-full"]
    bad = run(["--cache-dir=/proc/none"], None) + run(["--cache-dir=" + project.path("file")], None)
    bad += run([], (0, 1), env=home) + run([], (1, 1), env=home) + run([], None, env=nowhere)
    bad += run(full, (0, 1), preexec_fn=small_files) + run(full, (0, 1)) + run(full, (1, 1))
    bad += not os.listdir(project.cache + "-xdg/tensortidy")
    if [name for name in os.listdir(project.cache + "-full") if name.startswith("Thin-")]:
        print("what could not be written whole was left")
        bad += 1
    return bad


def main():
    config = settings.load(os.path.abspath(sys.argv[1]))
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    tool = config.build_dir + "/bin/tensortidy"
    with tempfile.TemporaryDirectory(prefix="tensortidy-cache-") as scratch:
        return 1 if places(tool, scratch) or random_steps(tool, scratch, steps, seed) else 0


if __name__ == "__main__":
    sys.exit(main())
