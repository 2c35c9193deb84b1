//===- ImageReader.cpp - what calls are given of images -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Calls/ImageReader.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/VariableTable.h"
#include "llvm/ADT/Sequence.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// Where the operands have no such name yet.
static void give(StringRef Name, ValueId V,
                 llvm::SmallVectorImpl<Arg> &Operands) {
  if (V &&
      llvm::none_of(Operands, [&](const Arg &A) { return A.Name == Name; }))
    Operands.push_back({Name.str(), V, Role::Read, NoId});
}

/// The image in what \p E is converted to, or null.
const Expr *ImageReader::imageIn(const Expr *E) {
  for (unsigned Depth = 0; E && Depth < 8; ++Depth) {
    E = strip(E);
    if (Kinds.isImage(E->getType()) &&
        isa<DeclRefExpr, MemberExpr, CallExpr>(E))
      return E;
    const auto *Made = dyn_cast<CXXConstructExpr>(E);
    E = Made && Made->getNumArgs() >= 1 ? Made->getArg(0) : nullptr;
  }
  return nullptr;
}

TypeRole ImageReader::roleOf(const CallSite &C, size_t I) {
  const QualType T =
      C.Params[I] ? C.Params[I]->getType() : strip(C.Args[I])->getType();
  if (Kinds.isImage(T))
    return TypeRole::Image;
  const CXXRecordDecl *R = recordOf(T.getNonReferenceType());
  return R ? Kinds.model().role(Kinds.name(*R)) : TypeRole::None;
}

bool ImageReader::isAbout(const CallSite &C) {
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(C.Callee))
    return Kinds.isImage(Ctor->getParent());
  if (const auto *M = dyn_cast<CXXMethodDecl>(C.Callee);
      M && Kinds.isImage(M->getParent()))
    return true;
  if (Kinds.isImage(C.E->getType()))
    return true;
  if (C.Object && isPassed(C.Object->getType()))
    return true;
  for (size_t I = 0; I < C.Args.size(); ++I)
    switch (roleOf(C, I)) {
    case TypeRole::Image:
    case TypeRole::ImageInput:
    case TypeRole::ImageOutput:
      return true;
    default:
      break;
    }
  return false;
}

/// Whether \p T is what functions take an image by.
bool ImageReader::isPassed(QualType T) {
  const CXXRecordDecl *R = recordOf(T.getNonReferenceType());
  const TypeRole Role = R ? Kinds.model().role(Kinds.name(*R)) : TypeRole::None;
  return Role == TypeRole::ImageInput || Role == TypeRole::ImageOutput;
}

/// The image that \p C, a method, is about: its object, or what that was made
/// of.
const Expr *ImageReader::objectOf(const CallSite &C) {
  if (!C.Object)
    return nullptr;
  const Expr *E = strip(C.Object);
  return isPassed(E->getType()) && isa<DeclRefExpr>(E) ? E : imageIn(C.Object);
}

void ImageReader::images(const CallSite &C, Attributes Has, Args &Operands) {
  if (const Expr *Of = objectOf(C))
    give(Has.has(Attribute::WritesItself) ? "into" : "image", Lower.value(Of),
         Operands);
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *E = strip(C.Args[I]);
    switch (roleOf(C, I)) {
    case TypeRole::ImageOutput:
      if (const Expr *Of = imageIn(E); Of && isa<DeclRefExpr>(Of))
        give("into", Lower.value(Of), Operands);
      break;
    case TypeRole::ImageInput:
    case TypeRole::Image:
      if (const Expr *Of = imageIn(E))
        give("image", Lower.value(Of), Operands);
      break;
    case TypeRole::ImageSize:
    case TypeRole::ImagePart:
      sizes(C, E, Operands);
      break;
    default:
      break;
    }
  }
}

/// The sizes of a whole of which \p C gives a part.
void ImageReader::wholeSizes(const CallSite &C, const Expr *Of,
                             Args &Operands) {
  const Place P = Places.place(Of);
  const CXXRecordDecl *R = recordOf(Of->getType());
  // Those of a class that is derived from an image's are the image's.
  while (R && R->hasDefinition() && R->field_empty() && R->getNumBases() == 1)
    R = recordOf(R->bases_begin()->getType());
  if (!P || !P.Exact || !R || !R->hasDefinition())
    return;
  for (const FieldDecl *F : R->getDefinition()->fields()) {
    const ImageField Is = Kinds.imageField(*F);
    if (Is == ImageField::Rows || Is == ImageField::Columns)
      give(Is == ImageField::Rows ? "of_rows" : "of_columns",
           Build.load(Vars.member(P.Var, *F, false), C.E), Operands);
  }
}

/// Rows and columns of a variable, where its value is the list of its fields.
void ImageReader::sizesOfValue(const CallSite &C, const Expr *E,
                               Args &Operands) {
  const auto Fields = Kinds.fields(E->getType());
  for (size_t I = 0; I < Fields.size(); ++I) {
    const ImageField Is = Kinds.imageField(*Fields[I]);
    if (Is == ImageField::Rows || Is == ImageField::Columns)
      give(Is == ImageField::Rows ? "rows" : "columns",
           Build.emitValue(
               Op::ListGet, C.E,
               {Lower.value(E), Build.constInt(static_cast<int64_t>(I), C.E)}),
           Operands);
  }
}

/// The rows and columns in a cv::Size(columns, rows): the arguments are the
/// fields in their order.
void ImageReader::sizes(const CallSite &C, const Expr *E, Args &Operands) {
  auto UnderCopies = [](const Expr *E) {
    while (const auto *Copy = dyn_cast<CXXConstructExpr>(E)) {
      if (Copy->getNumArgs() != 1)
        break;
      E = strip(Copy->getArg(0));
    }
    return E;
  };
  E = UnderCopies(E);
  if (const auto *Named = dyn_cast<DeclRefExpr>(E);
      Named && isa<CXXConstructExpr>(C.E))
    if (const auto *V = dyn_cast<VarDecl>(Named->getDecl());
        V && V->getInit() && Scan.DeclOf.count(V))
      E = UnderCopies(strip(V->getInit()));
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (!Made)
    return sizesOfValue(C, E, Operands);
  const CXXRecordDecl *R = Made->getConstructor()->getParent();
  if (static_cast<unsigned>(std::distance(R->field_begin(), R->field_end())) !=
          Made->getNumArgs() ||
      Kinds.kind(Made->getArg(0)->getType()) != Kind::Int)
    return;
  for (const auto &[Field, Name] :
       {std::pair(ImageField::Rows, "rows"), {ImageField::Columns, "columns"}})
    for (const FieldDecl *F : R->fields())
      if (Kinds.imageField(*F) == Field)
        give(Name, Lower.value(Made->getArg(F->getFieldIndex())), Operands);
}

/// Whether a pointer to \p T is to pixels, and not to an object that allocates
/// them.
static bool mayBePixels(QualType T) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return !R || !R->hasDefinition() || !R->isPolymorphic();
}

/// Numbers have the names that the model has for parameters, and a pointer is
/// memory of somebody else's.
void ImageReader::nameArguments(const CallSite &C, const ImageApi &Api,
                                Args &Operands) {
  const size_t First =
      Operands.size() - std::min(Operands.size(), C.Args.size());
  if (First > (C.Object ? 1 : 0) || Operands.size() < C.Args.size())
    return; // one of several operands, or of none
  for (size_t I = 0; I < C.Args.size(); ++I) {
    Arg &A = Operands[First + I];
    if (!A.Name.empty())
      continue;
    if (C.Args[I]->getType()->isPointerType() && isa<CXXConstructExpr>(C.E)) {
      if (mayBePixels(C.Args[I]->getType()->getPointeeType()))
        A.Name = "data";
    } else if (C.Params[I] && Kinds.kind(C.Args[I]->getType()) == Kind::Int)
      A.Name = Api.operandOf(C.Params[I]->getName()).str();
  }
}

/// The number that tells the callee what the pixels are.
std::optional<int64_t> ImageReader::codeFor(const CallSite &C,
                                            const ImageCode &Code) {
  if (Code.Parameters.empty())
    return Code.Default;
  auto Is = [&](const ParmVarDecl *P) {
    return P && llvm::is_contained(Code.Parameters, P->getName());
  };
  for (size_t I = 0; I < C.Args.size(); ++I) {
    Expr::EvalResult Value;
    if (Is(C.Params[I]))
      return !C.Args[I]->isValueDependent() &&
                     C.Args[I]->EvaluateAsInt(Value, Context)
                 ? std::optional(Value.Val.getInt().getExtValue())
                 : std::nullopt;
  }
  return llvm::any_of(C.Callee->parameters(), Is) ? Code.Default : std::nullopt;
}

void ImageReader::codes(const CallSite &C, const ImageApi &Api,
                        Args &Operands) {
  for (const ImageCode &Code : Api.Codes) {
    const auto Given = codeFor(C, Code);
    const auto Is = Given ? Code.decode(*Given) : std::nullopt;
    if (Is && !Is->Element.empty())
      give("dtype", Build.constText(ConstKind::Symbol, Is->Element, C.E),
           Operands);
    if (Is && Is->Channels)
      give("channels", Build.constInt(Is->Channels, C.E), Operands);
  }
}

/// Whether \p C is about the pixels that its class is made for, a
/// cv::Mat_<cv::Vec<float, 3>>; then says which.
bool ImageReader::typed(const CallSite &C, const ImageApi &Api,
                        Args &Operands) {
  auto InstanceOf = [&](const CXXRecordDecl *R,
                        const std::vector<std::string> &Templates) {
    const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(R);
    return S && llvm::is_contained(Templates, Kinds.name(*S)) ? S : nullptr;
  };
  auto Type = [](const ClassTemplateSpecializationDecl &S) {
    const TemplateArgument &A = S.getTemplateArgs()[0];
    return A.getKind() == TemplateArgument::Type ? A.getAsType() : QualType();
  };
  const auto *M = dyn_cast<CXXMethodDecl>(C.Callee);
  const auto *Class = InstanceOf(M ? M->getParent() : nullptr, Api.Typed);
  if (!Class)
    return false;
  QualType Pixel = Type(*Class);
  int64_t Channels = 1;
  if (const auto *Of = InstanceOf(recordOf(Pixel), Api.Pixels)) {
    const TemplateArgumentList &Given = Of->getTemplateArgs();
    Pixel = Type(*Of);
    Channels =
        Given.size() > 1 && Given[1].getKind() == TemplateArgument::Integral
            ? Given[1].getAsIntegral().getExtValue()
            : 0;
  }
  const StringRef Element = Pixel.isNull() ? "" : elementName(Pixel);
  if (!Element.empty() && Channels > 0) {
    give("dtype", Build.constText(ConstKind::Symbol, Element, C.E), Operands);
    give("channels", Build.constInt(Channels, C.E), Operands);
  }
  return true;
}

/// Whether the library's own memory for the image that \p C makes or writes has
/// gaps between its rows: operand `padded`, which is 0 where \p C is told who
/// allocates.
void ImageReader::padding(const CallSite &C, const ImageApi &Api,
                          Attributes Has, Args &Operands) {
  auto IsPadded = [&](QualType T) {
    const CXXRecordDecl *R = recordOf(T.getNonReferenceType());
    return R && llvm::is_contained(Api.Padded, Kinds.name(*R));
  };
  auto Is = [&](size_t I, TypeRole Role) { return roleOf(C, I) == Role; };
  const auto Given = llvm::seq<size_t>(0, C.Args.size());
  bool Pads = false, Told = false;
  if (isa<CXXConstructExpr>(C.E) || Has.has(Attribute::CopiesImage)) {
    Pads =
        IsPadded(C.E->getType()) &&
        llvm::none_of(Operands, [](const Arg &A) { return A.Name == "data"; });
    // A copy of the handle, or a part.
    Told = llvm::any_of(Given, [&](size_t I) {
      return Is(I, TypeRole::Image) || (C.Args[I]->getType()->isPointerType() &&
                                        !isa<CXXDefaultArgExpr>(C.Args[I]));
    });
  } else if (Has.has(Attribute::WritesItself)) {
    Pads = C.Object && IsPadded(C.Object->getType());
  } else {
    for (size_t I : Given)
      if (Is(I, TypeRole::ImageOutput))
        if (const Expr *Of = imageIn(C.Args[I]))
          Pads = Pads || IsPadded(Of->getType());
    if (C.Object && IsPadded(C.Object->getType()) &&
        IsPadded(C.E->getType())) // gpu(box)
      Pads = Told = true;
  }
  if (Pads)
    give("padded", Build.constInt(Told ? 0 : 1, C.E), Operands);
}

void ImageReader::describe(const CallSite &C, Args &Operands) {
  if (!C.Callee)
    return;
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(C.Callee);
  const ImageApi *Api = Kinds.model().images(
      Ctor ? Kinds.name(*Ctor->getParent()) : Kinds.name(*C.Callee));
  if (!Api || !isAbout(C))
    return;
  const Attributes Has =
      Kinds.model().attributesOf(Kinds.name(*C.Callee), false);
  if (C.IsOperator && Has.empty()) {
    typed(C, *Api, Operands); // what a cv::Mat_ is assigned is converted
    return;
  }
  nameArguments(C, *Api, Operands);
  images(C, Has, Operands);
  padding(C, *Api, Has, Operands);
  if (!typed(C, *Api, Operands))
    codes(C, *Api, Operands);
  if (const QualType T = C.E->getType(); T->isPointerType())
    if (const StringRef Seen = elementName(T->getPointeeType()); !Seen.empty())
      give("seen", Build.constText(ConstKind::Symbol, Seen, C.E), Operands);
  const bool IsPart =
      Has.has(Attribute::GivesPart) || Has.has(Attribute::GivesRows) ||
      Has.has(Attribute::GivesColumns) ||
      (Ctor && llvm::any_of(llvm::seq<size_t>(0, C.Args.size()), [&](size_t I) {
         return roleOf(C, I) == TypeRole::ImagePart;
       }));
  if (const Expr *Of =
          IsPart ? imageIn(C.Object ? C.Object : C.Args.front()) : nullptr)
    wholeSizes(C, Of, Operands);
}
