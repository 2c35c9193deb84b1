//===- LeftOut.cpp - what is not linked with LLVM's archives --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's archives refer to parts of LLVM that these programs never run: code
// generation for twenty processors, the static analyzer, precompiled headers in
// object files, a client of a remote index. Defined here, they do not come
// along: it is two thirds of the size.
//
//===----------------------------------------------------------------------===//

#include "clang/AST/ASTConsumer.h"
#if __has_include("clang/CodeGen/ObjectFilePCHContainerOperations.h")
#include "clang/CodeGen/ObjectFilePCHContainerOperations.h" // LLVM 19
#else
#include "clang/CodeGen/ObjectFilePCHContainerWriter.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#endif
#include "clang/StaticAnalyzer/Frontend/AnalysisConsumer.h"
#include "llvm/Support/raw_ostream.h"

// clangd's scanner of modules sets up every target. The names of targets,
// LLVMInitialize*TargetInfo, stay: drivers are called by them.
#define LLVM_TARGET(Name)                                                      \
  extern "C" void LLVMInitialize##Name##Target() {}                            \
  extern "C" void LLVMInitialize##Name##TargetMC() {}
#include "llvm/Config/Targets.def"
#define LLVM_ASM_PRINTER(Name)                                                 \
  extern "C" void LLVMInitialize##Name##AsmPrinter() {}
#include "llvm/Config/AsmPrinters.def"
#define LLVM_ASM_PARSER(Name)                                                  \
  extern "C" void LLVMInitialize##Name##AsmParser() {}
#include "llvm/Config/AsmParsers.def"

namespace clang {

// clang-tidy makes one when a check called clang-analyzer-* is on, and only
// ours ever are.
std::unique_ptr<ento::AnalysisASTConsumer>
ento::CreateAnalysisConsumer(CompilerInstance & /*CI*/) {
  llvm::report_fatal_error("the static analyzer is not in this program");
}

// What -gmodules writes. Other precompiled headers are as they always were.
std::unique_ptr<ASTConsumer>
ObjectFilePCHContainerWriter::CreatePCHContainerGenerator(
    CompilerInstance & /*CI*/, const std::string & /*MainFileName*/,
    const std::string & /*OutputFileName*/,
    std::unique_ptr<llvm::raw_pwrite_stream> /*OS*/,
    std::shared_ptr<PCHBuffer> /*Buffer*/) const {
  return std::make_unique<ASTConsumer>();
}

llvm::ArrayRef<llvm::StringRef>
ObjectFilePCHContainerReader::getFormats() const {
  static constexpr llvm::StringRef Formats[] = {"obj"};
  return Formats;
}

llvm::StringRef
ObjectFilePCHContainerReader::ExtractPCH(llvm::MemoryBufferRef Buffer) const {
  return Buffer.getBuffer();
}

namespace clangd {

// None of clangd's headers is packaged; this much of the class is used here.
class SymbolIndex {
public:
  virtual ~SymbolIndex();
};

namespace remote {
std::unique_ptr<SymbolIndex> getClient(llvm::StringRef Address,
                                       llvm::StringRef ProjectRoot);

std::unique_ptr<SymbolIndex> getClient(llvm::StringRef Address,
                                       llvm::StringRef /*ProjectRoot*/) {
  llvm::errs() << "this clangd has no client of remote indexes: " << Address
               << " is not asked\n";
  return nullptr;
}
} // namespace remote
} // namespace clangd
} // namespace clang
