#!/usr/bin/env python3
"""Runs what is compared with libtorch on other releases of it than the one installed here.

    test/releases.py                        every comparison, with 2.6 and 2.14
    test/releases.py 2.14                   with one of them
    test/releases.py 2.14 differential      one comparison; judges, lifetimes, claims, lit, operations are the others
    test/releases.py 2.14 differential -- --seed 5 --whole
                                            options of tensortidy-differential, or of lit

A release comes from the Debian that has it, whose root is made once, with mmdebstrap, in build/systems/NAME, and kept. The
programs are built there, in a folder of the root, from the sources as they are here, with the runtime that is built here.
lifetimes, claims and lit also need tensortidy, which reads that release's headers.

--there only uses a root that is there. --build DIR is the build directory here; build where it is not given.

Exit status: 0 when everything agrees, 1 when something does not, 77 when the release cannot be had, with a notice why.
"""

import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def module(name):
    """A program of the tests as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(HERE / name))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(loaded)
    return loaded


systems = module("systems")
settings = module("settings.py")

# The Debian that has it, and the C++ that its headers are to be read as.
RELEASES = {"2.6": ("trixie", 17), "2.14": ("sid", 20)}
COMPARISONS = ["operations", "judges", "differential", "lifetimes", "claims", "lit"]
PACKAGES = "g++,cmake,ninja-build,libtorch-dev,libopenblas-dev,zlib1g-dev,python3"
SOURCES, BUILD = "/srv/sources", "/srv/build"  # inside the root
RUNTIME = "tensortidy_breakable_runtime"
PROGRAMS = 20000
# Cases of lit that read libtorch's headers, but for those that run programs: these are compared by themselves.
READS_HEADERS = re.compile(r"^.*RUN:.*%(aten|torch|plain-torch|libtorch-headers)\b", re.M)
COMPARED = ("judges", "lifetimes", "claims", "programs", "models")
# Checks whose findings the programs of lifetimes prove.
OF_LIFETIMES = "--checks=-*,tensor-dangling-data-pointer,tensor-from-blob-lifetime,tensor-raw-pointer-layout"
SKIPPED = 77


def skip(text):
    print("notice: skipped: " + text, flush=True)
    sys.exit(SKIPPED)


class System:
    """A Debian with a release of libtorch, and what is built there."""

    def __init__(self, release):
        self.release = release
        self.suite, self.standard = RELEASES[release]
        self.name = self.suite + "-libtorch"
        self.root = systems.PLACE / self.name

    def make(self):
        part = self.root.with_name(self.name + ".part")
        if part.exists():
            systems.remove(part)
        log = systems.PLACE / (self.name + ".log")
        systems.say("making {}: log in {}".format(self.root, log))
        command = ["mmdebstrap", "--variant=apt", "--include=" + PACKAGES]
        try:
            command += ["--aptopt=" + option for option in systems.apt_options()]
            command += [self.suite, str(part), *systems.archives(self.suite)]
        except (SystemExit, OSError, subprocess.CalledProcessError):
            skip("this is no Debian whose apt knows where {} is".format(self.suite))
        with open(log, "w") as out:
            status = subprocess.run(systems.apart(*command), stdin=subprocess.DEVNULL, stdout=out, stderr=out).returncode
        if status != 0:
            skip("mmdebstrap failed for {}, see {}".format(self.suite, log))
        part.rename(self.root)  # from here on it counts as whole

    def inside(self, *command):
        """The command line that runs another inside the root, where the sources are, and nothing of it outlives us."""
        root = shlex.quote(str(self.root))
        mounts = ["mkdir -p {0}{1} {0}{2}", "mount -t proc proc {0}/proc", "mount --rbind /sys {0}/sys",
                  "mount --rbind /dev {0}/dev", "mount --bind {3} {0}{1}"]
        environment = ["HOME=/root", "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "OMP_NUM_THREADS=1"]
        chroot = shlex.join(["chroot", str(self.root), "env", "-i", *environment, *command])
        lines = [line.format(root, SOURCES, BUILD, shlex.quote(str(systems.TOP))) for line in mounts]
        return systems.apart("sh", "-c", " && ".join([*lines, "exec " + chroot]))

    def build(self, here, targets):
        """Builds there; what is needed from \p here, a build directory of ours, is brought up to date first."""
        log = systems.PLACE / (self.name + "-build.log")
        runtime = "{}/{}/lib/lib{}.a".format(SOURCES, here.relative_to(systems.TOP), RUNTIME)
        steps = [["ninja", "-C", str(here), RUNTIME],
                 self.inside("cmake", "-S", SOURCES + "/test/releases", "-B", BUILD, "-G", "Ninja", "-DRUNTIME=" + runtime),
                 self.inside("ninja", "-C", BUILD, *targets)]
        environment = settings.for_editors()  # ccache has its own place, which no test takes away
        with open(log, "w") as out:
            for step in steps:
                if subprocess.run(step, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment).returncode != 0:
                    out.flush()
                    print(log.read_text(errors="replace")[-4000:])
                    print("error: {} failed, see {}".format(" ".join(step[:3]), log))
                    sys.exit(1)

    def run(self, program, *arguments, **more):
        command = self.inside(BUILD + "/bin/" + program, *arguments)
        return subprocess.run(command, stdin=subprocess.DEVNULL, text=True, errors="replace", **more)

    def flags(self):
        """What reads this release's headers here, without the C library's beside them."""
        headers = systems.PLACE / (self.name + "-headers")
        headers.mkdir(exist_ok=True)
        for name in ("ATen", "c10", "caffe2", "torch"):
            link = headers / name
            if not link.is_symlink():
                link.symlink_to(self.root / "usr/include" / name)
        return ["-std=c++{}".format(self.standard), "-isystem", str(headers), "-isystem",
                str(headers / "torch/csrc/api/include")]


def lint(tool, arguments, flags, output):
    with open(output, "w") as out:
        status = subprocess.run([tool, "--quiet", "--use-color=0", *arguments, "--", *flags], stdout=out).returncode
    if status not in (0, 1):
        print("error: tensortidy ended with {}".format(status))
        sys.exit(1)


def operations(system, tool, options):
    """Which of its operations have no model."""
    models = systems.TOP / "lib/Frontend/models/libtorch.yaml"
    headers = system.root / "usr/include/ATen/ops"
    return subprocess.run([sys.executable, str(HERE / "models/native.py"), str(models), str(HERE / "models/calls.txt"),
                           str(headers)]).returncode


def judges(system, tool, options):
    return system.run("judges-libtorch").returncode


def differential(system, tool, options):
    return system.run("tensortidy-differential", "--seed", "1", "--programs", str(PROGRAMS), *options).returncode


def lifetimes(system, tool, options):
    cases = [str(HERE / "lifetimes" / name) for name in
             ("dangling.cpp", "blobs.cpp", "pointers.cpp", "holders.cpp", "moved.cpp", "findings.cpp")]
    found = system.root / BUILD[1:] / "lifetimes.txt"
    lint(tool, [OF_LIFETIMES, *cases], [*system.flags(), "-DLIFETIMES_LIBTORCH"], found)
    return system.run("lifetimes-libtorch", "--lint", BUILD + "/lifetimes.txt").returncode


def claims(system, tool, options):
    """As in claims/claims.test and claims/programs.test."""
    place = system.root / BUILD[1:]
    functions, found, layouts = place / "claims.cpp", place / "claims.txt", place / "claims.layouts"
    with open(functions, "w") as out:
        system.run("claims-libtorch", "1", "600", "40", stdout=out)
    lint(tool, [str(functions)], system.flags(), found)
    compare = [sys.executable, str(HERE / "claims/claims.py"), str(functions), str(found)]
    bad = subprocess.run([*compare, "80"]).returncode
    system.run("tensortidy-differential", "--seed", "1", "--programs", "600", "--claims", BUILD + "/claims.cpp")
    lint(tool, ["--checks=-*,tensor-*", str(functions)], system.flags(), found)
    lint(tool, ["--print-layouts", str(functions)], system.flags(), layouts)
    return subprocess.run([*compare, "45", str(layouts)]).returncode or bad


def precompiled(system, config, place):
    """Headers of this release, parsed once for all cases, and those of the runtime, as they are built here."""
    clang = [config.llvm_bin + "/clang++", "-D__clang_analyzer__", "-w", "-fpch-instantiate-templates", "-x", "c++-header"]
    newest = max(os.path.getmtime(os.path.realpath(path)) for path in (clang[0], system.root / "usr/include/torch"))
    for name, header in (("ATen", "ATen/ATen.h"), ("torch", "torch/torch.h")):
        made = place / (name + ".pch")
        if made.exists() and made.stat().st_mtime > newest:
            continue
        source = place / (name + "-pch.h")
        source.write_text("#include <{}>\n".format(header))
        subprocess.run([*clang, *system.flags(), str(source), "-o", str(made)], check=True)
    for name in ("runtime.pch", "runtime-torch.pch"):
        link = place / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.join(config.test_dir, name))


def lit(system, tool, options):
    """The cases of lit that read libtorch's headers, with those of this release."""
    config = settings.load(str(pathlib.Path(tool).parent.parent / "test"))
    place = systems.PLACE / (system.name + "-lit")
    place.mkdir(exist_ok=True)
    precompiled(system, config, place)
    changed = {"test_dir": str(place), "torch_flags": shlex.join(system.flags()), "libtorch_release": system.release,
               "torch_headers": str(systems.PLACE / (system.name + "-headers"))}
    lines = ["config.{} = {!r}\n".format(name, value) for name, value in {**vars(config), **changed}.items()]
    lines.append("lit_config.load_config(config, {!r})\n".format(str(HERE / "lit.cfg.py")))
    (place / "lit.site.cfg.py").write_text("".join(lines))
    files = [path.relative_to(HERE) for path in sorted(HERE.rglob("*.*")) if path.suffix in (".cpp", ".cu", ".test")]
    cases = [str(place / path) for path in files
             if path.parts[0] not in COMPARED and READS_HEADERS.search((HERE / path).read_text())]
    return subprocess.run([sys.executable, config.lit, "-s", "-v", *cases, *options]).returncode


TARGETS = {"operations": [], "lit": [], "judges": ["judges-libtorch"], "differential": ["tensortidy-differential"], "lifetimes": ["lifetimes-libtorch"],
           "claims": ["claims-libtorch", "tensortidy-differential"]}


def main(arguments):
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip())
        return 0
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    arguments, options = arguments[:cut], arguments[cut + 1:]
    there, here = False, systems.TOP / "build"
    releases, comparisons = [], []
    words = iter(arguments)
    for word in words:
        if word == "--there":
            there = True
        elif word == "--build":
            here = pathlib.Path(next(words, "")).resolve()
        elif word in RELEASES:
            releases.append(word)
        elif word in COMPARISONS:
            comparisons.append(word)
        else:
            systems.die("{} is no release and no comparison: {}".format(word, ", ".join([*RELEASES, *COMPARISONS])))
    releases, comparisons = releases or list(RELEASES), comparisons or COMPARISONS
    if os.geteuid() != 0:
        skip("making and entering another system needs root")
    if not shutil.which("unshare") or subprocess.run(systems.apart("mount", "-t", "tmpfs", "none", "/mnt"),
                                                     stderr=subprocess.DEVNULL).returncode != 0:
        skip("nothing can be mounted here")

    systems.PLACE.mkdir(parents=True, exist_ok=True)
    bad = 0
    for release in releases:
        system = System(release)
        with open(systems.PLACE / (system.name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two at once build once
            os.set_inheritable(lock.fileno(), False)
            if not system.root.is_dir():
                if there or not shutil.which("mmdebstrap"):
                    skip("there is no {}; test/releases.py {} makes it, with mmdebstrap".format(system.root, release))
                system.make()
            if targets := [target for name in comparisons for target in TARGETS[name]]:
                system.build(here, targets)
        for name in comparisons:
            print("{} with libtorch {}:".format(name, release), flush=True)
            status = globals()[name](system, str(here / "bin/tensortidy"), options)
            print("{} with libtorch {}: {}".format(name, release, "agrees" if status == 0 else "failed"), flush=True)
            bad |= status != 0
    return 1 if bad else 0


if __name__ == "__main__":
    # So that what it started is ended and waited for.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
