#!/usr/bin/env python3
"""tensortidy-changed lints what a branch changed, and nothing else.

  changed.py BUILD/test

In a repository with the branches `main` and `work`, where main goes on after work has left it.
"""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402
from blocks import git, write  # noqa: E402

FOUND = "inline at::Tensor %s(int64_t n) { return at::zeros({n, 2}).t().view({-1}); }\n"
EXTENSIONS = ("c", "cc", "cpp", "cxx", "c++", "C", "cu")  # each is linted


class Repository:
    def __init__(self, config, root):
        self.tool, self.root = config.build_dir + "/bin/tensortidy-changed", root
        write(root + "/include/aten.h", settings.LIGHT)
        write(root + "/include/shape.h", '#include "aten.h"\n')
        write(root + "/include/deep.h", '#  include "../include/shape.h" // more\n')
        write(root + "/include/alone.hpp", '#pragma once\n#include "aten.h"\n')
        for name in ("uses", "other", "kernel"):
            write(root + "/src/%s.cpp" % name, '#include "%s.h"\n' % ("deep" if name == "uses" else "aten")
                  + FOUND % name)
        write(root + "/src/kernel.cu", '#include "aten.h"\n')
        write(root + "/compile_flags.txt", "-std=c++17\n-I%s/include\n" % root)
        git(root, "init")
        self.commit("first")
        git(root, "checkout", "-b", "work")

    def commit(self, what):
        git(self.root, "add", "-A")
        git(self.root, "commit", "-m", what)

    def append(self, name, text):
        path = os.path.join(self.root, name)
        write(path, (open(path).read() if os.path.exists(path) else "") + text)

    def lint(self, *arguments, folder=""):
        run = subprocess.run([self.tool, *arguments, "--quiet"], cwd=os.path.join(self.root, folder), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, CUDA_HOME="/nowhere"))
        found = {line.split(":")[0] for line in run.stdout.splitlines() if ": warning: " in line}
        return run.returncode, {os.path.relpath(os.path.join(self.root, f), self.root) for f in found}, run.stdout + run.stderr

    def expect(self, status, files, *arguments, **more):
        given = self.lint(*(arguments or ("main",)), **more)
        assert given[:2] == (status, set(files)), given


def main():
    config = settings.load(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.realpath(scratch) + "/project"
        repository = Repository(config, root)
        status, _, said = repository.lint("main")
        assert status == 0 and "nothing to lint" in said, said
        # What main does meanwhile is not this branch's.
        git(root, "checkout", "main")
        repository.append("src/other.cpp", "int more;\n")
        repository.commit("main goes on")
        git(root, "checkout", "work")
        # No source in the diff.
        repository.append("notes.md", "text\n")
        repository.commit("notes")
        repository.expect(0, [])
        # A source, committed or not; from any folder.
        repository.append("src/uses.cpp", "int more;\n")
        repository.expect(1, ["src/uses.cpp"])
        repository.commit("a source")
        repository.expect(1, ["src/uses.cpp"])
        repository.expect(1, ["src/uses.cpp"], "main", folder="src")
        git(root, "reset", "--hard", "HEAD~1")
        # A header alone: who includes it through another, and what is in it.
        repository.append("include/shape.h", FOUND % "shape")
        repository.expect(1, ["include/shape.h", "src/uses.cpp"])
        git(root, "reset", "--hard")
        # A header that no source includes.
        repository.append("include/alone.hpp", FOUND % "alone")
        repository.expect(1, ["include/alone.hpp"])
        git(root, "reset", "--hard")
        # One that git does not know yet.
        repository.append("src/new.cpp", '#include "aten.h"\n' + FOUND % "fresh")
        repository.expect(1, ["src/new.cpp"])
        os.remove(root + "/src/new.cpp")
        # A CUDA source; every kind of source; a name with a space.
        repository.append("src/kernel.cu", FOUND % "launch")
        repository.expect(1, ["src/kernel.cu"])
        git(root, "reset", "--hard")
        for extension in EXTENSIONS[1:]:
            repository.append("src/a %s.%s" % (extension, extension), '#include "aten.h"\n' + FOUND % "f")
        repository.commit("all kinds")
        repository.expect(1, ["src/a %s.%s" % (e, e) for e in EXTENSIONS[1:]])
        git(root, "reset", "--hard", "HEAD~1")
        # What is gone cannot be linted; what does not compile is 2.
        os.remove(root + "/src/uses.cpp")
        repository.expect(0, [])
        git(root, "reset", "--hard")
        repository.append("src/uses.cpp", "int = 3;\n")
        assert repository.lint("main")[0] == 2
        git(root, "reset", "--hard")
        # No such branch; a shallow clone; no repository.
        status, _, said = repository.lint("nowhere")
        assert status == 2 and "there is no 'nowhere'" in said, said
        shallow = os.path.realpath(scratch) + "/shallow"
        git(root, "clone", "--depth", "1", "--no-single-branch", "file://" + root, shallow)
        repository.root = shallow
        status, _, said = repository.lint("origin/main")
        assert status == 2 and "fetch-depth: 0" in said, said
        repository.root = os.path.realpath(scratch)
        assert repository.lint("main")[0] == 2
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
