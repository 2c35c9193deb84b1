#!/usr/bin/env python3
"""since.py TEST_BUILD_DIR: --since REV reports what lies, or has its cause, in lines that a branch changed.

In a repository with the branches `main` and `work`, where main goes on after work has left it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402
from blocks import git, read, write  # noqa: E402

SOURCE = """#include "%s.h"
at::Tensor first(at::Tensor x) {
  auto y = x.t().contiguous();
  // between
  return y.contiguous();
}
at::Tensor second(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
"""
NAMES = ["uses.cpp", "other.cpp", "kernel.cu", "\u00e4 b.cpp"]


class Repository:
    def __init__(self, config, root):
        self.tool, self.root, self.cache = config.build_dir + "/bin/tensortidy", root, root + "-cache"
        write(root + "/include/aten.h", settings.LIGHT)
        write(root + "/include/deep.h", '#pragma once\n#include "aten.h"\n#include "shape.h"\n')
        write(root + "/include/shape.h", '#pragma once\n#include "aten.h"\n')
        for name in NAMES:
            write(root + "/src/" + name, SOURCE % ("deep" if name == "uses.cpp" else "aten"))
        self.database(NAMES)
        git(root, "init")
        self.commit("first")
        git(root, "checkout", "-b", "work")

    def database(self, names):
        write(self.root + "/build/compile_commands.json", json.dumps(
            [{"directory": self.root, "file": "src/" + name, "arguments": ["c++", "-std=c++17", "-Iinclude", "-c", "src/" + name]}
             for name in names]))

    def commit(self, what):
        git(self.root, "add", "-A", "--", ":!build")
        git(self.root, "commit", "-m", what)

    def reset(self, to="HEAD"):
        git(self.root, "reset", "--hard", to)
        git(self.root, "clean", "-fd", "-e", "build")

    def replace(self, name, old, new):
        text = read(self.root + "/" + name)
        assert old in text, (name, old)
        write(self.root + "/" + name, text.replace(old, new, 1))

    def lint(self, *options, cache=True, folder=""):
        keep = "--cache-dir=" + self.cache if cache else "--no-cache"
        run = subprocess.run([self.tool, "-p", self.root + "/build", keep, "--stats", *options], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, cwd=os.path.join(self.root, folder), env=dict(os.environ, CUDA_HOME="/nowhere"))
        # As the compile commands name them, from the folder where these run.
        found = sorted((os.path.relpath(os.path.join(self.root, file), self.root), int(line)) for file, line in
                       re.findall(r"^(.*?):(\d+):\d+: warning: ", run.stdout, re.M))
        files = re.search(r"^results from the cache: \d+ of (\d+)$", run.stderr, re.M)
        return run.returncode, found, int(files[1]) if files else None, run.stdout + run.stderr

    def expect(self, status, found, files, *options, since="main", **how):
        given = self.lint("--since", since, *options, **how)
        assert given[:3] == (status, sorted(found), files), (given[:3], (status, sorted(found), files), given[3])
        return given[3]


def main():
    config = settings.load(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.realpath(scratch) + "/project"
        r = Repository(config, root)
        git(root, "checkout", "main")
        r.replace("src/other.cpp", "// between", "// main goes on")
        r.commit("main goes on")
        git(root, "checkout", "work")
        both = [("src/uses.cpp", 5), ("src/uses.cpp", 7)]
        assert "nothing to lint" in r.expect(0, [], 0)
        assert r.lint()[0] == 1  # what depends on what is known from here on

        # The line of a finding, and that of its cause; a line of neither.
        r.replace("src/uses.cpp", "y.contiguous();\n}", "y.contiguous(); // more\n}")
        r.expect(1, both[:1], 1)
        r.expect(1, both, 1, "--all-lines")
        r.expect(1, both[:1], 1, folder="src")
        r.commit("a finding")
        r.expect(1, both[:1], 1)
        r.reset("HEAD~1")
        r.replace("src/uses.cpp", "auto y = x.t()", "auto y = x.t().t().t()")
        r.expect(1, both[:1], 1)
        r.reset()
        r.replace("src/uses.cpp", "// between", "// changed")
        r.expect(0, [], 1)
        # A line that is gone changes the two beside it.
        r.replace("src/uses.cpp", "  // changed\n", "")
        r.expect(1, [("src/uses.cpp", 4)], 1)
        r.reset()

        # A header: who read it in the last run, and what is in it. Without such a run, all.
        r.replace("include/shape.h", "\n", "\n// text\n")
        r.expect(0, [], 1)
        r.expect(1, both, 1, "--all-lines")
        r.expect(0, [], None, cache=False)
        write(root + "/include/shape.h", read(root + "/include/shape.h") +
              "inline at::Tensor in(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }\n")
        r.expect(1, [("include/shape.h", 4)], 1)
        r.reset()
        # One that comes before another.
        write(root + "/src/shape.h", '#pragma once\n#include "aten.h"\n')
        r.expect(0, [], 0)
        write(root + "/src/deep.h", '#pragma once\n#include "aten.h"\n')
        r.expect(0, [], 1)
        r.reset()
        # CUDA; a name with a blank and other letters.
        r.replace("src/kernel.cu", "y.contiguous();\n}", "y.contiguous(); // more\n}")
        r.replace("src/\u00e4 b.cpp", "y.contiguous();\n}", "y.contiguous(); // more\n}")
        r.expect(1, [("src/kernel.cu", 5), ("src/\u00e4 b.cpp", 5)], 2)
        r.reset()
        # What --list-changed prints, also of a file that git takes for a binary one; whatever the user has told git.
        git(root, "config", "diff.interHunkContext", "9")
        git(root, "config", "diff.noprefix", "true")
        write(root + "/.gitattributes", "other.cpp -diff\n")
        r.replace("src/other.cpp", "// between", "// changed")
        r.replace("src/uses.cpp", "auto y = x.t()", "auto y = x.t().t().t()")
        r.replace("src/uses.cpp", "return y.contiguous(); }", "return y.contiguous(); } // more")
        r.replace("include/shape.h", "\n", "\n// text\n")
        os.remove(root + "/src/kernel.cu")
        done = subprocess.run([r.tool, "--since=main", "--list-changed"], cwd=root + "/src", text=True, stdout=subprocess.PIPE)
        assert done.returncode == 0 and done.stdout.splitlines() == [
            root + "/" + name for name in
            (".gitattributes", "build/compile_commands.json", "include/shape.h", "src/other.cpp", "src/uses.cpp")], done
        git(root, "checkout", "src/kernel.cu", "include/shape.h")
        r.expect(1, both + [("src/other.cpp", 5), ("src/other.cpp", 7)], 2)
        r.reset()
        # Renamed: nothing in it has changed.
        git(root, "mv", "src/uses.cpp", "src/renamed.cpp")
        r.database(["renamed.cpp"] + NAMES[1:])
        r.expect(0, [], 1)
        r.expect(1, [("src/renamed.cpp", line) for _, line in both], 1, "--all-lines")
        r.reset()
        # Unknown to git: all of it is new.
        shutil.copy(root + "/src/uses.cpp", root + "/src/new.cpp")
        r.database(["new.cpp"] + NAMES)
        r.expect(1, [("src/new.cpp", line) for _, line in both], 1)
        r.reset()
        r.database(NAMES)
        # What does not compile is said.
        r.replace("src/uses.cpp", "// between", "int = 3;")
        assert "does not compile" in r.lint("--since=main")[3]
        r.reset()

        # No such branch; a shallow clone; no repository; an option by itself.
        for since, says in (("nowhere", "there is no 'nowhere' in this clone"), ("--output=x", "there is no '--output=x'")):
            status, _, _, said = r.lint("--since=" + since)
            assert status == 2 and says in said, said
        assert not os.path.exists(root + "/x")
        shallow = os.path.realpath(scratch) + "/shallow"
        git(root, "clone", "--depth", "1", "--no-single-branch", "file://" + root, shallow)
        shutil.copytree(root + "/build", shallow + "/build")
        r.root = shallow
        status, _, _, said = r.lint("--since=origin/main")
        assert status == 2 and "fetch-depth: 0" in said, said
        shutil.rmtree(shallow + "/.git")
        status, _, _, said = r.lint("--since=main")
        assert status == 2 and "not a git repository" in said, said
        r.root = root
        done = subprocess.run([r.tool, "-p", root + "/build", "--since=main"], cwd=root, text=True, stderr=subprocess.PIPE,
                              env=dict(os.environ, PATH="/nowhere"))
        assert done.returncode == 2 and "needs git" in done.stderr, done
        for option in ("--all-lines", "--list-changed"):
            assert option + " is about --since" in r.lint(option)[3]
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
