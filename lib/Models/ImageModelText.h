//===- ImageModelText.h - images in a model file ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   images:
//     - scopes: [cv]
//       rows: [rows]
//       codes:
//         - { parameters: [type], types: [uint8, float32] }
//         - { parameters: [code], values: ["6-7=1", "4=3"] }
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_IMAGEMODELTEXT_H
#define TENSORTIDY_MODELS_IMAGEMODELTEXT_H

#include "Models/ImageModel.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"

LLVM_YAML_IS_SEQUENCE_VECTOR(tensortidy::models::ImageApi)
LLVM_YAML_IS_SEQUENCE_VECTOR(tensortidy::models::ImageCode)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(tensortidy::models::ImageCode::Range)

namespace llvm::yaml {

template <> struct ScalarTraits<tensortidy::models::ImageCode::Range> {
  using Range = tensortidy::models::ImageCode::Range;
  static void output(const Range &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, Range &Out) {
    return tensortidy::models::parseCode(Text, Out);
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct MappingTraits<tensortidy::models::ImageCode> {
  static void mapping(IO &Io, tensortidy::models::ImageCode &C) {
    Io.mapOptional("parameters", C.Parameters);
    Io.mapOptional("types", C.Types);
    Io.mapOptional("values", C.Values);
    Io.mapOptional("default", C.Default);
  }
  static std::string validate(IO &, tensortidy::models::ImageCode &C) {
    if (C.Types.empty() == C.Values.empty())
      return "codes have 'types' or 'values'";
    if (C.Parameters.empty() && !C.Default)
      return "codes without 'parameters' have a 'default'";
    return "";
  }
};

template <> struct MappingTraits<tensortidy::models::ImageApi> {
  static void mapping(IO &Io, tensortidy::models::ImageApi &I) {
    Io.mapRequired("scopes", I.Scopes);
    Io.mapOptional("rows", I.Rows);
    Io.mapOptional("columns", I.Columns);
    Io.mapOptional("channels", I.Channels);
    Io.mapOptional("from", I.From);
    Io.mapOptional("to", I.To);
    Io.mapOptional("codes", I.Codes);
    Io.mapOptional("typed", I.Typed);
    Io.mapOptional("pixels", I.Pixels);
    Io.mapOptional("padded", I.Padded);
  }
};

} // namespace llvm::yaml

#endif
