//===- Overwrite.cpp - writes to memory that overlaps ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section C of the semantics: which writes meet the same element twice, and
// which of them libtorch notices.
//
//   x.expand({B, C}).add_(1)      stride 0: throws
//   x.unfold(0, 3, 1).add_(1)     windows overlap: wrong values
//   x[1:] += x[:-1]               shifted by one: throws, or wrong values
//   mm_out(m, m, w)               reads what it has overwritten: wrong values
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Overwrite.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/IndexOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Overlap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

enum : uint8_t {
  RefusesExpanded = 1, ///< a written tensor with stride 0
  RefusesSame = 2,     ///< an operand that is the same memory
  RefusesPart = 4,     ///< one that shares some of it
  ReadsLater = 8,      ///< operands are read after parts of the result are
                       ///< written: the same memory gives wrong values
  Elementwise = 16,    ///< one element of each operand for each written
  Copies = 32,         ///< ... which is that element
  Packs = 64,          ///< reads a copy of an operand that is not contiguous
};

} // namespace

/// What libtorch 1.13 does about overlap in the operation \p Name: nothing when
/// it is not known.
static std::optional<unsigned> guardOf(llvm::StringRef Name) {
  Name.consume_back("_outf") || Name.consume_back("_out") ||
      Name.consume_back("_");
  auto Is = [&](std::initializer_list<llvm::StringRef> Names) {
    return llvm::is_contained(Names, Name);
  };
  if (Is({"copy", "="}))
    return RefusesExpanded | RefusesPart | Elementwise | Copies;
  if (Is({"add",       "sub",         "mul",         "div",
          "divide",    "multiply",    "subtract",    "true_divide",
          "pow",       "float_power", "fmod",        "remainder",
          "neg",       "exp",         "exp2",        "expm1",
          "log",       "log2",        "log10",       "log1p",
          "sqrt",      "rsqrt",       "square",      "reciprocal",
          "sigmoid",   "tanh",        "sin",         "cos",
          "tan",       "erf",         "erfc",        "erfinv",
          "relu",      "elu",         "leaky_relu",  "gelu",
          "silu",      "abs",         "clamp",       "clip",
          "clamp_min", "clamp_max",   "lerp",        "addcmul",
          "addcdiv",   "maximum",     "minimum",     "atan2",
          "floor",     "ceil",        "round",       "trunc",
          "frac",      "sign",        "logit",       "floor_divide",
          "eq",        "ne",          "lt",          "le",
          "gt",        "ge",          "bitwise_and", "bitwise_or",
          "where",     "nan_to_num",  "logical_and", "logical_or",
          "+=",        "-=",          "*=",          "/=",
          "%=",        "&=",          "|=",          "^="}))
    return RefusesExpanded | RefusesPart | Elementwise;
  if (Is({"cumsum", "cumprod", "addr", "normal", "uniform", "random",
          "exponential", "renorm", "sort", "topk"}))
    return RefusesExpanded | RefusesPart;
  if (Is({"index_select", "gather", "take", "scatter", "scatter_add",
          "index_add", "index_copy", "put", "cat", "stack"}))
    return RefusesExpanded | RefusesSame | RefusesPart;
  if (Is({"mm", "matmul", "addmm", "linear"}))
    return RefusesExpanded | ReadsLater;
  if (Is({"bmm", "baddbmm", "mv"}))
    return ReadsLater;
  if (Is({"masked_scatter"}))
    return RefusesExpanded | Packs;
  if (Is({"bernoulli", "softmax"}))
    return RefusesExpanded;
  if (Is({"index_put"}))
    return RefusesSame | RefusesPart;
  if (Is({"masked_fill", "index_fill", "tril", "triu", "fill_diagonal",
          "addmv"}))
    return 0;
  return std::nullopt;
}

/// "unless N is 1", where the write is harmless, or nothing when it never is.
/// Nothing at all: the size may well be 1.
static std::optional<std::vector<SymExpr>> manyOf(const Symbolic &Ar,
                                                  const SymExpr &Size) {
  auto One = Ar.eq(Size, SymExpr(1));
  if (!One.no() || Ar.lt(Size, SymExpr(1)) == Truth::Yes)
    return std::nullopt;
  return One.UnlessOne;
}

static std::string quotedName(const Object &O, llvm::StringRef Else) {
  return O.Name.empty() ? Else.str() : "'" + O.Name + "'";
}

/// Whether \p In may be one number: of no dimension, or of one of size 1.
static bool mayBeNumber(const Symbolic &Ar, const Object &In) {
  if (In.leastRank() > 1 || In.L.rank() == 0)
    return In.leastRank() == 0;
  return In.Segment >= 0 || !Ar.eq(In.L.Sizes[0], SymExpr(1)).no();
}

/// Whether \p In, broadcast to the sizes of \p Out, runs along its memory but
/// for dimensions it repeats: then elements are read after they were written.
///   x -= x[0]             every row reads the first, which is zero by then
///   x += x.diagonal()     row i reads element [0, 0], changed in row 0
/// Nothing: it is not known to. Otherwise as manyOf().
static std::optional<std::vector<SymExpr>>
readsItsPart(const Symbolic &Ar, const Object &Out, const Object &In) {
  const SymLayout &X = Out.L, &Y = In.L;
  if (Y.rank() > X.rank() || (Out.Segment < 0) != (In.Segment < 0))
    return std::nullopt;
  const size_t Lead = X.rank() - Y.rank();
  if (Out.Segment >= 0 && static_cast<size_t>(Out.Segment) !=
                              static_cast<size_t>(In.Segment) + Lead)
    return std::nullopt;
  auto Equal = [&](size_t D) { // nothing: it is absent
    return D >= Lead && Ar.eq(X.Sizes[D], Y.Sizes[D - Lead]).yes();
  };
  const SymExpr Shift = Ar.norm(Ar.sub(Y.Offset, X.Offset));
  std::vector<SymExpr> Unless;
  std::optional<size_t> Repeated;
  for (size_t D = 0; D < X.rank(); ++D) {
    if (Equal(D))
      continue;
    if (D >= Lead && !Ar.eq(Y.Sizes[D - Lead], SymExpr(1)).yes())
      return std::nullopt;
    auto Many = manyOf(Ar, X.Sizes[D]);
    auto K = Ar.divExact(Shift, X.Strides[D]);
    const int64_t At = K ? Ar.known(*K).value_or(-1) : -1;
    if (!Many || At < 0 || Repeated)
      return std::nullopt;
    // The last one is written when all have been read.
    if (At > 0 && Ar.lt(SymExpr(At + 1), X.Sizes[D]) != Truth::Yes)
      return std::nullopt;
    Repeated = D;
    Unless = std::move(*Many);
  }
  if (!Repeated)
    return std::nullopt;
  // Along the others it moves as the memory does, or on in what it repeats,
  // too: a diagonal.
  for (size_t D = 0; D < X.rank(); ++D) {
    if (D == *Repeated || Ar.eq(X.Strides[D], Y.Strides[D - Lead]).yes())
      continue;
    auto On = Ar.divExact(Ar.sub(Y.Strides[D - Lead], X.Strides[D]),
                          X.Strides[*Repeated]);
    const auto Steps = On ? Ar.known(*On) : std::nullopt;
    if (!Steps || *Steps < 0)
      return std::nullopt;
  }
  return Unless;
}

static void inPlaceOperands(const Context &Ctx, State &W, const Stmt &S,
                            const Object &Out);

void writes(const Context &Ctx, State &W, const Stmt &S,
            llvm::StringRef Target) {
  Object *Out = tensorArg(Ctx, W, S, Target);
  auto G = guardOf(S.Text);
  if (!Out || !G || W.Degenerate)
    return;
  if (*G & Elementwise && Target == "self")
    inPlaceOperands(Ctx, W, S, *Out);
  if (S.Text == "copy_") // of itself does nothing
    if (const Value From = operand(W, S, "src");
        From.K == Value::Tensor && From.T == operand(W, S, Target).T)
      return;
  WriteSite &Site = Ctx.Facts.Writes[&S];
  ++Site.Paths;
  if (!Out->HasLayout)
    return;
  // Without index tensors, index_put_() copies to a part of its target.
  std::optional<Object> Part;
  const Object *Whole = Out;
  if (llvm::StringRef(S.Text).starts_with("index_put")) {
    const std::vector<Value> Idx = indices(W, S);
    indexFits(Ctx, W, S, *Out, Idx); // masks have its sizes
    if (llvm::any_of(Idx,
                     [](const Value &V) { return V.K == Value::Tensor; })) {
      sameDTypes(Ctx, W, S, Out, tensor(W, operand(W, S, "values")));
    } else {
      Part = indexed(Ctx, W, S, *Out, Idx);
      if (!Part)
        return;
      Part->Name = Out->Name;
      const Object *In = tensor(W, operand(W, S, "values"));
      if (Part->Segment < 0 && In && In->HasLayout && In->Segment < 0) {
        Object Written = *Part; // not what the name stands for, and was made so
        Written.Name.clear();
        Written.Prov = nullptr;
        site(Ctx, W, S, {&Written, In},
             inPlaceSizes(W.Ar, Part->L.Sizes, In->L.Sizes));
      }
      // A number fills the part.
      G = guardOf(findArg(S, "values") && !In ? "masked_fill" : "copy");
      Out = &*Part;
    }
  }
  if (isEmpty(W.Ar, Out->L.Sizes) == Truth::Yes || isVouchedFor(Ctx, W, *Out))
    return;
  const std::string What =
      S.Text + (isalpha(S.Text[0]) || S.Text[0] == '_' ? "()" : "");
  const std::string To = quotedName(*Out, "its target");
  auto Report = [&](std::string Text, const std::vector<SymExpr> &UnlessOne,
                    const char *Then, const Object *Other = nullptr) {
    if (++Site.Bad > 1)
      return;
    Site.Message = What + " " + std::move(Text) + "; " + Then;
    Site.Unless = unlessText(W, UnlessOne);
    Site.Path = pathText(W);
    for (const Object *O : {const_cast<const Object *>(Out), Other})
      if (O)
        if (auto N = sizesNote(W, S, Part && O == &*Part ? *Whole : *O))
          Site.Notes.push_back(std::move(*N));
  };
  static const char Throws[] = "throws",
                    Wrong[] = "the values are wrong and nothing says so",
                    Together[] = "what share memory change together, and "
                                 "nothing says so",
                    Order[] = "elements are read after they were overwritten, "
                              "and nothing says so",
                    Either[] = "throws where it is dense, and reads elements "
                               "after they were overwritten where not",
                    Shifted[] = "throws where both are dense, and the values "
                                "are wrong where not";
  auto Plain = [](const Object &O, size_t D) {
    return O.Segment < 0 || static_cast<size_t>(O.Segment) != D;
  };

  // A dimension whose elements are written more than once: of stride 0, or
  // (whatever the step is: one of 0 would be worse) of windows that overlap.
  const SymLayout &L = Out->L;
  struct Twice {
    size_t D;
    bool IsZero;
    std::vector<SymExpr> Unless;
  };
  auto FirstTwice = [&](const Symbolic &Ar) -> std::optional<Twice> {
    for (size_t D = 0; D < L.rank(); ++D)
      if (Plain(*Out, D) && Ar.eq(L.Strides[D], SymExpr(0)).yes())
        if (auto Unless = manyOf(Ar, L.Sizes[D]))
          return Twice{D, true, *Unless};
    for (size_t I = 0; I < L.rank() && !(*G & Copies); ++I)
      for (size_t J = 0; J < L.rank(); ++J) {
        if (I == J || !Plain(*Out, I) || !Plain(*Out, J))
          continue;
        auto K = Ar.divExact(L.Strides[J], L.Strides[I]);
        auto Steps = K ? Ar.known(*K) : std::nullopt;
        if (!Steps || *Steps < 1 ||
            Ar.lt(SymExpr(*Steps), L.Sizes[I]) != Truth::Yes)
          continue;
        if (auto Unless = manyOf(Ar, L.Sizes[J]))
          return Twice{J, false, *Unless};
      }
    return std::nullopt;
  };
  if (auto Bad = FirstTwice(W.Ar)) {
    auto Unless =
        layout::exceptions(W.Ar, Bad->Unless, [&](const Symbolic &Ar) {
          auto Then = FirstTwice(Ar);
          return Then ? layout::Answer<SymExpr>(Truth::No, Then->Unless)
                      : layout::Answer<SymExpr>(Truth::Yes);
        });
    const std::string Text = "writes elements of " + To + " more than once: ";
    return Bad->IsZero ? Report(Text + "a dimension of size " +
                                    W.Ar.str(L.Sizes[Bad->D]) + " has stride 0",
                                Unless,
                                *G & RefusesExpanded ? Throws
                                : *G & ReadsLater    ? Wrong
                                                     : Together)
                       : Report(Text + "its windows overlap", Unless, Wrong);
  }

  // Storage made in a loop may be that of another iteration.
  const ObjId From = Out->Storage;
  if (!From ||
      (From.From == ObjId::Value && From.Part == 0 && Ctx.Flow.DefOf[From.Of] &&
       Ctx.F.Blocks[Ctx.Flow.BlockOf[From.Of]].InLoop != NoId))
    return;
  const ObjId OutId = Part ? ObjId() : operand(W, S, Target).T;
  std::vector<std::pair<const Arg *, Value>> Operands;
  for (const Arg &A : S.Args) {
    if (A.Name == Target)
      continue;
    Value V = value(W, A.Value);
    if (V.K == Value::List)
      for (const Value &Element : *V.Elems)
        Operands.emplace_back(&A, Element);
    else
      Operands.emplace_back(&A, std::move(V));
  }
  for (const auto &[Given, V] : Operands) {
    const Arg &A = *Given;
    const Object *In = tensor(W, V);
    if (!In || !In->HasLayout || In->Storage != From)
      continue;
    if (*G & Packs && (In->Segment >= 0 || !isContiguous(W.Ar, In->L).yes()))
      continue;
    // One number goes through fill_(), or from an element to itself.
    if (A.Name == "values" && mayBeNumber(W.Ar, *In))
      continue;
    const SymLayout &X = Out->L, &Y = In->L;
    SymExpr Shift = W.Ar.norm(W.Ar.sub(Y.Offset, X.Offset));
    const bool Same = V.T == OutId;
    const bool Bias =
        A.Name == "self" && llvm::StringRef(S.Text).contains("add");
    if (Same && *G & RefusesSame)
      return Report("writes " + To + " while it still reads it", {}, Throws,
                    In);
    if (Same && *G & ReadsLater && !Bias)
      return Report("writes " + To + " while it still reads it", {}, Wrong, In);
    if (Same)
      continue;
    const std::string Other = quotedName(*In, "an operand");
    auto IsDense = [&](const Object &Of) {
      const Truth T = isNonOverlappingAndDense(W.Ar, Of.L).T;
      return Of.Segment < 0 || Of.SegmentDense ? T : T && Truth::Unknown;
    };
    auto BothDense = [&, In = In] { return IsDense(*Out) && IsDense(*In); };
    if (*G & Elementwise && !(*G & Copies))
      if (auto Unless = readsItsPart(W.Ar, *Out, *In)) {
        const Truth Dense = BothDense();
        return Report("writes " + To + " while it reads " + Other +
                          ", a part of it",
                      *Unless,
                      Dense == Truth::Yes  ? Throws
                      : Dense == Truth::No ? Order
                                           : Either,
                      In);
      }
    if (Out->Segment >= 0 || In->Segment >= 0) {
      if (Out->Segment != In->Segment)
        continue;
    } else if (!Part && *G & RefusesPart && // index_put_() expands it
               overlap(W.Ar, X, Y, true) == Overlap::Partial &&
               (X.rank() != Y.rank() || *G & RefusesSame)) {
      return Report("writes " + To + " while it reads " + Other +
                        ", a part of the same memory",
                    {}, Throws, In);
    }
    if (X.rank() != Y.rank())
      continue;
    bool EqualSizes = true, EqualStrides = true;
    for (size_t D = 0; D < X.rank(); ++D) {
      EqualSizes = EqualSizes && W.Ar.eq(X.Sizes[D], Y.Sizes[D]).yes();
      EqualStrides = EqualStrides && W.Ar.eq(X.Strides[D], Y.Strides[D]).yes();
    }
    if (!EqualSizes)
      continue;
    const bool Notices =
        *G & RefusesPart && overlap(W.Ar, X, Y, true) == Overlap::Partial;
    if (EqualStrides && !Shift.isZero()) {
      // libtorch looks for it where both are dense.
      const Truth Refused = *G & RefusesPart ? BothDense() : Truth::No;
      for (size_t D = 0; D < X.rank(); ++D) {
        auto K =
            Plain(*Out, D) ? W.Ar.divExact(Shift, X.Strides[D]) : std::nullopt;
        const int64_t Steps = K ? W.Ar.known(*K).value_or(0) : 0;
        // What lies ahead is read before it is overwritten.
        if (Steps > 0 && *G & Elementwise && Refused != Truth::Yes) {
          Site.Open = Site.Open || Refused == Truth::Unknown;
          break;
        }
        const int64_t N = std::abs(Steps);
        if (!N)
          continue;
        std::optional<std::vector<SymExpr>> Unless;
        if (W.Ar.lt(SymExpr(N), X.Sizes[D]) == Truth::Yes)
          Unless.emplace();
        else if (N == 1)
          Unless = manyOf(W.Ar, X.Sizes[D]);
        Site.Open = Site.Open || Refused == Truth::Unknown;
        Site.Prov = Out->Prov;
        if (Unless)
          return Report("writes " + To + " while it reads " + Other +
                            ", the same memory shifted by " + std::to_string(N),
                        *Unless,
                        Refused == Truth::Yes  ? Throws
                        : Refused == Truth::No ? Wrong
                                               : Shifted,
                        In);
      }
    } else if (!EqualStrides && Shift.isZero()) {
      for (size_t I = 0; I < X.rank(); ++I)
        for (size_t J = I + 1; J < X.rank(); ++J)
          if (W.Ar.eq(X.Strides[I], Y.Strides[J]).yes() &&
              W.Ar.eq(X.Strides[J], Y.Strides[I]).yes())
            if (auto Unless = manyOf(W.Ar, X.Sizes[I]))
              return Report("writes " + To + " while it reads " + Other +
                                ", the same memory transposed",
                            *Unless, Notices ? Throws : Wrong, In);
    }
    if (Notices && !EqualStrides)
      return Report("writes " + To + " while it reads " + Other +
                        ", the same memory in another order",
                    {}, Throws, In);
  }
}

/// What `x.add_(y)` and `x[i] = y` ask of y: to fit into x, and no fractions
/// for integers.
static void inPlaceOperands(const Context &Ctx, State &W, const Stmt &S,
                            const Object &Out) {
  const Object *To = &Out;
  const bool Copying = S.Text == "=" || S.Text == "copy_";
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    const Object *In = A.Name == "self" ? nullptr : tensor(W, V);
    if (In && To->HasLayout && In->HasLayout && To->Segment < 0 &&
        In->Segment < 0)
      site(Ctx, W, S, {To, In}, inPlaceSizes(W.Ar, To->L.Sizes, In->L.Sizes));
    else if (In && To->HasLayout && In->HasLayout) {
      SymDims Left = To->tail(), Right = In->tail();
      for (SymDims *D : {&Left, &Right}) // what both have, from the back
        D->erase(D->begin(),
                 D->end() - static_cast<int64_t>(std::min(To->tail().size(),
                                                          In->tail().size())));
      auto Fits = inPlaceSizes(W.Ar, Left, Right);
      if (Fits.failed() && Fits.error().R == Rule::InPlaceSize) {
        LayoutError<SymExpr> E = Fits.error();
        E.Values[2] =
            W.Ar.sub(E.Values[2], SymExpr(static_cast<int64_t>(Left.size())));
        layoutFails(Ctx, W, S, {To, In}, E, Fits.unlessOne(), "", true);
      }
    }
  }
  if (Copying || S.InMacro || S.TypesVary)
    return;
  if (const std::string Computed = computedDType(Ctx, W, S);
      !canStore(Computed, To->DType))
    dtypeFails(Ctx, W, S, Out, Computed);
}

} // namespace tensortidy::analysis
