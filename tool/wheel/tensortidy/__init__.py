"""The programs of Tensortidy, which stand below this folder: bin, lib/clang with Clang's headers, share."""

import os
import sys

BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


def _run(*command):
    os.execv(command[0], [*command, *sys.argv[1:]])


def tensortidy():
    _run(os.path.join(BIN, "tensortidy"))


def tensortidy_clangd():
    _run(os.path.join(BIN, "tensortidy-clangd"))


def tensortidy_changed():
    _run(sys.executable, os.path.join(BIN, "tensortidy-changed"))
