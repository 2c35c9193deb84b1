//===- Operations.cpp - what a call does to a layout ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"
#include "Layout/Reshape.h"
#include "Models/ModelFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include "ExplainModel.inc"

using namespace tensortidy::layout;
using llvm::StringRef;
using tensortidy::program::Op;

namespace tensortidy::tool {

namespace {

StringRef operandsOf(Op O) {
  static const char *const All[] = {
#define TENSORTIDY_OP(Id, Name, Class, Operands, Text) Operands,
#include "Program/Ops.def"
  };
  return All[static_cast<size_t>(O)];
}

/// A parameter, by the names that it goes by.
struct Parameter {
  llvm::SmallVector<std::string, 2> Names;
  bool IsRest = false; ///< a list, or all that is left
};

/// What a call means, and what it takes.
struct Signature {
  Op O = Op::Opaque;
  std::vector<Parameter> Parameters;
};

/// Operations that are run here.
bool isRun(Op O) {
  switch (O) {
  case Op::Permute:
  case Op::Transpose:
  case Op::T:
  case Op::MT:
  case Op::NumpyT:
  case Op::MoveDim:
  case Op::View:
  case Op::Reshape:
  case Op::Flatten:
  case Op::Ravel:
  case Op::Unflatten:
  case Op::Squeeze:
  case Op::Unsqueeze:
  case Op::Expand:
  case Op::Repeat:
  case Op::Select:
  case Op::Narrow:
  case Op::Slice:
  case Op::Unfold:
  case Op::Diagonal:
  case Op::AsStrided:
  case Op::Chunk:
  case Op::Split:
  case Op::Unbind:
  case Op::Contiguous:
  case Op::Clone:
  case Op::To:
  case Op::IsContiguous:
    return true;
  default:
    return false;
  }
}

/// The entry of the models for \p Name: numpy's meaning first.
const models::Api *entryOf(StringRef Name) {
  static const models::ApiModel Numpy = [] {
    auto Model = models::ApiModel::parse(kExplainModel, "explain.yaml");
    if (!Model)
      llvm::report_fatal_error(Model.takeError(), false);
    return std::move(*Model);
  }();
  for (const models::Api *A : Numpy.named(Name))
    return A;
  for (const models::Api *A : models::builtinModel().named(Name))
    if (isRun(A->O))
      return A;
  return nullptr;
}

/// Of an opaque operation where there is none.
Signature signatureOf(StringRef Name) {
  const models::Api *A = entryOf(Name);
  Signature S;
  if (!A)
    return S;
  S.O = A->O;
  llvm::SmallVector<StringRef, 8> Operands(A->Params.begin(), A->Params.end());
  if (Operands.empty())
    operandsOf(A->O).split(Operands, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Operand : Operands) {
    Operand = Operand.rtrim('?');
    // What says nothing of a layout, or is a word among the arguments.
    if (llvm::is_contained({"self", "implicit", "names", "memory_format"},
                           Operand))
      continue;
    Parameter P;
    P.Names.push_back(Operand.str());
    for (const auto &[From, To] : A->Rename)
      if (To == Operand)
        P.Names.push_back(From);
    S.Parameters.push_back(std::move(P));
  }
  if (!S.Parameters.empty())
    S.Parameters.back().IsRest =
        llvm::is_contained({"dims", "size", "shape", "sizes", "repeats"},
                           StringRef(S.Parameters.back().Names[0]));
  return S;
}

/// The number of plain arguments of an operation of ggml, or none.
std::optional<size_t> ggmlArity(StringRef Name) {
  size_t N = 0;
  if (Name == "permute")
    return 4;
  if (Name == "transpose" || Name == "cont")
    return 0;
  const auto [Base, Digit] = Name.split('_');
  StringRef Dims = Digit;
  if (!Dims.consume_back("d") || Dims.getAsInteger(10, N) || N < 1 || N > 4)
    return std::nullopt;
  if (Base == "reshape" || Base == "cont")
    return N;
  if (Base == "view")
    return 2 * N; // sizes, the strides above the first, the offset
  return std::nullopt;
}

bool isOneOf(StringRef Name, std::initializer_list<StringRef> Names) {
  return llvm::is_contained(Names, Name);
}

std::optional<MemoryFormat> formatOf(const Call &C) {
  for (const Term &T : C.Args)
    if (T.K == Term::Word)
      if (auto F = formatNamed(T.Name))
        return F;
  return std::nullopt;
}

bool asksForFortran(const Call &C) {
  return llvm::any_of(
      C.Args, [](const Term &T) { return T.K == Term::Word && T.Name == "F"; });
}

SymLayout layoutOf(Dims<SymExpr> Sizes, Dims<SymExpr> Strides) {
  SymLayout New;
  New.Sizes = std::move(Sizes);
  New.Strides = std::move(Strides);
  New.Offset = SymExpr(0);
  return New;
}

} // namespace

bool isOperation(StringRef Name) { return entryOf(Name); }

std::optional<MemoryFormat> formatNamed(StringRef Name) {
  if (Name == "channels_last" || Name == "ChannelsLast")
    return MemoryFormat::ChannelsLast;
  if (Name == "channels_last_3d" || Name == "ChannelsLast3d")
    return MemoryFormat::ChannelsLast3d;
  if (Name == "contiguous_format" || Name == "Contiguous")
    return MemoryFormat::Contiguous;
  if (Name == "preserve_format" || Name == "Preserve")
    return MemoryFormat::Preserve;
  return std::nullopt;
}

SymLayout inFortranOrder(const Symbolic &Ar, const SymLayout &Of) {
  SymDims Turned(Of.Sizes.rbegin(), Of.Sizes.rend());
  return *reverseDims(Ar, denseLayout(Ar, Turned));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The arguments in the order of \p S; a complaint where they do not fit.
static std::vector<std::optional<Term>> bind(QuestionReader &In, const Call &C,
                                             const Signature &S) {
  std::vector<std::optional<Term>> R(S.Parameters.size());
  size_t Next = 0;
  for (const Term &T : C.Args) {
    if (T.K == Term::Word)
      continue; // a format, an order, a type
    if (!T.Key.empty()) {
      bool Any = T.Key == "inplace" || T.Key == "copy" || T.Key == "dtype";
      for (size_t I = 0; I < R.size(); ++I) {
        if (!llvm::is_contained(S.Parameters[I].Names, T.Key))
          continue;
        R[I] = T;
        Any = true;
      }
      if (!Any)
        In.failAt(T.At, C.Name + " has no argument '" + T.Key + "'");
      continue;
    }
    const bool IsRest = Next < R.size() && S.Parameters[Next].IsRest;
    if (IsRest && (R[Next] || T.K != Term::List)) {
      if (!R[Next]) {
        R[Next].emplace();
        R[Next]->K = Term::List;
        R[Next]->At = T.At;
      }
      R[Next]->Items.push_back(T);
      continue;
    }
    if (Next >= R.size()) {
      In.failAt(T.At,
                C.Name + " takes " +
                    (R.empty()       ? "no arguments"
                     : R.size() == 1 ? "one argument"
                                     : "at most " + std::to_string(R.size()) +
                                           " arguments"));
      break;
    }
    R[Next++] = T;
  }
  return R;
}

std::optional<SymExpr> Operations::size(size_t I) {
  if (I >= Bound.size() || !Bound[I])
    return std::nullopt;
  if (Bound[I]->K != Term::Number) {
    if (Bound[I]->K != Term::None)
      In.failAt(Bound[I]->At, "expected a number");
    return std::nullopt;
  }
  return Bound[I]->N;
}

SymExpr Operations::sizeOr(size_t I, std::optional<int64_t> Default,
                           const char *Parameter) {
  if (auto E = size(I))
    return *E;
  if (!Default)
    In.failAt(Here->At, Here->Name + " needs " + Parameter);
  return SymExpr(Default.value_or(0));
}

int64_t Operations::integer(size_t I, std::optional<int64_t> Default,
                            const char *Parameter) {
  SymExpr E = sizeOr(I, Default, Parameter);
  auto N = Ar.known(E);
  if (!N)
    In.failAt(Bound[I]->At, "this must be a number, not a name");
  return N.value_or(0);
}

/// A list, or one number as a list of one.
SymDims Operations::dims(size_t I, const char *Parameter) {
  SymDims R;
  if (I >= Bound.size() || !Bound[I]) {
    In.failAt(Here->At, Here->Name + " needs " + Parameter);
    return R;
  }
  const Term &T = *Bound[I];
  if (T.K == Term::Number)
    R.push_back(T.N);
  for (const Term &Item : T.Items) {
    if (Item.K != Term::Number || T.K != Term::List)
      In.failAt(Item.At, "expected numbers");
    R.push_back(Item.N);
  }
  return R;
}

std::vector<int64_t> Operations::integers(size_t I, const char *Parameter) {
  std::vector<int64_t> R;
  for (const SymExpr &E : dims(I, Parameter)) {
    auto N = Ar.known(E);
    if (!N)
      In.failAt(Bound[I]->At, "these must be numbers, not names");
    R.push_back(N.value_or(0));
  }
  return R;
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

std::optional<SymDims> Operations::sizesAsked(const Call &C) {
  if (Bound.empty() || (C.Name != "view" && C.Name != "reshape"))
    return std::nullopt;
  return dims(0, "");
}

Outcome Operations::apply(const Call &C, std::string &Note) {
  Here = &C;
  StringRef N = C.Name;
  if (N == "[]")
    return index(C, Note);
  if (N.consume_front("ggml_") || X.Ggml) {
    if (!X.Ggml) {
      In.failAt(C.At, "a question about ggml begins with ne[...], innermost "
                      "dimension first");
      return Outcome::unknown();
    }
    if (auto Arity = ggmlArity(N))
      return applyGgml(N, C, *Arity, Note);
    In.failAt(C.At, "'" + C.Name +
                        "' is no layout operation of ggml known "
                        "here");
    return Outcome::unknown();
  }
  // What every row says.
  if (isOneOf(N, {"sizes", "shape", "size", "strides", "stride", "numel",
                  "storage_offset", "dim", "ndim"}))
    return X.L;
  Signature S = signatureOf(N);
  if (S.O == Op::Opaque) {
    In.failAt(C.At, "'" + C.Name + "' is no layout operation known here");
    return Outcome::unknown();
  }
  // numpy's transpose(0, 2, 1) is a permute.
  if (N == "transpose" && !C.Args.empty() &&
      (C.Args[0].K == Term::List || C.Args.size() > 2)) {
    N = "permute";
    S = signatureOf(N);
  }
  Bound = bind(In, C, S);
  if (In.failed())
    return Outcome::unknown();
  return applyTorch(S.O, C, Note);
}

Outcome Operations::applyGgml(StringRef N, const Call &C, size_t Arity,
                              std::string &Note) {
  std::vector<Term> Args = C.Args;
  // ggml_permute(ctx, x, 0, 2, 1, 3): the operand stands before it here.
  while (Args.size() > Arity && (Args[0].IsName || Args[0].K == Term::Word))
    Args.erase(Args.begin());
  if (Args.size() != Arity) {
    In.failAt(C.At, C.Name + " takes " + std::to_string(Arity) +
                        " numbers, not " + std::to_string(Args.size()));
    return Outcome::unknown();
  }
  SymDims All;
  for (const Term &T : Args) {
    if (T.K != Term::Number)
      In.failAt(T.At, "expected a number");
    All.push_back(T.N);
  }
  if (N == "permute") {
    std::vector<int64_t> Axes;
    for (size_t I = 0; I < All.size(); ++I) {
      auto Axis = Ar.known(All[I]);
      if (!Axis)
        In.failAt(Args[I].At, "this must be a number, not a name");
      Axes.push_back(Axis.value_or(0));
    }
    return ggml::permute(Ar, X.L, Axes);
  }
  if (N == "transpose")
    return transpose(Ar, X.L, 2, 3);
  if (N.starts_with("view_")) {
    const auto Rank = static_cast<long>(Arity / 2);
    SymDims Ne(All.begin(), All.begin() + Rank),
        Nb(All.begin() + Rank, All.end() - 1);
    Note = "strides and the offset count elements here, not bytes";
    return ggml::view(Ar, X.L, Ne, Nb, All[Arity - 1]);
  }
  SymDims Ne = Arity ? All : ggml::sizes(Ar, X.L);
  SymLayout New = ggml::packed(Ar, Ne);
  Outcome Counts = view(Ar, ggml::packed(Ar, ggml::sizes(Ar, X.L)), New.Sizes);
  if (!Counts.ok())
    return Counts;
  if (N.starts_with("cont")) {
    Note = copies();
    return fresh(New);
  }
  auto Is = isContiguous(Ar, X.L);
  if (Is.yes()) {
    New.Offset = X.L.Offset;
    return New;
  }
  if (!Is.no())
    return Outcome::unknown();
  LayoutError<SymExpr> E = refuse<Symbolic>(Rule::ViewStrides);
  E.Sizes = X.L.Sizes;
  E.Strides = X.L.Strides;
  E.NewSizes = New.Sizes;
  if (view(Ar, X.L, New.Sizes).ok())
    Note = "strides for it exist, but ggml does not look for them";
  return Outcome(std::move(E), Is.UnlessOne);
}

Outcome Operations::applyTorch(Op O, const Call &C, std::string &Note) {
  switch (O) {
  case Op::NumpyT:
    return reverseDims(Ar, X.L);
  case Op::Permute:
    return permute(Ar, X.L, integers(0, "the dimensions in their new order"));
  case Op::Transpose:
    if (C.Name == "transpose" && !Bound[0]) // numpy's
      return reverseDims(Ar, X.L);
    return transpose(Ar, X.L, integer(0, std::nullopt, "two dimensions"),
                     integer(1, std::nullopt, "two dimensions"));
  case Op::T:
    return t(Ar, X.L);
  case Op::MT:
    return mT(Ar, X.L);
  case Op::MoveDim:
    return movedim(Ar, X.L, integers(0, "source and destination"),
                   integers(1, "source and destination"));
  case Op::View:
  case Op::Reshape:
    return reshapeTo(O == Op::View, dims(0, "the new sizes"), asksForFortran(C),
                     Note);
  case Op::Flatten:
  case Op::Ravel: {
    auto New = flattenSizes(Ar, X.L, integer(0, 0), integer(1, -1));
    if (!New.ok())
      return std::move(New).template as<SymLayout>();
    return reshapeTo(false, *New, asksForFortran(C), Note);
  }
  case Op::Unflatten:
    return unflatten(Ar, X.L, integer(0, std::nullopt, "a dimension"),
                     dims(1, "the sizes"));
  case Op::Contiguous:
    return contiguous(formatOf(C).value_or(MemoryFormat::Contiguous), Note);
  case Op::Clone:
    if (C.Name == "asfortranarray") {
      SymLayout New = inFortranOrder(Ar, X.L);
      Note = New.Strides == X.L.Strides ? "does nothing: the same tensor"
                                        : copies();
      return fresh(New);
    }
    return copied(false, C, Note);
  case Op::To:
    return copied(true, C, Note);
  case Op::IsContiguous: {
    auto Is =
        isContiguous(Ar, X.L, formatOf(C).value_or(MemoryFormat::Contiguous));
    Note = Is.yes() ? "yes" : Is.no() ? "no" : "by the sizes";
    return X.L;
  }
  case Op::PreserveCopy: // flip()
    (void)integers(0, "the dimensions");
    Note = copies();
    return fresh(denseLayout(Ar, X.L.Sizes));
  case Op::Repeat:
    return repeat(dims(0, "how often"), Note);
  case Op::Squeeze:
    return Bound[0] ? squeeze(Ar, X.L, integer(0, 0)) : squeeze(Ar, X.L);
  case Op::Unsqueeze:
    return unsqueeze(Ar, X.L, integer(0, std::nullopt, "a dimension"));
  case Op::Expand:
    return expand(Ar, X.L, dims(0, "the sizes"));
  case Op::Select:
    return select(Ar, X.L, integer(0, std::nullopt, "a dimension"),
                  sizeOr(1, std::nullopt, "a dimension and an index"));
  case Op::Narrow:
    return narrow(Ar, X.L, integer(0, std::nullopt, "a dimension"),
                  sizeOr(1, std::nullopt, "dimension, start and length"),
                  sizeOr(2, std::nullopt, "dimension, start and length"));
  case Op::Slice:
    return slice(Ar, X.L, integer(0, 0), sizeOr(1, 0), size(2), sizeOr(3, 1));
  case Op::Unfold:
    return unfold(Ar, X.L, integer(0, std::nullopt, "a dimension"),
                  sizeOr(1, std::nullopt, "dimension, size and step"),
                  sizeOr(2, std::nullopt, "dimension, size and step"));
  case Op::Diagonal:
    return diagonal(Ar, X.L, integer(0, 0), integer(1, 0), integer(2, 1));
  case Op::AsStrided:
    return asStrided(Ar, dims(0, "sizes and strides"),
                     dims(1, "sizes and strides"), size(2).value_or(X.L.Offset),
                     X.Storage);
  default:
    return pieces(O);
  }
}

std::string Operations::copies() const {
  return "copies " + Ar.str(numel(Ar, X.L.Sizes)) + " elements";
}

/// A new tensor, with as much storage as it needs.
SymLayout Operations::fresh(SymLayout New) {
  X.Storage = numel(Ar, New.Sizes);
  return New;
}

Outcome Operations::contiguous(MemoryFormat F, std::string &Note) {
  auto Is = isContiguous(Ar, X.L, F);
  Note = Is.yes()  ? "does nothing: the same tensor"
         : Is.no() ? copies()
                   : "copies unless it has this format already";
  auto T = formatStrides(Ar, X.L.Sizes, F);
  if (!T.ok())
    return std::move(T).template as<SymLayout>();
  if (Is.yes())
    return X.L;
  return fresh(layoutOf(X.L.Sizes, *T));
}

/// clone(), copy(), to(): the order of the strides stays, unless a format is
/// given.
Outcome Operations::copied(bool MayBeSelf, const Call &C, std::string &Note) {
  auto F = formatOf(C).value_or(MemoryFormat::Preserve);
  if (MayBeSelf && F != MemoryFormat::Preserve)
    return contiguous(F, Note);
  auto T = F == MemoryFormat::Preserve ? preserveStrides(Ar, X.L)
                                       : formatStrides(Ar, X.L.Sizes, F);
  if (!T.ok())
    return std::move(T).template as<SymLayout>();
  Note = MayBeSelf ? "copies if the type or device differs" : copies();
  return fresh(layoutOf(X.L.Sizes, *T));
}

Outcome Operations::repeat(const SymDims &Times, std::string &Note) {
  SymDims New = Times;
  if (Times.size() < X.L.rank()) {
    In.failAt(Here->At, "as many numbers as dimensions are needed");
    return Outcome::unknown();
  }
  const size_t More = Times.size() - X.L.rank();
  for (size_t D = 0; D < X.L.rank(); ++D)
    New[More + D] = Ar.asSize(Ar.mul(Times[More + D], X.L.Sizes[D]));
  Note = "a copy of " + Ar.str(numel(Ar, New)) +
         " elements; expand() of size 1 copies nothing";
  return fresh(denseLayout(Ar, New));
}

Outcome Operations::reshapeTo(bool IsView, const SymDims &Sizes, bool Fortran,
                              std::string &Note) {
  if (Fortran) { // the other way round, and back
    X.L = *reverseDims(Ar, X.L);
    Outcome O =
        reshapeTo(IsView, SymDims(Sizes.rbegin(), Sizes.rend()), false, Note);
    if (!O.ok())
      X.L = *reverseDims(Ar, X.L);
    return O.ok() ? reverseDims(Ar, *O) : std::move(O);
  }
  auto New = inferSize(Ar, Sizes, numel(Ar, X.L.Sizes));
  if (!New.ok())
    return std::move(New).template as<SymLayout>();
  Outcome V = view(Ar, X.L, *New);
  if (IsView || V.isUnknown())
    return V;
  if (V.ok()) {
    Note = "a view: nothing is copied";
    return V;
  }
  Note = copies() + ": view() " + viewObstacle(V.error(), "");
  return fresh(denseLayout(Ar, *New));
}

Outcome Operations::pieces(Op O) {
  auto Many = [&] {
    if (O == Op::Unbind)
      return unbind(Ar, X.L, integer(0, 0));
    if (O == Op::Chunk)
      return chunk(Ar, X.L, integer(0, std::nullopt, "how many"),
                   integer(1, 0));
    return split(Ar, X.L, sizeOr(0, std::nullopt, "a size"), integer(1, 0));
  }();
  if (!Many.ok())
    return std::move(Many).template as<SymLayout>();
  X.Pieces = *Many;
  return X.Pieces.empty() ? Outcome(X.L) : Outcome(X.Pieces.front());
}

/// x[1, :, ::2, ..., None], dimension by dimension.
Outcome Operations::index(const Call &C, std::string &Note) {
  size_t Used = 0;
  for (const Term &T : C.Args)
    Used += T.K != Term::None && T.K != Term::Ellipsis;
  if (Used > X.L.rank()) {
    In.failAt(C.At, "too many indices: the tensor has " +
                        llvm::Twine(X.L.rank()) + " dimensions");
    return Outcome::unknown();
  }
  SymLayout R = X.L;
  int64_t D = 0;
  for (const Term &T : C.Args) {
    Outcome O = R;
    switch (T.K) {
    case Term::Number:
      O = select(Ar, R, D, T.N);
      break;
    case Term::Slice: {
      auto Step = T.Given[2] ? Ar.known(T.Items[2].N) : 1;
      if (Step && *Step < 0)
        Note = "only numpy has negative strides; flip() copies";
      O = slice(Ar, R, D++, T.Given[0] ? T.Items[0].N : SymExpr(0),
                T.Given[1] ? std::optional<SymExpr>(T.Items[1].N)
                           : std::nullopt,
                T.Given[2] ? T.Items[2].N : SymExpr(1));
      break;
    }
    case Term::None:
      O = unsqueeze(Ar, R, D++);
      break;
    case Term::Ellipsis:
      D += static_cast<int64_t>(X.L.rank() - Used);
      continue;
    case Term::List:
      In.failAt(T.At, "an index by a list copies; slices and numbers make "
                      "views");
      return Outcome::unknown();
    case Term::Word:
      In.failAt(T.At, "expected an index");
      return Outcome::unknown();
    }
    if (!O.ok())
      return O;
    R = *O;
  }
  return R;
}

} // namespace tensortidy::tool
