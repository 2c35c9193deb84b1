//===- Pages.cpp - where the pages of the checks are ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pages.h"
#include "BuildPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace tensortidy::tool {

std::string uriEncoded(StringRef Text) {
  std::string Uri;
  for (unsigned char C : Text)
    if (llvm::isAlnum(C) || StringRef("/-._~").contains(C))
      Uri += static_cast<char>(C);
    else
      Uri += "%" + llvm::utohexstr(C, /*LowerCase=*/false, /*Width=*/2);
  return Uri;
}

std::string pagesUrl(StringRef ExecutableDir) {
  if (*TENSORTIDY_DOCS_URL)
    return TENSORTIDY_DOCS_URL "/";
  llvm::SmallString<256> Installed(ExecutableDir);
  llvm::sys::path::append(Installed, "..", TENSORTIDY_DATADIR,
                          "doc/tensortidy/checks");
  llvm::sys::path::remove_dots(Installed, /*remove_dot_dot=*/true);
  for (StringRef Dir : {StringRef(Installed), StringRef(TENSORTIDY_DOCS)})
    if (llvm::sys::fs::is_directory(Dir))
      return "file://" + uriEncoded(Dir) + "/";
  return "";
}

} // namespace tensortidy::tool
