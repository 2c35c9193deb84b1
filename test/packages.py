#!/usr/bin/env python3
"""What is installed beside the programs, and the packages.

  packages.py BUILD/test        completions in the shells that are here, man pages, the Debian packages
  packages.py --try BIN KIND    uses the programs in BIN, where a package of a KIND was installed: deb or wheel

`test/systems packages` does the second in systems that have nothing else.
"""

import gzip
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import editor  # noqa: E402
import settings  # noqa: E402
from blocks import read, write  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATIENCE = 60  # seconds for a shell, on a busy machine


def output(*command, **more):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    assert run.returncode == 0, "%s: %d\n%s%s" % (command, run.returncode, run.stdout, run.stderr)
    return run.stdout


def here(*programs):
    """Whether they are installed; says so when they are not."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print("passed over, for want of " + ", ".join(missing))
    return not missing


# --- completions ---

# What is typed before the key, and the words that the program is given then.
TYPED = (
    ("--update-b", ["--update-baseline"]),
    ("--output-format=sar", ["--output-format=sarif"]),
    ("--output-format sar", ["--output-format", "sarif"]),
    ("--checks=tensor-lost-write,tensor-view", ["--checks=tensor-lost-write,tensor-view-after-permute"]),
    ("--warnings-as-errors tensor-view", ["--warnings-as-errors", "tensor-view-after-permute"]),
    ("-p bui", ["-p", "build"]),
    ("--baseline old", ["--baseline", "old.json"]),
    ("--baseline=old", ["--baseline=old.json"]),
    ("--completion=fi", ["--completion=fish"]),
    ("expla", ["explain"]),
    ("--quiet src/mo", ["--quiet", "src/model.cpp"]),
    ("--quiet expl", ["--quiet", "explorer.cpp"]),  # `explain` comes first in a line, or not at all
)


class Shell:
    """An interactive bash or zsh, in which a function in place of the program prints the words it is given."""

    # Between characters that nobody types.
    ECHO = "tensortidy() { printf '\\001%s\\002' \"$@\"; printf '\\006'; }\n"

    def __init__(self, command, setup, root):
        process, self.file = pty.fork()
        if process == 0:
            os.chdir(root)
            os.execvpe(command[0], command, dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8", HOME=root))
        self.process = process
        self.type(setup + "\n" + self.ECHO)
        assert self.words("begin\n") == ["begin"]

    def type(self, keys):
        os.write(self.file, keys.encode())

    def words(self, keys):
        self.type("tensortidy " + keys)
        seen, end = "", time.monotonic() + PATIENCE
        while "\6" not in seen:
            ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.monotonic()))
            assert ready, "%r: the shell printed only %r" % (keys, seen)
            seen += os.read(self.file, 4096).decode(errors="replace")
        return re.findall("\1(.*?)\2", seen)

    def end(self):
        self.type("\x03\nexit\n")
        os.close(self.file)
        os.waitpid(self.process, 0)


def options_of(tool):
    """As --help lists them."""
    options = re.findall(r"^  (--?[a-z-]+)", output(tool, "--help"), re.M)
    assert len(options) > 30 and "--completion" in options, options
    return options


def check_completions(tool, root):
    os.makedirs(root + "/src")
    os.makedirs(root + "/build")
    for name in ("src/model.cpp", "build.log", "old.json", "explorer.cpp"):
        write(root + "/" + name, "")
    scripts = {}
    for shell in ("bash", "zsh", "fish"):
        scripts[shell] = root + "/." + shell
        write(scripts[shell], output(tool, "--completion=" + shell))
        for option in options_of(tool):
            word = option.lstrip("-") if shell == "fish" else option
            assert re.search(r"[\s'*]%s[\s'=+\[]" % re.escape(word), read(scripts[shell])), (shell, option)
    run = subprocess.run([tool, "--completion=tcsh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and "bash, zsh or fish, not 'tcsh'" in run.stderr and not run.stdout, run

    commands = {
        "bash": (["bash", "--norc", "-i"], "source " + scripts["bash"]),
        "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; source %s; compdef _tensortidy tensortidy" % scripts["zsh"]),
    }
    for name, (command, setup) in commands.items():
        if not here(name):
            continue
        shell = Shell(command, setup, root)
        for typed, words in TYPED:
            given = [word.rstrip("/") for word in shell.words(typed + "\t\n")]  # zsh takes it away
            assert given == words, (name, typed, given)
        if name == "bash":  # M-* inserts them all
            given = {word.rstrip("=") for word in shell.words("--\x1b*\n")}
            assert given == {o for o in options_of(tool) if o.startswith("--")}, given
            given = shell.words("--output-format=\x1b*\n")
            assert [word.split("=")[-1] for word in given] == sorted("text json sarif github gitlab checkstyle rdjson".split()), given
        shell.end()
        print(name + ": completes")
    if here("fish"):
        def completed(line):
            script = "source %s; complete -C 'tensortidy %s'" % (scripts["fish"], line)
            return [one.split("\t")[0].rstrip("/") for one in output("fish", "--no-config", "-c", script, cwd=root,
                                                         env=dict(os.environ, HOME=root)).splitlines()]
        for typed, words in TYPED:
            assert completed(typed) == words[-1:], ("fish", typed, completed(typed))
        assert {o for o in options_of(tool) if o.startswith("--")} <= set(completed("--")), completed("--")
        print("fish: completes")


# --- man pages ---


def check_man(build, programs):
    if not here("help2man", "man", "lexgrog"):
        return
    for program in programs:
        page = "%s/share/generated/%s.1" % (build, program)
        run = subprocess.run(["man", "--warnings", "--encoding=UTF-8", "--local-file", page], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=dict(os.environ, MANWIDTH="200", LC_ALL="C.UTF-8"))
        assert run.returncode == 0 and not run.stderr, run.stderr
        assert re.match(r'%s: "%s - [a-z]' % (re.escape(page), program), output("lexgrog", page)), output("lexgrog", page)
        if program == "tensortidy":
            for option in options_of(build + "/bin/" + program):
                assert re.search(r"^ +%s\b" % re.escape(option), run.stdout, re.M), "%s is not in the man page" % option
            for section in ("SYNOPSIS", "OPTIONS", "SEE ALSO"):
                assert re.search("^ *%s$" % section, run.stdout, re.M), run.stdout
    print("man pages: %d" % len(programs))


# --- Debian packages ---

FILES = {
    "tensortidy": ["/usr/bin/tensortidy", "/usr/bin/tensortidy-changed", "/tensortidy/plugins/tensortidy-tidy-", "/TensortidyConfig.cmake",
                   "/TensortidyLint.cmake", "/share/bash-completion/completions/tensortidy", "/share/zsh/vendor-completions/_tensortidy",
                   "/share/fish/vendor_completions.d/tensortidy.fish", "/man1/tensortidy.1.gz", "/man1/tensortidy-changed.1.gz",
                   "/share/doc/tensortidy/checks/index.md", "/share/tensortidy/cuda/include/"],
    "tensortidy-clangd": ["/usr/bin/tensortidy-clangd", "/man1/tensortidy-clangd.1.gz"],
    "libtensortidy-dev": ["/libtensortidy_runtime.a", "/include/tensortidy/torch.h", "/TensortidyTargets.cmake"],
}
# Each package has them from what shlibdeps says of its programs, or by name.
NEEDS = {
    "tensortidy": ["libllvm19", "libclang-cpp19", "libclang-common-19-dev", "libc6", "python3"],
    "tensortidy-clangd": ["libllvm19", "libclang-cpp19", "libclang-common-19-dev", "libprotobuf", "libgrpc"],
    "libtensortidy-dev": ["tensortidy"],
}


def check_debian(build, version, release, scratch):
    if not here("cpack", "dpkg-deb", "dpkg-shlibdeps", "file", "help2man"):
        return
    # Sizes do not matter here, time does.
    output("cpack", "--config", build + "/CPackConfig.cmake", "-B", scratch, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=build)
    packages = {name.split("_")[0]: scratch + "/" + name for name in os.listdir(scratch) if name.endswith(".deb")}
    wanted = [name for name in FILES if name != "tensortidy-clangd" or os.path.exists(build + "/bin/tensortidy-clangd")]
    assert sorted(packages) == sorted(wanted), packages
    for name, path in packages.items():
        fields = dict(re.findall(r"^(\S+): (.*)$", output("dpkg-deb", "-f", path), re.M))
        assert fields["Version"] == version + "-1", fields
        needs = fields["Depends"].split(", ")
        for need in NEEDS[name]:
            need = need.replace("19", release)
            assert any(one.startswith(need) for one in needs), (name, need, needs)
        listed = re.findall(r"^\S+ root/root .*? (\./\S+)", output("dpkg-deb", "-c", path), re.M)
        for file in FILES[name] + ["/doc/%s/copyright" % name, "/doc/%s/changelog.Debian.gz" % name]:
            assert any(file in one for one in listed), (name, file, listed)
        assert not any(one.endswith("/LICENSE") for one in listed), listed
        unpacked = scratch + "/" + name
        output("dpkg-deb", "-x", path, unpacked)
        changes = gzip.open("%s/usr/share/doc/%s/changelog.Debian.gz" % (unpacked, name), "rt").read()
        assert changes.startswith("tensortidy (%s-1) " % version), changes
    print("packages: " + ", ".join(sorted(packages)))
    if here("lintian"):
        run = subprocess.run(["lintian", "--fail-on", "error,warning", *packages.values()], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        said = [line for line in run.stdout.splitlines() if line[:1] in "EW"]
        assert run.returncode == 0 and not said, run.stdout + run.stderr
        print("lintian: nothing")


# --- an installation ---

FOUND = ["tensor-view-after-permute", "tensor-redundant-contiguous", "tensor-redundant-contiguous"]


def try_installed(bin, kind):
    """With a compiler's C++ library and no LLVM but what the package brought or asked for."""
    tool, server = bin + "/tensortidy", bin + "/tensortidy-clangd"
    version = re.search(r"project\(Tensortidy VERSION ([0-9.]+)", read(TOP + "/CMakeLists.txt"))[1]
    for program in (tool, server):
        first = output(program, "--version").split("\n")[0]
        assert re.match(r"tensortidy(-clangd)? %s( |$)" % re.escape(version), first), first
    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        shutil.copytree(TOP + "/docs/examples/matrix", root + "/matrix")
        path = root + "/matrix/matrix.cpp"
        found = [check for check, _, _ in sorted(editor.command_line(tool, path, ["-std=c++17"]), key=lambda f: f[1])]
        assert found == FOUND, found
        session = editor.Session([server, "--log=error", "--background-index=false"], root + "/matrix")
        editor.check_open(session, tool, root + "/matrix", "matrix.cpp", ["-std=c++17"])
        assert session.end() == 0
        print("%s: %d findings, in the language server too" % (kind, len(found)))
        output("git", "init", "-q", cwd=root)
        output("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "first", cwd=root)
        output("git", "add", ".", cwd=root)
        run = subprocess.run([bin + "/tensortidy-changed", "HEAD", "--quiet"], cwd=root, stdout=subprocess.PIPE, text=True)
        assert run.returncode == 1 and re.findall(r"\[(tensor-[\w-]+)\]$", run.stdout, re.M) == FOUND, run
        cuda = output(tool, "--cuda-flags")
        assert os.path.isdir(re.search(r"(/\S+/tensortidy/cuda/include)\b", cuda)[1]), cuda
        if kind == "wheel":
            assert output(sys.executable if bin == os.path.dirname(sys.executable) else bin + "/python", "-m", "tensortidy",
                          "--version") == output(tool, "--version")
            run = subprocess.run([tool, "--plugin-path"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            assert run.returncode == 2 and "the plugin is not installed" in run.stderr, run
        else:
            assert os.path.exists(output(tool, "--plugin-path").strip())
            use_cmake(root)


def use_cmake(root):
    """find_package() of what the packages installed: the runtime, and a build target and a test that lint."""
    write(root + "/CMakeLists.txt", """cmake_minimum_required(VERSION 3.20)
project(uses CXX)
enable_testing()
find_package(Tensortidy REQUIRED COMPONENTS runtime)
add_executable(uses uses.cpp)
target_link_libraries(uses PRIVATE tensortidy::runtime)
add_library(matrix OBJECT matrix/matrix.cpp)
tensortidy_lint(uses matrix)
""")
    write(root + "/uses.cpp", """#include <tensortidy/torch.h>
int main() { return torch::zeros({2, 3}).t().reshape({6}).numel() == 6 ? 0 : 1; }
""")
    output("cmake", "-S", root, "-B", root + "/build")
    output("cmake", "--build", root + "/build")
    output(root + "/build/uses")
    run = subprocess.run(["cmake", "--build", root + "/build", "--target", "lint-matrix"], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    assert run.returncode != 0 and run.stdout.count("[tensor-") == len(FOUND), run.stdout
    run = subprocess.run(["ctest", "--test-dir", root + "/build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert re.search(r"lint-uses \.+ +Passed", run.stdout) and re.search(r"lint-matrix \.+\*\*\*Failed", run.stdout), run.stdout
    print("CMake: a program of the runtime, two lint targets, two tests")


def main():
    if sys.argv[1] == "--try":
        try_installed(os.path.abspath(sys.argv[2]), sys.argv[3])
        return
    config = settings.load(sys.argv[1])
    build, tool = config.build_dir, config.build_dir + "/bin/tensortidy"
    version = output(tool, "--version").split()[1]
    programs = ["tensortidy", "tensortidy-changed"]
    if os.path.exists(build + "/bin/tensortidy-clangd"):
        programs.append("tensortidy-clangd")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = os.path.realpath(scratch)
        os.makedirs(scratch + "/packages")
        check_completions(tool, scratch + "/shell")
        check_man(build, programs)
        check_debian(build, version, config.release, scratch + "/packages")


if __name__ == "__main__":
    main()
