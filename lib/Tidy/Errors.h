//===- Errors.h - where the compile errors are ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang drops a broken statement without a trace in the AST, so a finding may
// be trusted only where no error lies. By default clang also stops reporting
// after a fatal error (a missing header) and after twenty errors; the watcher
// makes it go on, notes every location, and passes on to the host exactly what
// it would have got without us.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_ERRORS_H
#define TENSORTIDY_TIDY_ERRORS_H

#include "clang/Basic/SourceLocation.h"
#include <memory>
#include <vector>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace tensortidy::tidy {

using ErrorLocations = std::vector<clang::SourceLocation>;

/// Watches \p Engine until its client is replaced or it ends. The locations
/// live on with whoever holds them.
std::shared_ptr<const ErrorLocations>
watchErrors(clang::DiagnosticsEngine &Engine);

} // namespace tensortidy::tidy

#endif
