//===- Links.cpp - links in a terminal ------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Links.h"
#include "llvm/Support/Process.h"

using llvm::StringRef;

namespace tensortidy::tool {

bool terminalHasLinks(
    llvm::function_ref<std::optional<std::string>(StringRef)> Environment) {
  const auto Value = [&](StringRef Name) {
    return Environment(Name).value_or("");
  };
  const std::string Term = Value("TERM");
  // A multiplexer between us and the terminal, which may let them through.
  for (const StringRef Between : {"screen", "tmux", "dumb", "linux"})
    if (StringRef(Term).starts_with(Between))
      return false;
  for (const StringRef Name : {"KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM",
                               "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR"})
    if (Environment(Name))
      return true;
  for (const StringRef Known : {"xterm-kitty", "foot", "alacritty",
                                "xterm-ghostty", "wezterm", "contour"})
    if (StringRef(Term).starts_with(Known))
      return true;
  for (const StringRef Known :
       {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"})
    if (Value("TERM_PROGRAM") == Known)
      return true;
  // GNOME Terminal and the others that are made of VTE, since its 0.50.
  unsigned Vte = 0;
  return !StringRef(Value("VTE_VERSION")).getAsInteger(10, Vte) && Vte >= 5000;
}

bool terminalHasLinks() {
  return terminalHasLinks(
      [](StringRef Name) { return llvm::sys::Process::GetEnv(Name); });
}

std::string linked(StringRef Text, StringRef Url) {
  return ("\033]8;;" + Url + "\033\\" + Text + "\033]8;;\033\\").str();
}

} // namespace tensortidy::tool
