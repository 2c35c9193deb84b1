//===- Proxy.h - stands between the editor and clangd -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   editor --stdin--> Proxy --pipe--> clangdMain()   (this process, main
//   thread) editor <-stdout-- Proxy <--pipe--
//
// Messages pass byte for byte, but for three: answers to `hover` and
// `inlayHint` get our layouts added, and diagnostics of our checks get our name
// and a link to our page. clangd has a registry for such features only since
// LLVM 22, and none of its headers is packaged; the protocol is the interface
// both releases share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CLANGD_PROXY_H
#define TENSORTIDY_TOOL_CLANGD_PROXY_H

#include "Layouts.h"
#include <thread>

namespace tensortidy::tool {

class Proxy {
public:
  /// \p DocsUrl is put in front of "<check>.md"; empty: links are left alone.
  Proxy(LayoutStore &Layouts, std::string DocsUrl)
      : Layouts(Layouts), DocsUrl(std::move(DocsUrl)) {}

  /// Puts pipes in place of this process's stdin and stdout and begins to
  /// relay. False if the system refuses.
  bool start();

  /// Waits until what clangd has written has reached the editor; to be called
  /// when clangd has returned.
  void finish();

private:
  void relayRequests(int From, int To);
  void relayAnswers(int From, int To);
  void noteRequest(const llvm::json::Object &Message);
  /// True if \p Message was changed.
  bool amend(llvm::json::Object &Message);
  bool amendDiagnostics(llvm::json::Object &Message);
  /// clangd finds the fixes of a diagnostic by the message that it wrote.
  static bool restoreMessages(llvm::json::Object &Message);

  struct Request {
    std::string Method, File;
    unsigned Line = 0, Character = 0, LastLine = 0;
  };

  LayoutStore &Layouts;
  const std::string DocsUrl;
  std::mutex Mutex; ///< of what follows
  std::map<std::string, Request> Pending;
  OffsetUnit Unit = OffsetUnit::Utf16;
  bool PlainHover = true;
  std::thread Requests, Answers;
  int RealOut = -1;
};

} // namespace tensortidy::tool

#endif
