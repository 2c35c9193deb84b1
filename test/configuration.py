#!/usr/bin/env python3
"""configuration.py TEST_BUILD_DIR: every key of a .clang-tidy means to the command
line what it means to the clang-tidy of the same release with the plugin. The list
of keys is taken from LLVM's header: one without a case here fails."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import settings

TENSOR = """namespace at {
struct Tensor {
  Tensor(); Tensor(const Tensor &); ~Tensor();
  Tensor contiguous() const; Tensor t() const;
};
} // namespace at
"""


def finding(name):
    return "at::Tensor %s(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }\n" % name


PART = "#pragma once\n" + TENSOR + "inline " + finding("part")
SOURCE = '#include "part.h"\n' + finding("f")
GUARDED = '#include "part.h"\n#ifdef ON\n' + finding("f") + "#endif\n"
# A fix takes `.contiguous()` away and leaves what stands behind it ill spaced.
SPACED = '#include "part.h"\nat::Tensor f(at::Tensor x) { auto y = x.t().contiguous();\n    return   y.contiguous(); }\n'
CHECKS = "Checks: '-*,tensor-*'\n"
OURS = CHECKS + "HeaderFilterRegex: '^$'\n"  # the default differs between releases
MAIN, HEADER = "a.cpp:2: warning", "part.h:8: warning"


class Case:
    """A project, and what must be said of it without and with the key."""

    def __init__(self, config, without, with_key, base=OURS, source=SOURCE, flags=(), arguments=(), files=()):
        self.config, self.base, self.source = config, base, source
        self.without, self.with_key = without, with_key
        self.flags, self.arguments, self.files = list(flags), list(arguments), dict(files)


CASES = {
    "Checks": Case("Checks: '-*,tensor-view-after-permute'\n", {MAIN}, set()),
    "WarningsAsErrors": Case("WarningsAsErrors: 'tensor-*'\n", {MAIN}, {"a.cpp:2: error"}),
    "HeaderFilterRegex": Case("HeaderFilterRegex: 'part'\n", {MAIN}, {MAIN, HEADER},
                              base=CHECKS),
    "ExcludeHeaderFilterRegex": Case("ExcludeHeaderFilterRegex: 'part'\n", {MAIN, HEADER}, {MAIN},
                                     base=CHECKS + "HeaderFilterRegex: '.*'\n"),
    "SystemHeaders": Case("SystemHeaders: true\n", {MAIN}, {MAIN, "part.h:8: warning"},
                          base=CHECKS + "HeaderFilterRegex: '.*'\n", source=SOURCE.replace('"part.h"', "<system/part.h>"),
                          flags=["-isystem", "."], files={"system/part.h": PART}),
    "CheckOptions": Case("CheckOptions: { tensor-cache-flush-in-loop.Level: 2 }\n", set(), {"a.cpp:3: warning"},
                         source='#include "part.h"\nnamespace c10::cuda::CUDACachingAllocator { void emptyCache(); }\n'
                                "void g(at::Tensor x, int n) { for (int i = 0; i < n; ++i) { x = x.t(); "
                                "c10::cuda::CUDACachingAllocator::emptyCache(); } }\n"),
    "ExtraArgs": Case("ExtraArgs: ['-DON']\n", set(), {"a.cpp:3: warning"}, source=GUARDED),
    "ExtraArgsBefore": Case("ExtraArgsBefore: ['-DON']\n", set(), {"a.cpp:3: warning"}, source=GUARDED),
    "RemovedArgs": Case("RemovedArgs: ['-DON']\n", {"a.cpp:3: warning"}, set(), source=GUARDED, flags=["-DON"]),
    "InheritParentConfig": Case("InheritParentConfig: true\n", {MAIN}, {"a.cpp:2: error"},
                                files={"../.clang-tidy": OURS + "WarningsAsErrors: 'tensor-*'\n"}),
    "UseColor": Case("UseColor: true\n", {MAIN}, {MAIN, "colour"}),
    "FormatStyle": Case("FormatStyle: llvm\n", {"a.cpp:3: warning"}, {"a.cpp:3: warning"}, source=SPACED,
                        arguments=["--fix"]),
    # These are about other people's checks.
    "HeaderFileExtensions": Case("HeaderFileExtensions: ['cpp']\n", {MAIN}, {MAIN}),
    "ImplementationFileExtensions": Case("ImplementationFileExtensions: ['h']\n", {MAIN}, {MAIN}),
    "User": Case("User: somebody\n", {MAIN}, {MAIN}),
    "CustomChecks": Case("CustomChecks: []\n", {MAIN}, {MAIN}),
}


def keys(config):
    path = os.path.join(config.llvm_bin, "..", "include", "clang-tidy", "ClangTidyOptions.h")
    text = open(path).read()
    text = text[text.index("struct ClangTidyOptions {"):text.index("class ClangTidyOptionsProvider")]
    found = re.findall(r"^  std::optional<.*> (\w+);", text, re.M) + re.findall(r"^  OptionMap (\w+);", text, re.M)
    return sorted(found)


def said(output):
    """{"a.cpp:2: warning"}"""
    found = {"colour"} if "\x1b[" in output else set()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    for line in plain.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: (warning|error): .*\[tensor-", line)
        if match:
            found.add("%s:%s: %s" % (os.path.basename(match.group(1)), match.group(2), match.group(3)))
    return found


def main():
    config = settings.load(sys.argv[1])
    tool = config.build_dir + "/bin/tensortidy"
    plugin = subprocess.run([tool, "--plugin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    hosts = {
        "tensortidy": [tool, "--quiet"],
        "clang-tidy": [config.llvm_bin + "/clang-tidy", "--quiet", "--load", plugin],
    }
    wanted, bad = keys(config), []
    for key in wanted:
        if key not in CASES:
            bad.append("%s: a key of LLVM %s that this test has no case for" % (key, config.release))
    root = tempfile.mkdtemp(prefix="tensortidy-configuration-")
    try:
        for key in wanted:
            case = CASES.get(key)
            if not case:
                continue
            results = {}
            for host, command in hosts.items():
                for kind in ("without", "with"):
                    folder = "%s/%s/%s-%s/project" % (root, key, host, kind)
                    os.makedirs(folder)
                    text = case.base + case.config if kind == "with" else case.base
                    if key == "Checks" and kind == "with":
                        text = case.config
                    for name, content in dict({".clang-tidy": text, "a.cpp": case.source, "part.h": PART},
                                              **case.files).items():
                        path = os.path.join(folder, name)
                        os.makedirs(os.path.dirname(path), exist_ok=True)
                        open(path, "w").write(content)
                    # From the folder itself: LLVM 19's clang-tidy takes the header
                    # filter of the working directory, whatever file it looks at.
                    done = subprocess.run(command + case.arguments + ["a.cpp", "--", "-std=c++17"] + case.flags,
                                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    expected = case.with_key if kind == "with" else case.without
                    if host == "clang-tidy" and key == "HeaderFilterRegex" and kind == "without":
                        expected = said(done.stdout)  # the default differs between releases
                    if said(done.stdout) != expected:
                        bad.append("%s, %s %s the key: %s instead of %s\n%s" % (
                            key, host, kind, sorted(said(done.stdout)), sorted(expected), done.stdout))
                    results[host, kind] = open(folder + "/a.cpp").read()
                    if host == "tensortidy" and not case.arguments:
                        elsewhere = subprocess.run(
                            command + [folder + "/a.cpp", "--", "-std=c++17", "-I" + folder] +
                            [flag.replace(".", folder) if flag == "." else flag for flag in case.flags],
                            cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                        if said(elsewhere.stdout) != expected:
                            bad.append("%s: from another folder tensortidy says %s instead of %s" % (
                                key, sorted(said(elsewhere.stdout)), sorted(expected)))
            for kind in ("without", "with"):
                if results["tensortidy", kind] != results["clang-tidy", kind]:
                    bad.append("%s: the fixed sources differ %s the key:\n%s---\n%s" % (
                        key, kind, results["tensortidy", kind], results["clang-tidy", kind]))
            if key == "FormatStyle" and results["tensortidy", "with"] == results["tensortidy", "without"]:
                bad.append("FormatStyle: makes no difference")
    finally:
        shutil.rmtree(root)
    print("%d keys of LLVM %s" % (len(wanted), config.release))
    if bad:
        sys.exit("\n".join(bad))


main()
