//===- Config.h - the options of a file, from .clang-tidy and the command line
//*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// clang-tidy's own rules, with two differences:
//
//  * all tensor-* checks are on by default, and a .clang-tidy that names no
//    tensor check leaves them on: it was written for other checks, so its `-*`
//    is not about ours. One that names some decides.
//  * a configuration that cannot be read is an error and not a warning.
//
// A name or a value of ours that has no effect is a warning, with the name that
// was meant, where clang-tidy says so with --verify-config only:
//
//   CheckOptions: { tensor-allocation-in-loop.Levl: 0 }
//     -> unknown check option 'tensor-allocation-in-loop.Levl'; did you mean
//        'tensor-allocation-in-loop.Level'
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CONFIG_H
#define TENSORTIDY_TOOL_CONFIG_H

#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/Support/Error.h"

namespace tensortidy::tool {

/// What the command line says about the configuration.
struct ConfigRequest {
  std::optional<std::string> Checks;     ///< --checks
  std::optional<std::string> Config;     ///< --config
  std::optional<std::string> ConfigFile; ///< --config-file
  std::string LineFilter;                ///< --line-filter
  clang::tidy::ClangTidyOptions Overrides;
};

/// What in a configuration has no effect.
struct ConfigMistake {
  std::string Source; ///< the file, or the option of the command line
  std::string Text;
};

class ConfigProvider : public clang::tidy::FileOptionsBaseProvider {
public:
  static llvm::Expected<std::unique_ptr<ConfigProvider>>
  create(const ConfigRequest &Request);

  std::vector<OptionsSource> getRawOptions(llvm::StringRef FileName) override;

  /// Where the configuration of \p FileName comes from: files, and what is
  /// called otherwise.
  std::vector<std::string> files(llvm::StringRef FileName);

  /// What in the configurations of \p FileName has no effect, as far as it is
  /// about us: other people's checks are not known here.
  std::vector<ConfigMistake> mistakes(llvm::StringRef FileName);

  /// What was wrong with configuration files read so far; empty: nothing.
  const std::vector<std::string> &problems() const { return Problems; }

private:
  ConfigProvider(clang::tidy::ClangTidyGlobalOptions Global,
                 clang::tidy::ClangTidyOptions Overrides);

  /// As clang-tidy merges them, before ours is read out of them.
  std::vector<OptionsSource> sources(llvm::StringRef FileName);

  /// A problem for each thing of a configuration's name that is no file.
  void refuseOthers(llvm::StringRef Path);

  std::optional<clang::tidy::ClangTidyOptions> Given; ///< --config(-file)
  std::string GivenName;
  std::optional<std::string> Checks;
  std::vector<std::string> Problems;
};

/// The globs of \p Request that match no check of ours, with the list of those
/// there are; empty when all is well.
std::string unknownChecks(llvm::StringRef Checks);

} // namespace tensortidy::tool

#endif
