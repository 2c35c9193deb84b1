"""The lit suite: runs against one build directory, see lit.site.cfg.py."""

import os
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
import settings

config.name = "tensortidy-" + config.release
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".cu", ".test", ".program"]
config.excludes = ["unit", "graphs", "reports", "runtime", "bench", "differential", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.test_dir

flags = settings.flags(config)
programs = ["models-libtorch", "claims-libtorch"] + [
    kind + "-" + library for kind in ("judges", "programs", "lifetimes") for library in ("runtime", "libtorch")
]
config.substitutions += [
    ("%tensortidy", config.build_dir + "/bin/tensortidy --quiet --use-color=0"),
    ("%plugin", config.build_dir + "/lib/tensortidy-tidy-" + config.release + ".so"),
    ("%clang-tidy", config.llvm_bin + "/clang-tidy"),
    ("%runtime-include", config.source_dir + "/runtime/include"),
    *flags.items(),
    ("%build", config.build_dir),
    ("%examples", config.source_dir + "/docs/examples"),
    ("%models/", config.source_dir + "/lib/Frontend/models/"),
    ("%libtorch-headers", config.torch_headers),
    ("%python", sys.executable),
    *(("%" + name, config.programs_dir + "/bin/" + name) for name in programs),
    ("%differential", config.programs_dir + "/bin/tensortidy-differential"),
    # %exits STATUS COMMAND...
    ("%exits", "bash {0}/exits.sh".format(config.test_source_root)),
    # %check FILE -- FLAGS: see check.sh.
    ("%check", "env TENSORTIDY={0}/bin/tensortidy FILECHECK={1}/FileCheck bash {2}/check.sh".format(
        config.build_dir, config.llvm_bin, config.test_source_root)),
    # %silent FILE -- FLAGS: see silent.sh.
    ("%silent", "env TENSORTIDY={0}/bin/tensortidy bash {1}/silent.sh".format(
        config.build_dir, config.test_source_root)),
    # %settles FILE -- FLAGS: see settles.sh.
    ("%settles", "env TENSORTIDY={0}/bin/tensortidy bash {1}/settles.sh".format(
        config.build_dir, config.test_source_root)),
]
config.environment.update(settings.NO_CACHE)
config.environment["PATH"] = os.pathsep.join([config.llvm_bin, config.environment["PATH"]])

config.available_features.add("llvm-" + config.release)
if config.dlpack_headers:
    config.available_features.add("dlpack")
if config.opencv_headers:
    config.available_features.add("opencv")
    config.substitutions.append(("%opencv", "-std=c++17 -isystem " + config.opencv_headers))
    if os.path.exists(os.path.join(config.opencv_headers, "opencv2", "imgcodecs.hpp")):
        config.available_features.add("opencv-images")  # which needs those of imgproc
if config.have_libtorch:
    config.available_features.add("libtorch")
    # What libtorch does differs between releases; the rules are those of 1.13.
    config.available_features.add("libtorch-" + config.libtorch_release)
    # The runtime behaves as the one it is compared with.
    config.environment["TENSORTIDY_LIBTORCH"] = config.libtorch_release
