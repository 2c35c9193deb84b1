"""Lints the C and C++ sources of targets with tensortidy.

    bazel build --aspects //tools/tensortidy:tensortidy.bzl%tensortidy --output_groups=tensortidy //...
    bazel build --aspects //tools/tensortidy:tensortidy.bzl%tensortidy --output_groups=tensortidy_sarif //...

The first fails for a target with findings, and prints them. The second succeeds and leaves a SARIF for each source, to
be merged with `tensortidy merge`.

An action has declared inputs only: the source, the headers that the target may include, the compiler's own headers, the
configuration and the tool. So it runs in a sandbox or on another machine, and is run again when one of them changes.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_C = ["c"]
_CPP = ["cc", "cpp", "cxx", "c++", "C"]

def _sources(ctx):
    found = []
    for source in getattr(ctx.rule.attr, "srcs", []):
        found += [file for file in source.files.to_list() if file.extension in _C + _CPP]
    return found

def _flags(ctx, toolchain, compilation, source):
    """What the compiler is given for this source, without what is said of its inputs and outputs."""
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        # A precompiled or modular header is another compiler's.
        unsupported_features = ctx.disabled_features + ["module_maps", "layering_check", "parse_headers"],
    )
    is_c = source.extension in _C
    options = ctx.fragments.cpp.copts + (ctx.fragments.cpp.conlyopts if is_c else ctx.fragments.cpp.cxxopts)
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = options + getattr(ctx.rule.attr, "copts", []),
        include_directories = compilation.includes,
        quote_include_directories = compilation.quote_includes,
        system_include_directories = compilation.system_includes,
        framework_include_directories = compilation.framework_includes,
        preprocessor_defines = depset(transitive = [compilation.defines, compilation.local_defines]),
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.c_compile if is_c else ACTION_NAMES.cpp_compile,
        variables = variables,
    )

def _lint(ctx, target, toolchain, source):
    compilation = target[CcInfo].compilation_context
    sarif = ctx.actions.declare_file("%s.%s.sarif" % (target.label.name, source.path.replace("/", "_")))
    arguments = ctx.actions.args()
    arguments.add(ctx.executable._tool)
    arguments.add(sarif)
    arguments.add("--quiet")
    arguments.add("--no-cache")
    arguments.add("--output-format=text")
    arguments.add("--output=/dev/null")
    arguments.add("--output-format=sarif")
    arguments.add(sarif, format = "--output=%s")
    arguments.add(source)
    arguments.add("--")
    arguments.add_all(_flags(ctx, toolchain, compilation, source))
    ctx.actions.run_shell(
        mnemonic = "Tensortidy",
        progress_message = "Linting " + source.short_path,
        # What is found, or could not be analysed, is in the SARIF: the action has failed when that is not there.
        command = 'tool=$1 sarif=$2; shift 2; "$tool" "$@"; test -s "$sarif"',
        arguments = [arguments],
        inputs = depset(
            [source] + ctx.files._config,
            transitive = [compilation.headers, toolchain.all_files],
        ),
        tools = depset([ctx.executable._tool], transitive = [depset(ctx.files._tool_files)]),
        outputs = [sarif],
    )
    return sarif

def _report(ctx, target, findings):
    """Fails with what tensortidy itself would have ended with, and prints the findings."""
    merged = ctx.actions.declare_file(target.label.name + ".tensortidy.sarif")
    arguments = ctx.actions.args()
    arguments.add("merge")
    arguments.add("--quiet")
    arguments.add(merged, format = "--output=%s")
    arguments.add_all(findings)
    ctx.actions.run(
        mnemonic = "TensortidyReport",
        executable = ctx.executable._tool,
        arguments = [arguments],
        inputs = findings,
        tools = ctx.files._tool_files,
        outputs = [merged],
    )
    return merged

def _tensortidy(target, ctx):
    if CcInfo not in target:
        return []
    toolchain = find_cpp_toolchain(ctx)
    findings = [_lint(ctx, target, toolchain, source) for source in _sources(ctx)]
    if not findings:
        return []
    return [OutputGroupInfo(
        tensortidy = depset([_report(ctx, target, findings)]),
        tensortidy_sarif = depset(findings),
    )]

tensortidy = aspect(
    implementation = _tensortidy,
    fragments = ["cpp"],
    attrs = {
        "_tool": attr.label(
            default = "@tensortidy//:bin/tensortidy",
            executable = True,
            allow_single_file = True,
            cfg = "exec",
        ),
        "_tool_files": attr.label(default = "@tensortidy//:files"),
        # .clang-tidy, .tensortidy.yaml
        "_config": attr.label(default = "//:tensortidy_config"),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
