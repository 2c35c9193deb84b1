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
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/IndexOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/OwnReductions.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Overlap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// "unless N is 1", where the write is harmless, or nothing when it never is.
/// Nothing at all: the size may well be 1.
static std::optional<std::vector<SymExpr>> manyOf(const Symbolic &Ar,
                                                  const SymExpr &Size) {
  auto One = Ar.eq(Size, SymExpr(1));
  if (!One.no() || Ar.lt(Size, SymExpr(1)) == Truth::Yes)
    return std::nullopt;
  return One.UnlessOne;
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

namespace {

/// A write in place that is being looked at.
class Write {
public:
  Write(const Context &Ctx, State &W, const Stmt &S, WriteSite &Site)
      : Ctx(Ctx), W(W), S(S), Guard(S.Has), Site(Site) {}

  /// Looks at the part of \p Whole that index_put_() writes; false when it is
  /// not known.
  bool narrowTo(Object &Whole);
  void look(const Object &Whole, llvm::StringRef Target);

private:
  void fitsIndices(Object &Target, const std::vector<Value> &Idx);
  void fits(Object Chosen, const Object &In);
  struct Twice {
    size_t Dim;
    bool IsZero;
    std::vector<SymExpr> Unless;
  };
  /// What is done about operands that share memory with the target.
  bool is(Attribute A) const { return Guard.has(A); }
  std::optional<Twice> firstTwice(const Symbolic &Ar) const;
  bool writesTwice();
  bool haveToBeEqual(const SymExpr &Into, const SymExpr &Of) const;
  bool looksAt(const Arg &A, const Value &V, llvm::StringRef Target);
  bool readsTarget(const Object &In, const Arg &A);
  bool readsPart(const Object &In);
  bool readsShifted(const Object &In, const SymExpr &Shift, bool Refusable);
  bool readsTransposed(const Object &In, bool Notices);
  Truth bothDense(const Object &In) const;
  /// True: the path need not be looked at any more.
  bool report(Overlap::Kind K, Overlap::Effect E,
              const std::vector<SymExpr> &UnlessOne,
              const Object *In = nullptr);

  const Context &Ctx;
  State &W;
  const Stmt &S;
  Attributes Guard;
  WriteSite &Site;
  std::optional<Object> Part; ///< of index_put_()
  const Object *Whole = nullptr, *Out = nullptr;
  Overlap Found;
};

} // namespace

bool Write::report(Overlap::Kind K, Overlap::Effect E,
                   const std::vector<SymExpr> &UnlessOne, const Object *In) {
  if (isVouchedFor(Ctx, W, S, *Out) || ++Site.Bad > 1)
    return true;
  Found.K = K;
  Found.E = E;
  Found.Target = Out->Name;
  Found.Operand = In ? In->Name : "";
  Site.What = Found;
  Site.Unless = excepted(W, UnlessOne);
  Site.Taken = path(W);
  for (const Object *O : {Out, In})
    if (O)
      if (auto Made = sizesOrigin(W, S, Part && O == &*Part ? *Whole : *O))
        Site.Origins.push_back(std::move(*Made));
  return true;
}

/// What is written where tensors choose the elements.
void Write::fitsIndices(Object &Target, const std::vector<Value> &Idx) {
  const Object *In = tensor(W, operand(W, S, "values"));
  sameDTypes(Ctx, W, S, &Target, In);
  if (!In || !In->HasLayout || In->Segment >= 0 || !Target.HasLayout)
    return;
  const auto Sizes = sizesByTensors(Ctx, W, S, Target, Idx);
  // It may have more dimensions of size 1 in front.
  if (!Sizes || In->L.rank() > Sizes->size())
    return;
  Object Chosen = Target;
  Chosen.L.Sizes = *Sizes;
  Chosen.L.Strides.resize(Sizes->size(), SymExpr(1));
  fits(std::move(Chosen), *In);
}

/// Whether \p In broadcasts to \p Chosen, which is not what the target's name
/// stands for, nor was made as that.
void Write::fits(Object Chosen, const Object &In) {
  Chosen.Name.clear();
  Chosen.Prov = nullptr;
  site(Ctx, W, S, {&Chosen, &In},
       inPlaceSizes(W.Ar, Chosen.L.Sizes, In.L.Sizes));
}

bool Write::narrowTo(Object &Target) {
  const std::vector<Value> Idx = indices(W, S);
  indexFits(Ctx, W, S, Target, Idx); // masks have its sizes
  if (llvm::any_of(Idx, [](const Value &V) { return V.K == Value::Tensor; })) {
    fitsIndices(Target, Idx);
    return true;
  }
  Part = indexed(Ctx, W, S, Target, Idx);
  if (!Part)
    return false;
  Part->Name = Target.Name;
  const Object *In = tensor(W, operand(W, S, "values"));
  if (Part->Segment < 0 && In && In->HasLayout && In->Segment < 0)
    fits(*Part, *In);
  // A number fills the part, a tensor is copied to it.
  Guard = {};
  if (!findArg(S, "values") || In)
    for (const Attribute A :
         {Attribute::RefusesExpanded, Attribute::RefusesPart,
          Attribute::Elementwise, Attribute::CopiesElements})
      Guard.add(A);
  return true;
}

static bool isPlain(const Object &O, size_t D) {
  return O.Segment < 0 || static_cast<size_t>(O.Segment) != D;
}

/// A dimension whose elements are written more than once: of stride 0, or
/// (whatever the step is: one of 0 would be worse) of windows that overlap.
std::optional<Write::Twice> Write::firstTwice(const Symbolic &Ar) const {
  const SymLayout &L = Out->L;
  for (size_t D = 0; D < L.rank(); ++D)
    if (isPlain(*Out, D) && Ar.eq(L.Strides[D], SymExpr(0)).yes())
      if (auto Unless = manyOf(Ar, L.Sizes[D]))
        return Twice{D, true, *Unless};
  for (size_t I = 0; I < L.rank() && !is(Attribute::CopiesElements); ++I)
    for (size_t J = 0; J < L.rank(); ++J) {
      if (I == J || !isPlain(*Out, I) || !isPlain(*Out, J))
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
}

bool Write::writesTwice() {
  auto Bad = firstTwice(W.Ar);
  if (!Bad)
    return false;
  auto Unless = layout::exceptions(W.Ar, Bad->Unless, [&](const Symbolic &Ar) {
    auto Then = firstTwice(Ar);
    return Then ? layout::Answer<SymExpr>(Truth::No, Then->Unless)
                : layout::Answer<SymExpr>(Truth::Yes);
  });
  Found.Size = W.Ar.str(Out->L.Sizes[Bad->Dim]);
  if (!Bad->IsZero)
    return report(Overlap::Windows, Overlap::WrongValues, Unless);
  return report(Overlap::ZeroStride,
                is(Attribute::RefusesExpanded) ? Overlap::Throws
                : is(Attribute::ReadsLater)    ? Overlap::WrongValues
                                               : Overlap::ChangesTogether,
                Unless);
}

bool Write::readsTarget(const Object &In, const Arg &A) {
  const bool Bias = A.Name == "self" && S.is(Attribute::AddsSelf);
  if (is(Attribute::RefusesSame))
    return report(Overlap::ReadsTarget, Overlap::Throws, {}, &In);
  if (is(Attribute::ReadsLater) && !Bias)
    return report(Overlap::ReadsTarget, Overlap::WrongValues, {}, &In);
  return false;
}

Truth Write::bothDense(const Object &In) const {
  auto IsDense = [&](const Object &Of) {
    const Truth T = isNonOverlappingAndDense(W.Ar, Of.L).T;
    return Of.Segment < 0 || Of.SegmentDense ? T : T && Truth::Unknown;
  };
  return IsDense(*Out) && IsDense(In);
}

bool Write::readsPart(const Object &In) {
  if (is(Attribute::Elementwise) && !is(Attribute::CopiesElements))
    if (auto Unless = readsItsPart(W.Ar, *Out, In)) {
      const Truth Dense = bothDense(In);
      return report(Overlap::ReadsPart,
                    Dense == Truth::Yes  ? Overlap::Throws
                    : Dense == Truth::No ? Overlap::ReadsOverwritten
                                         : Overlap::ThrowsIfDense,
                    *Unless, &In);
    }
  const SymLayout &X = Out->L, &Y = In.L;
  return Out->Segment < 0 && In.Segment < 0 && !Part &&
         is(Attribute::RefusesPart) && // index_put_() expands it
         overlap(W.Ar, X, Y, true) == layout::Overlap::Partial &&
         (X.rank() != Y.rank() || is(Attribute::RefusesSame)) &&
         report(Overlap::SharesMemory, Overlap::Throws, {}, &In);
}

/// Whether one thread writes all elements: libtorch divides the work on no
/// fewer than at::internal::GRAIN_SIZE of them (ATen/Parallel.h). Where nobody
/// has put the tensor elsewhere, it is taken to be on the CPU.
static bool isForOneThread(const Symbolic &Ar, const Object &Out) {
  constexpr int64_t GrainSize = 32768;
  const bool OnHost = Out.Device.empty() || Out.Device == "cpu";
  return OnHost && Out.Segment < 0 &&
         Ar.lt(numel(Ar, Out.L.Sizes), SymExpr(GrainSize)) == Truth::Yes;
}

/// "unless N is 0" of a number of steps \p N that is none the other way;
/// nothing at all where it may be.
static std::optional<std::vector<SymExpr>> someSteps(const Symbolic &Ar,
                                                     const SymExpr &N) {
  if (Ar.lt(SymExpr(0), N) == Truth::Yes)
    return std::vector<SymExpr>();
  if (N.constant() || Ar.lt(N, SymExpr(0)) != Truth::No)
    return std::nullopt;
  return std::vector<SymExpr>{Ar.norm(Ar.add(N, SymExpr(1)))};
}

/// \p In is the target's memory, moved by \p Shift.
bool Write::readsShifted(const Object &In, const SymExpr &Shift,
                         bool Refusable) {
  const SymLayout &X = Out->L;
  // libtorch looks for it where both are dense.
  const Truth Refused = Refusable ? bothDense(In) : Truth::No;
  for (size_t D = 0; D < X.rank(); ++D) {
    const auto K =
        isPlain(*Out, D) ? W.Ar.divExact(Shift, X.Strides[D]) : std::nullopt;
    if (!K)
      continue;
    auto Unless = someSteps(W.Ar, *K);
    const bool Ahead = Unless.has_value();
    const SymExpr N = Ahead ? *K : W.Ar.norm(W.Ar.sub(SymExpr(0), *K));
    if (!Ahead)
      Unless = someSteps(W.Ar, N);
    if (!Unless)
      continue;
    // One thread reads what lies ahead before it overwrites that.
    const bool ByThreads =
        Ahead && is(Attribute::Elementwise) && Refused != Truth::Yes;
    if (ByThreads && (Refused == Truth::Unknown || isGgml(S.O) ||
                      isForOneThread(W.Ar, *Out))) {
      Site.Open = Site.Open || Refused == Truth::Unknown;
      break;
    }
    if (W.Ar.lt(N, X.Sizes[D]) != Truth::Yes) {
      auto Many = W.Ar.known(N) == 1 ? manyOf(W.Ar, X.Sizes[D]) : std::nullopt;
      if (!Many)
        continue;
      Unless->insert(Unless->end(), Many->begin(), Many->end());
    }
    Site.Open = Site.Open || Refused == Truth::Unknown;
    Site.Prov = Out->Prov;
    Found.Steps = W.Ar.str(N);
    return report(Overlap::Shifted,
                  Refused == Truth::Yes  ? Overlap::Throws
                  : ByThreads            ? Overlap::WrongInThreads
                  : Refused == Truth::No ? Overlap::WrongValues
                                         : Overlap::ThrowsIfBothDense,
                  *Unless, &In);
  }
  return false;
}

bool Write::readsTransposed(const Object &In, bool Notices) {
  const SymLayout &X = Out->L, &Y = In.L;
  for (size_t I = 0; I < X.rank(); ++I)
    for (size_t J = I + 1; J < X.rank(); ++J)
      if (W.Ar.eq(X.Strides[I], Y.Strides[J]).yes() &&
          W.Ar.eq(X.Strides[J], Y.Strides[I]).yes())
        if (auto Unless = manyOf(W.Ar, X.Sizes[I]))
          return report(Overlap::Transposed,
                        Notices ? Overlap::Throws : Overlap::WrongValues,
                        *Unless, &In);
  return false;
}

/// Whether the write throws, or \p Of is 1, where it is not the size \p Into of
/// the target: x.slice(0, 1, n).copy_(x.slice(0, 0, n - 1))
bool Write::haveToBeEqual(const SymExpr &Into, const SymExpr &Of) const {
  return is(Attribute::Elementwise) && W.Ar.eq(Into, Of).unknown() &&
         manyOf(W.Ar, Of);
}

/// Whether operand \p A, which is \p V, makes further ones unimportant.
bool Write::looksAt(const Arg &A, const Value &V, llvm::StringRef Target) {
  const Object *In = tensor(W, V);
  if (!In || !In->HasLayout || In->Storage != Out->Storage)
    return false;
  if (is(Attribute::Packs) &&
      (In->Segment >= 0 || !isContiguous(W.Ar, In->L).yes()))
    return false;
  // One number goes through fill_(), or from an element to itself.
  if (A.Name == "values" && mayBeNumber(W.Ar, *In))
    return false;
  if (V.T == (Part ? ObjId() : operand(W, S, Target).T))
    return readsTarget(*In, A);
  if (readsPart(*In))
    return true;
  const SymLayout &X = Out->L, &Y = In->L;
  if (((Out->Segment >= 0 || In->Segment >= 0) &&
       Out->Segment != In->Segment) ||
      X.rank() != Y.rank())
    return false;
  bool EqualSizes = true, EqualStrides = true;
  for (size_t D = 0; D < X.rank(); ++D) {
    EqualSizes = EqualSizes && (W.Ar.eq(X.Sizes[D], Y.Sizes[D]).yes() ||
                                haveToBeEqual(X.Sizes[D], Y.Sizes[D]));
    EqualStrides = EqualStrides && W.Ar.eq(X.Strides[D], Y.Strides[D]).yes();
  }
  if (!EqualSizes)
    return false;
  const SymExpr Shift = W.Ar.norm(W.Ar.sub(Y.Offset, X.Offset));
  const bool Notices = is(Attribute::RefusesPart) &&
                       overlap(W.Ar, X, Y, true) == layout::Overlap::Partial;
  if (EqualStrides)
    return !Shift.isZero() &&
           readsShifted(*In, Shift, is(Attribute::RefusesPart));
  if (Shift.isZero() && readsTransposed(*In, Notices))
    return true;
  return Notices && report(Overlap::OtherOrder, Overlap::Throws, {}, In);
}

void Write::look(const Object &Target, llvm::StringRef Name) {
  Whole = &Target;
  Out = Part ? &*Part : &Target;
  if (isEmpty(W.Ar, Out->L.Sizes) == Truth::Yes || writesTwice())
    return;
  // Storage made in a loop may be that of another iteration.
  const ObjId From = Out->Storage;
  if (!From ||
      (From.From == ObjId::Value && From.Part == 0 && Ctx.Flow.DefOf[From.Of] &&
       Ctx.F.Blocks[Ctx.Flow.BlockOf[From.Of]].InLoop != NoId))
    return;
  for (const Arg &A : S.Args) {
    if (A.Name == Name)
      continue;
    const Value V = value(W, A.Value);
    if (V.K != Value::List) {
      if (looksAt(A, V, Name))
        return;
      continue;
    }
    for (const Value &Element : *V.Elems)
      if (looksAt(A, Element, Name))
        return;
  }
}

/// The dimensions of \p Of in which \p View picks one index.
static llvm::SmallVector<size_t, 4> pickedBy(State &W, const Stmt &View,
                                             const Object &Of) {
  llvm::SmallVector<size_t, 4> Dims;
  if (View.O == Op::Select) {
    if (const auto Dim = intArg(W, View, "dim"))
      if (const auto At = wrapDim(W.Ar, *Dim, Of.L.rank()); At.ok())
        Dims.push_back(*At);
  } else if (View.O == Op::Index) {
    for (const Value &V : indices(W, View)) {
      if (V.K != Value::Int || Dims.size() == Of.L.rank())
        break;
      Dims.push_back(Dims.size());
    }
  }
  return Dims;
}

/// x[i] = y, x.select(0, i).fill_(1) where all x[i] are the same memory, as
/// expand() has it.
static void writesOneOfSame(const Context &Ctx, State &W, const Stmt &S,
                            const Object &Out, llvm::StringRef Target) {
  const Arg *Self = findArg(S, Target);
  for (unsigned Steps = 0; Self && Steps < 4; ++Steps) {
    const Stmt *View = Ctx.Flow.Values.origin(Self->Value);
    if (!View || (View->O != Op::Select && View->O != Op::Index &&
                  View->O != Op::SelfHandle))
      return;
    Self = findArg(*View, "self");
    // Looked at only: Out may not move.
    const Value Base = Self ? value(W, Self->Value) : Value();
    const Object *Of =
        Base.K == Value::Tensor ? W.Objects.find(Base.T) : nullptr;
    if (!Of || !Of->HasLayout || Of->Segment >= 0 || Of->Storage != Out.Storage)
      return;
    const auto Picked = pickedBy(W, *View, *Of);
    const auto At = llvm::find_if(Picked, [&](size_t D) {
      // Dimension 0 can be named where there is none.
      return D < Of->L.rank() && W.Ar.eq(Of->L.Strides[D], SymExpr(0)).yes();
    });
    if (At == Picked.end())
      continue;
    const auto One = W.Ar.eq(Of->L.Sizes[*At], SymExpr(1));
    if (!One.no() ||
        isSilenced(Ctx, S, Silence::TestedOne,
                   mustBeOne(W, {Of->L.Sizes[*At]})) ||
        isVouchedFor(Ctx, W, S, Out))
      return;
    WriteSite &Site = Ctx.Facts.Writes[&S];
    if (++Site.Bad > 1)
      return;
    Site.What.K = Overlap::OneOfSame;
    Site.What.E = Overlap::ChangesTogether;
    Site.What.Target = Of->Name;
    Site.What.Size = W.Ar.str(Of->L.Sizes[*At]);
    Site.Unless = excepted(W, One.UnlessOne);
    Site.Taken = path(W);
    Site.Prov = Of->Prov;
    return;
  }
}

void writes(const Context &Ctx, State &W, const Stmt &S,
            llvm::StringRef Target) {
  Object *Out = tensorArg(Ctx, W, S, Target);
  if (Out && !W.Degenerate)
    writesOneOfSame(Ctx, W, S, *Out, Target);
  // Not counted: whether it would be a finding is not known yet.
  if (!Out || !S.Has.any(AttributeKind::Overlap) ||
      (W.Degenerate && isInForce(Ctx, Silence::NoElements)))
    return;
  if (S.is(Attribute::Elementwise) && Target == "self")
    inPlaceOperands(Ctx, W, S, *Out);
  // copy_() of itself does nothing.
  if (S.is(Attribute::CopiesElements) && !S.is(Attribute::Assigns))
    if (const Value From = operand(W, S, "src");
        From.K == Value::Tensor && From.T == operand(W, S, Target).T)
      return;
  WriteSite &Site = Ctx.Facts.Writes[&S];
  ++Site.Paths;
  if (!Out->HasLayout)
    return;
  Write Of(Ctx, W, S, Site);
  // Without index tensors, index_put_() copies to a part of its target.
  if (!S.is(Attribute::PutsAt) || Of.narrowTo(*Out))
    Of.look(*Out, Target);
}

/// What `x.add_(y)` and `x[i] = y` ask of y: to fit into x, and no fractions
/// for integers.
static void inPlaceOperands(const Context &Ctx, State &W, const Stmt &S,
                            const Object &Out) {
  const Object *To = &Out;
  const bool Copying = S.is(Attribute::CopiesElements);
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    const Object *In = A.Name == "self" ? nullptr : tensor(W, V);
    if (In && !Copying)
      meetsOwnReduction(Ctx, W, S, *To, *In, A.Value, /*InPlace=*/true);
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
    dtypeFails(Ctx, W, S, Out, {Computed});
}

} // namespace tensortidy::analysis
