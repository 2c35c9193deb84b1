"""What the test programs share."""

import os
import shutil
import subprocess
import sys
import types

# No test says what a former one found: below a file no cache can be made. Those about the cache name a directory.
NO_CACHE = {"XDG_CACHE_HOME": os.devnull}
os.environ.update(NO_CACHE)


# Declarations of at::Tensor, for sources that are to be parsed in no time.
LIGHT = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "light.h")).read()


def for_editors(**more):
    """The environment of an editor, which has a cache of its own and wants a folder for it."""
    return dict({name: value for name, value in os.environ.items() if name not in NO_CACHE}, **more)


def python_with(config, name, packages, without):
    """A Python that has the packages, in an environment called so in the build directory; None where they cannot be
    had: then it is said what is done without them."""
    place = os.path.join(config.test_dir, name)
    if not os.path.exists(place + "/installed"):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [place + "/bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        if subprocess.run(pip).returncode != 0:
            print("notice: %s: pip cannot install %s" % (without, " and ".join(packages)))
            return None
        open(place + "/installed", "w").close()
    return place + "/bin/python"


def load(directory):
    """The settings CMake wrote for lit in a build's test directory."""
    config = types.SimpleNamespace()
    path = os.path.join(directory, "lit.site.cfg.py")
    exec(compile(open(path).read(), path, "exec"), {"config": config})
    return config


def flags(config):
    """The compiler flags the lit cases ask for, by substitution."""
    torch = config.torch_flags
    runtime = "-std=c++17 -I{0}/runtime/include -I{0}/lib".format(config.source_dir)
    pch = " -include-pch " + config.test_dir
    return {
        # First: a name that begins with another's.
        "%runtime-torch": runtime + pch + "/runtime-torch.pch",
        "%runtime": runtime + pch + "/runtime.pch",
        "%aten": torch + pch + "/ATen.pch",
        "%torch": torch + pch + "/torch.pch",
        "%plain-runtime": runtime,
        "%plain-torch": torch,
    }
