#!/usr/bin/env python3
"""Every block of code on the pages works as it stands there.

  blocks.py BUILD/test [PAGE...]

Takes the blocks of each page in their order and runs them in one project, which holds what the pages name (project()
below): the sources have findings, so that a command that says nothing is a failure, and <ATen/ATen.h> is one that is
parsed in no time.

  sh        each command succeeds; one that lints shows a finding
  (none)    with "$ command": it prints the lines that follow; `...` stands for any number of lines.
            Without: these lines, as they may be wrapped, were printed by what the page ran before
  yaml, cmake, cpp
            with a comment in the first line that names a file: it is written there, and used
  cpp       #include lines alone: they compile. Statements: they run, and throw where a comment says `throws:`
  cmake     with CXX_CLANG_TIDY: a build shows a finding; with tensortidy_lint(): its target and its test do
  json, toml, lua, elisp, vim
            editors' settings: see Editors

What is read as `19` on the pages is the release that is tested. A block that fits none of these fails the test.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import editor  # noqa: E402
import settings  # noqa: E402

PAGES = ("README.md", "docs/index.md", "docs/install.md", "docs/findings.md", "docs/options.md", "docs/contributing.md",
         "docs/packages.md", "docs/integration.md", "docs/editors.md", "docs/models.md", "docs/runtime.md")
# Those that lint docs/examples, which name more of libtorch than the light headers declare.
LINT_EXAMPLES = ("README.md", "docs/index.md", "docs/install.md", "docs/findings.md", "docs/contributing.md")

# Lines that are not run, and why.
NOT_RUN = {
    "test/run": "runs this test",
    "cmake -S . -B build -G Ninja && cmake --build build": "made the build that is tested here",
    "cmake -S . -B build -G Ninja -DTENSORTIDY_TESTS=ON -DTENSORTIDY_CLANGD=ON": "made it with tests",
    "ninja -C build tensortidy": "built it",
    "python3 /usr/lib/llvm-19/build/utils/lit/lit.py -v build/test --filter view-after-permute": "a test of its own",
    "python3 -m venv build/site-venv && build/site-venv/bin/pip install mkdocs-material": "site.py does so",
    "build/site-venv/bin/mkdocs build --strict -f docs/site/mkdocs.yml": "site.py does so",
    'pip install "$(tool/package wheel)"': "test/systems packages does, in minutes",
    "sudo apt-get install $(tool/package deb)": "test/systems packages does; packages.py makes the packages",
}
# What stands for something of the user's.
STANDS_FOR = {"/path/to/libtorch": "include"}

LINT = re.compile(r"(tensortidy(?! init| explain| --completion)|tensortidy-changed|tool/lint(?! --clangd)|clang-tidy-\d+|"
                  r"run-clang-tidy-\d+|clang-tidy-diff-\d+\.py) ")
FINDING = re.compile(r"(warning|error): .*\[tensor-[\w-]+[\],]")


class Wrong(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Wrong(text)


# --- pages ---


class Block:
    def __init__(self, line, kind, hint, section):
        self.line, self.kind, self.hint, self.section, self.lines = line, kind, hint, section, []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def name(self):
        """The file that a comment in the first line names."""
        match = re.fullmatch(r"(?:#|//) ([\w./-]+\.[\w-]+|\.[\w.-]+)", self.lines[0])
        return match[1] if match else None


def read_blocks(path):
    blocks, block, hint, section, before = [], None, "", "", ""
    with open(path) as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if block is not None:
                if line == "```":
                    blocks.append(block)
                    block = None
                else:
                    block.lines.append(line)
            elif line.startswith("```"):
                block, hint = Block(number, line[3:].strip(), hint, section), ""
            elif line.startswith("<!-- test: "):
                hint = line[len("<!-- test: "):line.index(" -->")]
            elif line.startswith("## "):
                section = line
            elif line.startswith("    ") and not before.strip():
                raise Wrong("%s:%d: a block that is indented; put it between ```" % (path, number))
            before = line
    require(block is None, "%s: a block does not end" % path)
    return blocks


def commands_of(lines):
    """The commands of a shell block: with what continues them, and here-documents."""
    commands, text, end = [], "", None
    for line in lines:
        text += line + "\n"
        if end is None and not line.strip().startswith("#"):
            here = re.search(r"<<-?'?(\w+)'?", line)
            end = here[1] if here else None
        elif line.strip() == end:
            end = None
        if end is None and not line.endswith("\\"):
            if re.sub(r"^\s*#.*", "", text).strip():
                commands.append(text.rstrip("\n"))
            text = ""
    return commands


def same(expected, printed):
    """Whether the lines are those printed; `...` is any number of them."""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(same(expected[1:], printed[at:]) for at in range(len(printed) + 1))
    return bool(printed) and expected[0].rstrip() == printed[0].rstrip() and same(expected[1:], printed[1:])


# --- the project ---

MODEL = """#include <ATen/ATen.h>

at::Tensor merge(int64_t B, int64_t H, int64_t T) {
  at::Tensor ctx = at::zeros({B, H, T}).transpose(1, 2);
  return ctx.view({B, H * T});
}
"""
MORE = """
at::Tensor ones(int64_t n) { return at::ones({n}).contiguous(); }
"""
GRAPH = """#include "ggml.h"

ggml_tensor *heads(ggml_context *ctx, ggml_tensor *x) {
  ggml_tensor *q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 32, 8), 0, 2, 1, 3);
  return ggml_add(ctx, x, ggml_reshape_2d(ctx, q, 64 * 32, 8));
}
"""
KERNELS = """#include <ATen/ATen.h>

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

at::Tensor launch(int64_t n) {
  auto x = at::zeros({n, 32}).t();
  twice<<<1, 32>>>(x.data_ptr<float>());
  return x.view(-1);
}
"""
# As torch.utils.cpp_extension writes it; nvcc need not be there.
NINJA = """ninja_required_version = 1.3
cxx = c++
nvcc = /usr/local/cuda/bin/nvcc

cflags = -pthread -Wsign-compare -DNDEBUG -g -fwrapv -O2 -Wall -fPIC -c
post_cflags = -DTORCH_API_INCLUDE_EXTENSION_H '-DPYBIND11_COMPILER_TYPE="_gcc"' -DTORCH_EXTENSION_NAME=ops -D_GLIBCXX_USE_CXX11_ABI=0 -std=c++17
cuda_cflags = -c
cuda_post_cflags = -D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr --compiler-options ''"'"'-fPIC'"'"'' -DTORCH_EXTENSION_NAME=ops -gencode=arch=compute_75,code=compute_75 -gencode=arch=compute_75,code=sm_75 -std=c++17

rule compile
  command = $cxx -MMD -MF $out.d $cflags -c $in -o $out $post_cflags
  depfile = $out.d
  deps = gcc

rule cuda_compile
  depfile = $out.d
  deps = gcc
  command = $nvcc --generate-dependencies-with-compile --dependency-output $out.d $cuda_cflags -c $in -o $out $cuda_post_cflags

build {root}/build/temp/csrc/ops.o: compile {root}/csrc/ops.cpp
build {root}/build/temp/csrc/kernels.o: cuda_compile {root}/csrc/kernels.cu
"""
SETUP = """from setuptools import Extension, setup

setup(name="ops", version="1", ext_modules=[Extension("ops", ["csrc/ops.cpp"], extra_compile_args=["-std=c++17"])])
"""
TORCH = "import os\n\n\ndef include_paths():\n    return [os.environ['LIGHT']]\n"
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(model CXX)
add_library(model src/model.cpp)
"""
LINT_SCRIPT = """#!/bin/sh
if [ "$1" = --clangd ]; then command -v tensortidy-clangd; else exec tensortidy "$@"; fi
"""


def read(path):
    with open(path) as file:
        return file.read()


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def git(root, *arguments):
    subprocess.run(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main",
                    *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Project:
    """What the pages name, in a repository whose branch `work` adds to `main` what is in MORE."""

    def __init__(self, config, root):
        self.config, self.root = config, root
        examples = os.path.join(config.source_dir, "docs", "examples")
        self.sources = {"src/model.cpp": MODEL + MORE, "src/graph.cpp": GRAPH, "csrc/ops.cpp": MODEL, "file.cpp": MODEL,
                        "csrc/kernels.cu": KERNELS, "kernels.cu": KERNELS}
        self.restore()
        write(root + "/src/model.cpp", MODEL)
        write(root + "/.gitignore", "build*\n")
        write(root + "/CMakeLists.txt", CMAKE)
        write(root + "/setup.py", SETUP)
        # What tool/lint does once everything is installed and built.
        write(root + "/tool/lint", LINT_SCRIPT, 0o755)
        shutil.copytree(examples, root + "/docs/examples")
        os.makedirs(root + "/ggml/include")
        shutil.copy(os.path.join(config.source_dir, "test/lit/ggml/Inputs/ggml.h"), root + "/ggml/include")
        git(root, "init")
        git(root, "add", ".")
        git(root, "commit", "-m", "main")
        git(root, "checkout", "-b", "work")
        write(root + "/src/model.cpp", MODEL + MORE)
        git(root, "commit", "-am", "work")
        git(root, "clone", "--bare", ".", ".git/origin")
        git(root, "remote", "add", "origin", root + "/.git/origin")
        git(root, "fetch", "origin")
        database = [{"directory": root, "file": root + "/" + name, "command": "c++ -std=c++17 -Iggml/include -c " + name}
                    for name in self.sources if name.endswith((".cpp", ".cu"))]
        write(root + "/build/compile_commands.json", json.dumps(database))
        temp = "build/temp.%s-%s" % (sysconfig.get_platform(), sys.implementation.cache_tag)
        write("%s/%s/build.ninja" % (root, temp), NINJA.replace("{root}", root))

    def restore(self):
        """The sources as they were; tells whether they were not."""
        changed = False
        for name, text in self.sources.items():
            path = os.path.join(self.root, name)
            if not os.path.exists(path) or open(path).read() != text:
                changed = True
                write(path, text)
        return changed


class World:
    """What all pages share: the tools on the PATH, light headers, an installation that was moved."""

    def __init__(self, config, root):
        self.config, self.root = config, root
        bin, light = root + "/bin", root + "/light"
        os.makedirs(bin)
        for name in ("tensortidy", "tensortidy-changed", "tensortidy-clangd"):
            built = os.path.join(config.build_dir, "bin", name)
            if os.path.exists(built):
                os.symlink(built, os.path.join(bin, name))
        self.server = os.path.join(bin, "tensortidy-clangd")
        write(light + "/ATen/ATen.h", settings.LIGHT)
        write(light + "/torch/csrc/api/include/torch/torch.h", "#include <ATen/ATen.h>\n")
        # The examples that the README lints name more of libtorch.
        write(root + "/examples/ATen/ATen.h", "#include <tensortidy/aten.h>\n")
        write(root + "/python/torch/utils/cpp_extension.py", TORCH)
        for name in ("torch/__init__.py", "torch/utils/__init__.py"):
            write(root + "/python/" + name, "")
        self.environment = dict(
            os.environ, PATH=bin + ":" + os.environ["PATH"], HOME=root + "/home", LIGHT=light, CUDA_HOME="/nowhere",
            PYTHONPATH=root + "/python", CMAKE_PREFIX_PATH=root + "/moved", LC_ALL="C.UTF-8",
            CPLUS_INCLUDE_PATH=":".join((light, config.source_dir + "/runtime/include", config.source_dir + "/lib")))
        self.light = light
        self.installed = set()

    def install(self, prefix, component=None):
        """The runtime comes from the build that has one."""
        for one in (component,) if component else ("Unspecified", "runtime"):
            build = self.config.programs_dir if one == "runtime" else self.config.build_dir
            run = subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", one],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            require(run.returncode == 0, re.sub("-- Installing: .*\n", "", run.stdout))

    def need_package(self, component):
        """Installs somewhere and moves it."""
        if component not in self.installed:
            self.install(self.root + "/unmoved", component)
            shutil.copytree(self.root + "/unmoved", self.root + "/moved", dirs_exist_ok=True)
            shutil.rmtree(self.root + "/unmoved")
            self.installed.add(component)


# --- editors ---


class Editors:
    """Settings are loaded by the editor where it is installed, and the editor then shows what the command line says.

    Not loaded: VS Code and Helix cannot run without a display or terminal; Neovim before 0.11 has no vim.lsp.config;
    lsp-mode is not packaged. Their settings are read by a parser of their language.
    """

    def __init__(self, page):
        self.page = page

    def loads(self, check, name, text):
        root = self.page.project.root
        path = os.path.join(root, "src/model.cpp")
        setting = os.path.join(root, name)
        write(setting, text)
        os.environ.update(self.page.world.environment, SETTINGS=setting)
        try:
            expected = editor.command_line("tensortidy", path, ["-std=c++17"])
            require(expected, "nothing to show")
            check(self.page.world.server, path, expected)
        finally:
            self.page.project.restore()

    def json(self, text):
        require(json.loads(text).get("clangd.path") == self.page.world.server, "no server")

    def toml(self, text):
        try:
            import tomllib
        except ImportError:  # before Python 3.11
            return
        require(tomllib.loads(text)["language-server"]["clangd"]["command"] == self.page.world.server, "no server")

    def lua(self, text):
        nvim = shutil.which("nvim")
        if not nvim:
            print("skipped: no nvim")
            return
        new = subprocess.run([nvim, "--headless", "--clean", "-c", "lua if vim.lsp.config then vim.cmd('cquit 3') end",
                              "-c", "qall!"], env=settings.for_editors()).returncode == 3
        if "vim.lsp.config" in text and not new:
            write(self.page.project.root + "/new.lua", text)
            run = subprocess.run([nvim, "--headless", "--clean", "-c", "lua if not loadfile('new.lua') then vim.cmd('cquit 1') end",
                                  "-c", "qall!"], cwd=self.page.project.root, env=settings.for_editors())
            require(run.returncode == 0, "not Lua")
        else:
            self.loads(editor.check_neovim, "init.lua", text)

    def elisp(self, text):
        require(self.page.world.server in text, "no server")
        depth = [line.count("(") - line.count(")") for line in text.split("\n")]
        require(sum(depth) == 0 and text.count('"') % 2 == 0, "parentheses do not match")
        if "eglot" in text:
            self.loads(editor.check_emacs, "init.el", text)

    def vim(self, text):
        self.loads(editor.check_vim, "vimrc", text)


# --- running a page ---


class Page:
    def __init__(self, world, name, root):
        self.world, self.name = world, name
        self.project = Project(world.config, root)
        self.environment = dict(world.environment)
        if name in LINT_EXAMPLES:
            self.environment["CPLUS_INCLUDE_PATH"] = world.root + "/examples:" + self.environment["CPLUS_INCLUDE_PATH"]
        self.printed, self.section, self.written = "", "", []
        self.notes = []

    def translate(self, text):
        text = re.sub(r"\b((?:run-)?clang[a-z-]*)-19\b", r"\1-" + self.world.config.release, text)
        for what, path in STANDS_FOR.items():
            text = text.replace(what, self.world.light if path == "include" else path)
        return text.replace("SERVER", self.world.server)

    def run(self, command, **more):
        cwd = more.pop("cwd", self.project.root)
        run = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=cwd,
                             env=dict(self.environment, **more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace")
        run.both, run.cwd = run.stdout + run.stderr, cwd
        self.printed += run.both
        return run

    def command(self, command, **more):
        """One command of a page: it does something, and what it finds is shown."""
        for name in re.findall(r"--output[= ](\S+)", command):
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(more.get("cwd", self.project.root), name))
        run = self.run(command, **more)
        said = "%s: exit status %d\n%s" % (command, run.returncode, run.both)
        if not LINT.match(command):
            require(run.returncode in ((0, 1) if command.startswith("tensortidy explain") else (0,)), said)
            if command.startswith("git apply "):
                require(self.project.restore(), said + "changed nothing")
            return run
        require(run.returncode in (0, 1), said)
        self.outputs(command, run, said)
        if "--baseline " in command:
            require(run.returncode == 0 and " in the baseline" in run.both and not FINDING.search(run.both), said)
            return run
        require(run.returncode == 1 or not command.startswith("tensortidy"), said)
        if re.search(r"--output-format=github( |$)", command):
            require("::warning file=" in run.stdout, said + "prints no annotation")
            return run
        if "--diff " in command:
            patch = re.search(r"> (\S+)", re.sub(r"\s+#.*", "", command))
            text = read(os.path.join(self.project.root, patch[1])) if patch else run.stdout
            require(text.startswith("--- a/") and "\n+" in text, said + "prints no patch")
            return run
        require(FINDING.search(run.both), said + "shows no finding")
        if "--fix " in command or "--add-nolint " in command:
            require(self.project.restore(), said + "changed nothing")
        return run

    def outputs(self, command, run, said):
        """What goes to a file is there, and new."""
        for name in re.findall(r"--output[= ](\S+)", command):
            path = os.path.join(run.cwd, name)
            require(os.path.getsize(path), said + "wrote nothing to " + name)
            if name.endswith((".json", ".sarif")):
                require(json.loads(read(path)), said + "wrote nothing to " + name)
            if run.cwd == self.project.root:
                self.written.append(name)
        for name in re.findall(r"--html[= ](\S+)", command):
            require("tensor-" in read(os.path.join(run.cwd, name, "index.html")), said + "has no finding on its pages")

    def block(self, block):
        if block.section != self.section:
            # A section's configuration is its own.
            for name in self.written:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(os.path.join(self.project.root, name))
            self.section, self.written = block.section, []
        block.lines = self.translate(block.text).rstrip("\n").split("\n")
        if block.hint:
            handler = getattr(self, "hint_" + block.hint.split()[0], None)
            require(handler, "no such hint: " + block.hint)
            return handler(block)
        handler = getattr(self, "kind_" + (block.kind or "text"), None)
        require(handler, "nothing is known about a block of '%s'" % block.kind)
        return handler(block)

    def kind_sh(self, block):
        for command in commands_of(block.lines):
            plain = re.sub(r"\s+#.*", "", command) if "\n" not in command else command
            if plain in NOT_RUN:
                self.notes.append("%s (%s)" % (plain, NOT_RUN[plain]))
            elif plain == "cmake --install build --prefix ~/.local":
                self.world.install(self.world.environment["HOME"] + "/.local")
            else:
                self.command(command)

    def kind_text(self, block):
        if not block.lines[0].startswith("$ "):
            words = " ".join(block.text.split())
            require(words in " ".join(self.printed.split()), "nothing on this page printed\n" + block.text)
            return
        starts = [at for at, line in enumerate(block.lines) if line.startswith("$ ")]
        for begin, end in zip(starts, starts[1:] + [len(block.lines)]):
            wanted, run = block.lines[begin + 1:end], self.run(block.lines[begin][2:])
            # As a terminal shows it, or without what goes to standard error.
            # A page cannot know where the reader's project is.
            texts = [text.replace(self.project.root + "/", "").strip("\n") for text in (run.both, run.stdout)]
            require(any(same(wanted, text.split("\n")) for text in texts), "%s\nprints\n%s" % (block.lines[begin], texts[0]))

    def file(self, block, keep=False):
        name = block.name()
        require(name, "the first line names no file: " + block.lines[0])
        write(os.path.join(self.project.root, name), block.text)
        if not keep:
            self.written.append(name)
        return name

    def kind_yaml(self, block):
        name = self.file(block)
        if name.startswith(".github/"):
            return self.workflow(block.text)
        if name == ".gitlab-ci.yml":
            return self.pipeline(block.text)
        require(name in (".clang-tidy", ".tensortidy.yaml"), "nothing is known about " + name)
        self.command("tensortidy -p build src/model.cpp")

    def workflow(self, text):
        """Does what GitHub does for a pull request of `work` into `main`."""
        import yaml
        job, = yaml.safe_load(text)["jobs"].values()
        clone, done = self.project.root + "/build-clone", 0
        shutil.rmtree(clone, ignore_errors=True)
        for step in job["steps"]:
            if step.get("uses", "").startswith("github/codeql-action/upload-sarif@"):
                run, = json.loads(read(os.path.join(clone, step["with"]["sarif_file"])))["runs"]
                require(run["results"], "nothing to upload")
            elif "uses" in step:
                require(step["uses"].startswith("actions/checkout@"), "what is " + step["uses"])
                depth = step.get("with", {}).get("fetch-depth", 1)
                more = ["--depth", str(depth)] if depth else []
                git(self.project.root, "clone", *more, "--branch", "work", "file://%s/.git/origin" % self.project.root, clone)
            else:
                self.command(step["run"], cwd=clone, GITHUB_BASE_REF="main")
                done += 1
        require(done, "no steps")

    def pipeline(self, text):
        """Does what GitLab does in a clone of `work`."""
        import yaml
        job, = yaml.safe_load(text).values()
        clone = self.project.root + "/build-clone"
        shutil.rmtree(clone, ignore_errors=True)
        git(self.project.root, "clone", "--branch", "work", "file://%s/.git/origin" % self.project.root, clone)
        for command in job["script"]:
            self.command(command, cwd=clone)
        require(json.loads(read(os.path.join(clone, job["artifacts"]["reports"]["codequality"]))), "no report")

    def kind_cmake(self, block):
        self.world.need_package("Unspecified")
        if "tensortidy::runtime" in block.text:
            self.world.need_package("runtime")
        self.file(block, keep=True)
        for target in re.findall(r"^tensortidy_lint\((\w+)", block.text, re.M):
            run = self.run("cmake -S . -B build-lint && cmake --build build-lint")
            require(run.returncode == 0, run.both)
            for command in ("cmake --build build-lint --target lint-" + target,
                            "ctest --test-dir build-lint --output-on-failure -R lint-" + target):
                run = self.run(command)
                require(run.returncode != 0 and FINDING.search(run.both), command + " shows no finding\n" + run.both)
        if "CXX_CLANG_TIDY" not in block.text:
            return
        shutil.rmtree(self.project.root + "/build-tidy", ignore_errors=True)
        run = self.run("cmake -S . -B build-tidy && cmake --build build-tidy")
        require(FINDING.search(run.both), "shows no finding\n" + run.both)
        # A finding of clang-tidy is a warning; ours ends the build.
        require((run.returncode != 0) == ("Tensortidy_EXECUTABLE" in block.text), run.both)

    def kind_cpp(self, block):
        if block.name():
            self.file(block, keep=True)
        elif all(line.startswith("#include <") for line in block.lines):
            self.compile("c++ -std=c++17 -fsyntax-only block.cpp", block.text)
        else:
            self.statements(block)

    def compile(self, command, text):
        write(self.project.root + "/block.cpp", text)
        run = self.run(command)
        require(run.returncode == 0, run.both)

    def statements(self, block):
        """The page's program becomes these, one after the other."""
        body, wanted = "", []
        for line in block.lines:
            code, _, remark = line.partition("//")
            match = re.match(r" throws: (.*)", remark)
            if not match:
                body += line + "\n"
                continue
            wanted.append([part.strip() for part in match[1].split("...") if part.strip()])
            body += "try { %s std::cout << \"nothing\\n\"; } catch (const std::exception &e) { std::cout << e.what() << \"\\n\"; }\n" % code
        write(self.project.root + "/program.cpp",
              "#include <iostream>\n#include <tensortidy/torch.h>\nint main() {\n%s}\n" % body)
        run = self.run("cmake --build build >build.log || { cat build.log; exit 1; }; build/program")
        require(run.returncode == 0 and wanted, run.both)
        for part in sum(wanted, []):
            require(part in run.both, "does not say '%s': %s" % (part, run.both))

    def hint_hints(self, block):
        """A line of code with the inlay hints that the server shows in it."""
        if not os.path.exists(self.world.server):
            self.notes.append("hints (tensortidy-clangd is not built)")
            return
        hint = re.compile(r": (?:Tensor )?\[[^=]*?(?= = )")
        lines = [hint.sub("", line) for line in block.lines]
        path = self.project.root + "/hints.cpp"
        text = "\n".join(["#include <ATen/ATen.h>", "void f(int64_t B, int64_t H, int64_t T) {", *lines, "}", ""])
        write(path, text)
        os.environ.update(self.world.environment)
        session = editor.Session([self.world.server, "--log=error", "--background-index=false"], self.project.root)
        uri = "file://" + path
        session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": text}})
        shown = session.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": {
            "start": {"line": 2, "character": 0}, "end": {"line": 2 + len(lines), "character": 0}}})
        require(session.end() == 0, "the server failed")
        for at in sorted(shown, key=lambda h: -h["position"]["character"]):
            label = at["label"] if isinstance(at["label"], str) else "".join(p["value"] for p in at["label"])
            if not label.startswith(": "):
                continue  # a parameter's name
            row, column = at["position"]["line"] - 2, at["position"]["character"]
            lines[row] = lines[row][:column] + label + lines[row][column:]
        require(lines == block.lines, "the server shows\n" + "\n".join(lines))

    def setting(self, block):
        if not os.path.exists(self.world.server):
            self.notes.append("settings of editors (tensortidy-clangd is not built)")
            return
        getattr(Editors(self), block.kind)(block.text)

    kind_json = kind_toml = kind_lua = kind_elisp = kind_vim = setting


def main():
    config = settings.load(sys.argv[1])
    failures = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        world = World(config, os.path.realpath(scratch))
        for name in sys.argv[2:] or PAGES:
            root = "%s/%s" % (world.root, os.path.basename(name)[:-3])
            os.makedirs(root)
            page = Page(world, name, root)
            for block in read_blocks(os.path.join(config.source_dir, name)):
                total += 1
                before = os.times()
                try:
                    page.block(block)
                except (Wrong, AssertionError) as problem:
                    failures += 1
                    print("%s:%d: %s\n" % (name, block.line, problem), flush=True)
                if os.environ.get("TIMES"):
                    print(name, block.line, os.times().children_user - before.children_user)
            for note in page.notes:
                print("%s: not run: %s" % (name, note))
    print("%d blocks, %d wrong" % (total, failures))
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
