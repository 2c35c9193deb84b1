//===- Text.cpp - findings as clang-tidy prints them ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Text.h"
#include "Output/Links.h"
#include "Output/Report.h"
#include "clang-tidy/ClangTidy.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using clang::tidy::ClangTidyError;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// While one exists, what is written to standard output goes elsewhere.
class Redirected {
public:
  explicit Redirected(int To) : Output(dup(STDOUT_FILENO)) {
    llvm::outs().flush();
    dup2(To, STDOUT_FILENO);
  }
  ~Redirected() {
    llvm::outs().flush();
    dup2(Output, STDOUT_FILENO);
    close(Output);
  }
  Redirected(const Redirected &) = delete;
  Redirected &operator=(const Redirected &) = delete;

private:
  const int Output;
};

} // namespace

bool TextPrinter::print(const std::vector<ClangTidyError> &Errors,
                        llvm::ArrayRef<SourceText> Sources,
                        MakeProvider Provider, StringRef First) {
  using namespace clang::tidy;
  if (Errors.empty() || Where == To::Nowhere)
    return true;
  auto FS = onlySources(Sources);
  llvm::SmallString<256> Cwd;
  llvm::sys::fs::current_path(Cwd);
  FS->setCurrentWorkingDirectory(Cwd);

  const bool InColour = Provider(false)->getOptions(First).UseColor.value_or(
      llvm::sys::Process::StandardOutHasColors());
  const bool HasLinks = hasLinks(InColour);
  ClangTidyContext Context(Provider(HasLinks));
  Context.setCurrentFile(First);
  const bool ToFile = HasLinks || Where == To::File;
  const int Elsewhere = ToFile                       ? file()
                        : Where == To::StandardError ? STDERR_FILENO
                                                     : STDOUT_FILENO;
  if (Elsewhere < 0)
    return false;
  {
    Redirected Printed(Elsewhere);
    unsigned AsErrors = 0;
    handleErrors(Errors, Context, FB_NoFix, AsErrors, FS);
  }
  if (HasLinks)
    printLinks();
  llvm::outs().flush();
  return true;
}

bool TextPrinter::hasLinks(bool InColour) const {
  return InColour && Where == To::StandardOutput && !Pages.empty() &&
         llvm::sys::Process::StandardOutIsDisplayed() && terminalHasLinks();
}

int TextPrinter::file() {
  if (!File)
    File.reset(std::tmpfile());
  return File ? fileno(File.get()) : -1;
}

std::string TextPrinter::take() {
  std::string Whole;
  char Buffer[1 << 16];
  if (!File)
    return Whole;
  if (std::fseek(File.get(), 0, SEEK_SET) == 0)
    while (size_t N = std::fread(Buffer, 1, sizeof Buffer, File.get()))
      Whole.append(Buffer, N);
  File.reset();
  return Whole;
}

void TextPrinter::printLinks() {
  const std::string Whole = take();
  for (StringRef Rest = Whole; !Rest.empty();) {
    const size_t At = Rest.find("[tensor-");
    llvm::outs() << Rest.substr(0, At == StringRef::npos ? At : At + 1);
    if (At == StringRef::npos)
      break;
    Rest = Rest.drop_front(At + 1);
    const StringRef Name =
        Rest.take_until([](char C) { return StringRef("],\n").contains(C); });
    llvm::outs() << (checkCalled(Name)
                         ? linked(Name, Pages + Name.str() + ".md")
                         : Name.str());
    Rest = Rest.drop_front(Name.size());
  }
}

} // namespace tensortidy::tool
