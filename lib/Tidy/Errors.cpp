//===- Errors.cpp - where the compile errors are --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Errors.h"
#include "Tidy/Compat.h"

using namespace clang;

namespace tensortidy::tidy {

namespace {

class ErrorWatcher : public compat::HostedConsumer {
public:
  ErrorWatcher(DiagnosticsEngine &Engine,
               std::shared_ptr<ErrorLocations> Locations)
      : HostedConsumer(Engine.getClient()), Engine(Engine),
        Limit(Engine.getDiagnosticOptions().ErrorLimit),
        Locations(std::move(Locations)) {
    if (Engine.ownsClient())
      OwnedHost = Engine.takeClient();
    Engine.setFatalsAsError(true);
    Engine.setErrorLimit(0);
  }

  void BeginSourceFile(const LangOptions &LangOpts,
                       const Preprocessor *PP) override {
    Host->BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override { Host->EndSourceFile(); }
  bool IncludeInDiagnosticCounts() const override {
    return Host->IncludeInDiagnosticCounts();
  }

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error && Info.getLocation().isValid())
      Locations->push_back(Info.getLocation());
    if (Level == DiagnosticsEngine::Note ? Shown : wouldShow(Level, Info))
      forward(Level, Info);
  }

private:
  void forward(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
    DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
    Host->HandleDiagnostic(Level, Info);
  }

  /// Clang's own rule for when to fall silent, with its two limits.
  bool wouldShow(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
    Shown = !Silent;
    if (Silent || Level < DiagnosticsEngine::Error)
      return Shown;
    if (Info.getID() == diag::fatal_too_many_errors || isFatal(Info)) {
      Silent = true;
    } else if (Limit && Errors >= Limit) {
      Shown = false;
      if (!Announced)
        compat::reportTooManyErrors(Engine);
      Announced = true;
    }
    ++Errors;
    return Shown;
  }

  bool isFatal(const Diagnostic &Info) {
    Engine.setFatalsAsError(false);
    auto Level = Engine.getDiagnosticLevel(Info.getID(), Info.getLocation());
    Engine.setFatalsAsError(true);
    return Level == DiagnosticsEngine::Fatal;
  }

  DiagnosticsEngine &Engine;
  const unsigned Limit;
  unsigned Errors = 0;
  bool Silent = false; ///< the host would have heard its last error
  bool Shown = true;   ///< the last diagnostic that was no note was passed on
  bool Announced = false; ///< "too many errors" was reported
  std::unique_ptr<DiagnosticConsumer> OwnedHost;
  std::shared_ptr<ErrorLocations> Locations;
};

} // namespace

std::shared_ptr<const ErrorLocations> watchErrors(DiagnosticsEngine &Engine) {
  auto Locations = std::make_shared<ErrorLocations>();
  auto *Watcher = new ErrorWatcher(Engine, Locations);
  Engine.setClient(Watcher, /*ShouldOwnClient=*/true);
  return Locations;
}

} // namespace tensortidy::tidy
