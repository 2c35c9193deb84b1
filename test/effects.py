#!/usr/bin/env python3
"""effects.py TEST_BUILD_DIR: an analysis writes no file, loads no code and runs
no program, whoever asks for it: the compile command, --extra-arg, or ExtraArgs in
a .clang-tidy of the sources."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import settings

SOURCE = """#include "part.h"
namespace at {
struct Tensor {
  Tensor(); Tensor(const Tensor &); ~Tensor();
  Tensor contiguous() const; Tensor t() const;
};
} // namespace at
at::Tensor f(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
"""


def flags(out, root):
    """What asks for something beside the analysis; OUT is a path of its own."""

    def cc1(*words):
        return [part for word in words for part in ("-Xclang", word)]

    evil = root + "/evil.so"
    return [
        ["-MD", "-MF", out], ["-MMD"], ["-MD", "-MF" + out], ["-Wp,-MD," + out], ["-MJ", out], ["-MJ" + out],
        ["-gen-cdb-fragment-path", out], ["--serialize-diagnostics", out], ["-o", out], ["-o" + out],
        ["-save-temps"], ["-save-temps=obj"], ["--save-temps=cwd"], ["-dumpdir", out],
        ["-ftime-trace"], ["-ftime-trace=" + out], ["-fproc-stat-report=" + out], ["-fcrash-diagnostics-dir=" + out],
        ["-H"], cc1("-header-include-file", out, "-sys-header-deps"), cc1("-dependency-file", out, "-MT", "x"),
        cc1("-dependency-dot", out), cc1("-module-dependency-dir", out), cc1("-serialize-diagnostic-file", out),
        cc1("-diagnostic-log-file", out), cc1("-stats-file=" + out), cc1("-print-stats"), cc1("-o", out),
        cc1("-emit-pch", "-o", out), cc1("-emit-obj", "-o", out), cc1("-emit-module", "-o", out), cc1("-fixit"),
        cc1("-fixit=.fixed"), cc1("-fdump-record-layouts-complete"), cc1("-ast-dump-all"), cc1("-verify"),
        cc1("-ftime-trace=" + out), cc1("-opt-record-file", out), cc1("-load", evil), cc1("-add-plugin", "evil"),
        cc1("-plugin", "evil"), ["-fplugin=" + evil], ["-fpass-plugin=" + evil], ["-emit-llvm"], ["-S"], ["-E"],
        ["-fsave-optimization-record", "-foptimization-record-file=" + out], ["-fstack-usage"], ["-gsplit-dwarf", "-g"],
        ["--coverage"], ["-fprofile-generate=" + out], ["-fmodules", "-fmodules-cache-path=" + out],
        ["-fmodules", "-fcxx-modules", "-fmodules-cache-path=" + out, "-fmodule-map-file=" + root + "/module.modulemap"],
        ["-fmodule-output=" + out], ["--analyze"], ["-v"], ["-###"], ["-mllvm", "-info-output-file=" + out],
        ["-x", "cuda", "--offload-arch=native", "--nvptx-arch-tool=" + root + "/tool", "-nocudainc", "-nocudalib"],
        ["-fopenmp", "-fopenmp-targets=nvptx64", "-Xopenmp-target", "-march=native", "-B" + root + "/tools"],
        ["-Xarch_host", "-MJ" + out], ["--config=" + root + "/clang.cfg"],
    ]


def digest(root):
    """Every file below a folder, with what it holds."""
    seen = {}
    for folder, folders, files in os.walk(root):
        for name in folders:
            seen[os.path.join(folder, name)] = "folder"
        for name in files:
            path = os.path.join(folder, name)
            seen[path] = hashlib.sha256(open(path, "rb").read()).hexdigest()
    return seen


def prepare(root, llvm_bin):
    for folder in ("home", "tmp", "tools"):
        os.mkdir(root + "/" + folder)
    open(root + "/part.h", "w").write("#pragma once\n")
    open(root + "/module.modulemap", "w").write('module part { header "part.h" }\n')
    open(root + "/clang.cfg", "w").write("-MJ" + root + "/out-config\n")
    open(root + "/evil.c", "w").write(
        '#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fclose(fopen("%s/loaded", "w")); }\n' % root)
    subprocess.run([llvm_bin + "/clang", "-shared", "-fPIC", "-o", root + "/evil.so", root + "/evil.c"], check=True)
    for name in ("tool", "tools/nvptx-arch", "tools/amdgpu-arch", "tools/offload-arch"):
        open(root + "/" + name, "w").write("#!/bin/sh\ntouch %s/ran\necho sm_70\n" % root)
        os.chmod(root + "/" + name, 0o755)


def main():
    config = settings.load(sys.argv[1])
    tool = config.build_dir + "/bin/tensortidy"
    bad = []
    root = tempfile.mkdtemp(prefix="tensortidy-effects-")
    try:
        prepare(root, config.llvm_bin)
        count = len(flags("", root))
        env = dict(os.environ, HOME=root + "/home", TMPDIR=root + "/tmp", XDG_CACHE_HOME=root + "/home/cache")

        def run(arguments, cwd):
            return subprocess.run([tool, "--quiet", "--no-cache"] + arguments, cwd=cwd, env=env, text=True, timeout=600,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        for way in ("command", "configuration", "extra-arg"):
            cases, entries = [], []
            for index in range(count):
                folder = "%s/%s/%d" % (root, way, index)
                os.makedirs(folder)
                case = flags("%s/out-%s-%d" % (root, way, index), root)[index]
                cases.append((folder, case))
                open(folder + "/a.cpp", "w").write(SOURCE)
                own = case if way == "command" else []
                entries.append({"directory": folder, "file": folder + "/a.cpp",
                                "arguments": ["clang++", "-I" + root] + own + ["-c", folder + "/a.cpp"]})
                if way == "configuration":
                    key = "ExtraArgs" if index % 2 else "ExtraArgsBefore"
                    open(folder + "/.clang-tidy", "w").write(json.dumps({key: case}))
            open(root + "/compile_commands.json", "w").write(json.dumps(entries))
            before = digest(root)
            if way == "extra-arg":
                runs = [(case, run(["-p", root, folder + "/a.cpp"] + ["--extra-arg=" + word for word in case], folder))
                        for folder, case in cases[::4]]  # the same place as ExtraArgs: one in four is enough
                for case, done in runs:
                    if "a.cpp:8:" not in done.stdout:
                        bad.append("%s: not analysed with %s: %s%s" % (way, case, done.stdout, done.stderr))
            else:
                done = run(["-p", root, "-j", "2"], root)
                for folder, case in cases:
                    # Clang refuses to compile a module of a source.
                    if folder + "/a.cpp:8:" not in done.stdout and "-emit-module" not in case:
                        bad.append("%s: not analysed with %s: %s" % (way, case, done.stderr))
            after = digest(root)
            for path in sorted(set(before) | set(after)):
                if before.get(path) != after.get(path):
                    bad.append("%s: %s was written" % (way, path))
    finally:
        shutil.rmtree(root)
    print("%d sets of flags in three places" % count)
    if bad:
        sys.exit("\n".join(bad))


main()
