//===- Run.cpp - both libraries in lockstep -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After each step every tensor alive is compared: element type, sizes, strides,
// offset, bytes of storage, formats, which tensors are one object and which
// share storage, and all values; so a write that reaches another tensor in one
// library only shows at once.
//
// Where the values are anything (writes in no certain order, last digits), the
// runtime's storage then gets libtorch's bytes, so that the program can go on;
// uninitialised and random values become 0 in both.
//
//===----------------------------------------------------------------------===//

#include "Layout/Fault.h"
#include "Program.h"
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace differential {

struct Machine::Theirs {
  std::map<int, at::Tensor> Tensors;
};
Machine::Machine() : There(new Theirs) {}
Machine::~Machine() { delete There; }

std::string listText(const Ints &L) {
  std::string R = "{";
  for (size_t K = 0; K < L.size(); ++K)
    R += (K ? ", " : "") + std::to_string(L[K]);
  return R + "}";
}

namespace {

//===--- what a tensor is
//---------------------------------------------------===//

template <class T> std::string shown(const T &X, const char *Type) {
  auto List = [](const auto &L) { return listText(Ints(L.begin(), L.end())); };
  return std::string(Type) + " sizes " + List(X.sizes()) + " strides " +
         List(X.strides()) + " offset " + std::to_string(X.storage_offset()) +
         " of " + std::to_string(X.storage().nbytes()) + " bytes";
}
std::string shown(const at::Tensor &X) {
  return shown(X, c10::toString(X.scalar_type()));
}
std::string shown(const tt::Tensor &X) {
  return shown(X, tt::toString(X.scalar_type()));
}
bool sameLayout(const at::Tensor &A, const tt::Tensor &B) {
  auto Same = [](c10::IntArrayRef X, tt::IntArrayRef Y) {
    return X.size() == Y.size() && std::equal(X.begin(), X.end(), Y.begin());
  };
  return static_cast<int>(A.scalar_type()) ==
             static_cast<int>(B.scalar_type()) &&
         Same(A.sizes(), B.sizes()) && Same(A.strides(), B.strides()) &&
         A.storage_offset() == B.storage_offset() &&
         A.storage().nbytes() == B.storage().nbytes();
}

double valueAt(tt::ScalarType Type, const void *Data, int64_t At) {
  auto Read = [&](auto Zero) {
    using T = decltype(Zero);
    return static_cast<double>(static_cast<const T *>(Data)[At]);
  };
  switch (Type) {
  case tt::kByte:
    return Read(uint8_t());
  case tt::kChar:
    return Read(int8_t());
  case tt::kShort:
    return Read(int16_t());
  case tt::kInt:
    return Read(int32_t());
  case tt::kLong:
    return Read(int64_t());
  case tt::kDouble:
    return Read(double());
  case tt::kBool: // any byte but 0, after view(dtype)
    return Read(uint8_t()) != 0;
  case tt::kHalf:
    return float(static_cast<const tt::Half *>(Data)[At]);
  case tt::kBFloat16:
    return float(static_cast<const tt::BFloat16 *>(Data)[At]);
  default:
    return Read(float());
  }
}
double greatest(tt::ScalarType Type) {
  return Type == tt::kHalf     ? 65504
         : Type == tt::kDouble ? std::numeric_limits<double>::max()
                               : std::numeric_limits<float>::max();
}
/// How far inexact results may be apart, relative to the greatest operand: 8
/// roundings of a 16-bit type; of float and double more, since sums of up to
/// 600 elements, in float or double, are the inexact operations there, while
/// sums of 16-bit numbers are rounded to 16 bits at the end.
double closeness(tt::ScalarType Type) {
  switch (Type) {
  case tt::kHalf:
    return 4e-3;
  case tt::kBFloat16:
    return 3e-2;
  case tt::kDouble:
    return 1e-9;
  default:
    return tt::isFloatingType(Type) ? 2e-5 : 0;
  }
}

/// Calls F(element offset from data_ptr) for every index, in order.
template <class F> void forEach(const tt::Tensor &X, F Function) {
  const auto S = X.sizes(), T = X.strides();
  int64_t At[16] = {};
  int64_t Offset = 0;
  for (int64_t K = X.numel(); K > 0; --K) {
    Function(Offset);
    for (size_t D = S.size(); D-- > 0;) {
      Offset += T[D];
      if (++At[D] < S[D])
        break;
      Offset -= T[D] * S[D];
      At[D] = 0;
    }
  }
}
/// The greatest finite magnitude among the elements, at least 1.
double magnitude(const tt::Tensor &X) {
  double R = 1;
  if (X.defined() && X.numel())
    forEach(X, [&](int64_t O) {
      const double V = std::abs(valueAt(X.scalar_type(), X.data_ptr(), O));
      if (std::isfinite(V))
        R = std::max(R, V);
    });
  return R;
}

/// Values whose squares or quotients may leave the range of floats.
bool isExtreme(const tt::Tensor &X) {
  bool R = false;
  if (X.defined() && X.numel())
    forEach(X, [&](int64_t O) {
      const double V = std::abs(valueAt(X.scalar_type(), X.data_ptr(), O));
      R |= V > 1e9 || (V > 0 && V < 1e-9);
    });
  return R;
}

//===--- comparing
//----------------------------------------------------------===//

/// Gives the runtime libtorch's bytes.
void adoptBytes(const at::Tensor &A, const tt::Tensor &B) {
  const size_t N = std::min(A.storage().nbytes(), B.storage().nbytes());
  if (N)
    std::memcpy(B.storage().data(), A.storage().data_ptr().get(), N);
}

/// Random and uninitialised values become 0 in both.
void clear(const at::Tensor &A, const tt::Tensor &B) {
  // To the runtime, memory whose address was given away has been written.
  (void)B.data_ptr();
  if (A.storage().nbytes())
    std::memset(A.storage().data_ptr().get(), 0, A.storage().nbytes());
  if (B.storage().nbytes())
    std::memset(B.storage().data(), 0, B.storage().nbytes());
}

/// By how many closeness() values may differ; by default not at all.
struct Tolerance {
  double Relative = 0;
  double Least = 0;      ///< closeness of what is computed in
  bool Overflow = false; ///< may libtorch's be infinite instead?
};

std::string valuesDiffer(const at::Tensor &A, const tt::Tensor &B,
                         Tolerance T) {
  if (A.numel() == 0)
    return {};
  const void *X = A.data_ptr(), *Y = B.data_ptr();
  const auto Type = B.scalar_type();
  if (B.is_contiguous() && Type != tt::kBool &&
      std::memcmp(X, Y, A.nbytes()) == 0)
    return {};
  const double Most = greatest(Type);
  const double Close = closeness(Type);
  const double Slack = T.Relative * (Close > 0 ? std::max(Close, T.Least) : 0);
  std::string R;
  int64_t Index = 0;
  forEach(B, [&](int64_t O) {
    const double V = valueAt(Type, X, O), W = valueAt(Type, Y, O);
    // Last digits also decide what is just out of the type's range.
    const bool Same =
        V == W || (V != V && W != W) ||
        (std::isinf(V) != std::isinf(W)
             ? (T.Overflow && std::isinf(V)) ||
                   (Slack > 0 &&
                    std::min(std::abs(V), std::abs(W)) > 0.9 * Most)
             : std::abs(V - W) <= Slack * std::max(1.0, std::abs(V)));
    if (!Same && R.empty())
      R = "value " + std::to_string(Index) + " of " + shown(A) + ": libtorch " +
          std::to_string(V) + ", runtime " + std::to_string(W);
    ++Index;
  });
  return R;
}

void compareLayout(const at::Tensor &A, const tt::Tensor &B, Outcome &R) {
  if (!sameLayout(A, B)) {
    R.Kind = "layout";
    R.Text = "libtorch: " + shown(A) + "\nruntime:  " + shown(B);
    return;
  }
  for (int F : {0, 2, 3})
    if (A.is_contiguous(static_cast<at::MemoryFormat>(F)) !=
        B.is_contiguous(static_cast<tt::MemoryFormat>(F))) {
      R.Kind = "is_contiguous";
      R.Text = "is_contiguous(" + std::to_string(F) + ") of " + shown(A);
    }
  if (A.is_non_overlapping_and_dense() != B.is_non_overlapping_and_dense()) {
    R.Kind = "is_non_overlapping_and_dense";
    R.Text = R.Kind + "() of " + shown(A);
  }
  for (bool Exact : {false, true})
    if (static_cast<int>(A.suggest_memory_format(Exact)) !=
        static_cast<int>(B.suggest_memory_format(Exact))) {
      R.Kind = "suggest_memory_format";
      R.Text = R.Kind + "() of " + shown(A);
    }
}

/// \p Slack is for storages that the step wrote or made, 0 for the others.
void compareAll(const std::map<int, at::Tensor> &Theirs, const Live &Ours,
                const std::set<const void *> &Changed, Tolerance Slack,
                bool AnyValues, Outcome &R) {
  std::map<const void *, const void *> Object, ObjectBack, Store, StoreBack;
  auto Same = [](auto &There, auto &Back, const void *X, const void *Y) {
    const bool A = There.emplace(X, Y).first->second == Y;
    const bool B = Back.emplace(Y, X).first->second == X;
    return A && B;
  };
  for (const auto &[Id, A] : Theirs) {
    const tt::Tensor &B = Ours.at(Id);
    compareLayout(A, B, R);
    if (!Same(Object, ObjectBack, A.unsafeGetTensorImpl(),
              B.unsafeGetTensorImpl())) {
      R.Kind = "identity";
      R.Text = "is the operand itself in one library, another tensor in the "
               "other: " +
               shown(A);
    } else if (!Same(Store, StoreBack, A.storage().unsafeGetStorageImpl(),
                     B.storage().impl())) {
      R.Kind = "aliasing";
      R.Text = "shares storage in one library only: " + shown(A);
    }
    if (R.Kind.empty() && !(AnyValues && Changed.count(B.storage().impl()))) {
      const bool IsChanged = Changed.count(B.storage().impl()) > 0;
      if (auto D = valuesDiffer(A, B, IsChanged ? Slack : Tolerance());
          !D.empty()) {
        R.Kind = "values";
        R.Text = std::move(D);
      }
    }
    if (!R.Kind.empty()) {
      R.Text = "t" + std::to_string(Id) + ": " + R.Text;
      return;
    }
  }
  for (const auto &[Id, A] : Theirs)
    if (Changed.count(Ours.at(Id).storage().impl()))
      adoptBytes(A, Ours.at(Id));
}

/// Whether the result of writing x element by element from the operands
/// depends on the order.
bool orderMatters(const tt::Tensor &X, const tt::Tensor *Others) {
  bool Shares = X.storage().use_count() > 1;
  std::set<int64_t> Written;
  bool Twice = false;
  const auto Size = static_cast<int64_t>(X.element_size());
  if (!Shares && X.is_non_overlapping_and_dense())
    return false;
  forEach(X, [&](int64_t O) {
    Twice |= !Written.insert((X.storage_offset() + O) * Size).second;
  });
  if (Twice)
    return true;
  for (int K = 0; K < 2; ++K) {
    const tt::Tensor &Y = Others[K];
    if (!Y.defined() || !Y.is_alias_of(X) || Y.is_set_to(X))
      continue;
    const auto S = static_cast<int64_t>(Y.element_size());
    bool Meets = false;
    forEach(Y, [&](int64_t O) {
      for (int64_t B = 0; B < S; ++B)
        Meets |=
            Written.count(((Y.storage_offset() + O) * S + B) / Size * Size) > 0;
    });
    if (Meets)
      return true;
  }
  return false;
}

/// Drops the tensors that share \p X's storage.
void forget(std::map<int, at::Tensor> &Theirs, Live &Ours,
            const tt::Tensor &X) {
  for (auto It = Ours.begin(); It != Ours.end();)
    if (It->second.is_alias_of(X)) {
      Theirs.erase(It->first);
      It = Ours.erase(It);
    } else {
      ++It;
    }
}

/// What the results of a step may differ by.
///
/// - Exact operations not at all: they round once, as IEEE 754 says.
/// - Inexact ones add up in another order, or compute a function otherwise: an
///   error of the last digits of the greatest operand, which cancellation makes
///   large beside a small result. A product of operands takes that of each.
/// - Amplifies: a deviation from a mean is divided by the root of what is left
///   of the squares, which are as inexact again; 20 is what was seen. At most
///   by the root of eps, which is what 16 bits get: 0 / 0.003 and one rounding.
/// - A function of floats is computed in float, also into a double.
/// - Narrow: libtorch 1.13 rounds the sum to 16 bits at each addition, the
///   runtime at the end; each addition may lose a last digit.
/// - Overflows: libtorch goes through numbers that leave the type's range,
///   where the runtime's result still has its place.
Tolerance tolerance(unsigned Flags, const tt::Tensor *Operands) {
  if (!(Flags & Inexact))
    return {};
  const bool Is16Bit =
      Operands[0].defined() && tt::elementSize(Operands[0].scalar_type()) == 2;
  double R = Flags & Amplifies ? (Is16Bit ? 316 : 20) : 1;
  for (int K = 0; K < 3; ++K)
    R *= magnitude(Operands[K]);
  if ((Flags & Narrow) && Is16Bit)
    R *= std::max(1.0, static_cast<double>(Operands[0].numel()));
  bool IsDouble = true;
  for (int K = 0; K < 3; ++K)
    IsDouble = IsDouble && (!Operands[K].defined() ||
                            Operands[K].scalar_type() == tt::kDouble);
  return {R, IsDouble ? 0 : closeness(tt::kFloat), (Flags & Overflows) != 0};
}

/// Whether C++, or the range of a type, leaves the results open.
bool isLeftOpen(unsigned Flags, const tt::Tensor *Operands) {
  bool R = (Flags & Fresh) != 0;
  for (int K = 0; K < 3; ++K) {
    const tt::Tensor &X = Operands[K];
    if (!X.defined() || !X.numel())
      continue;
    if (Flags & (Amplifies | Finite))
      R |= isExtreme(X);
    // A number of a floating type that the integer does not have.
    if (Flags & Convert)
      forEach(X, [&](int64_t At) {
        const double V = valueAt(X.scalar_type(), X.data_ptr(), At);
        R = R || !(V >= 0 && V <= 127);
      });
  }
  return R;
}

struct Row {
  const char *Name, *Text;
};
#define THEIRS(NAME, TEXT) {NAME, TEXT},
#define OURS(NAME, TEXT)
#define ALSO(THEIRS, OURS)
const Row TheirReasons[] = {
#include "Reasons.inc"
};
#undef THEIRS
#undef OURS
#undef ALSO
#define THEIRS(NAME, TEXT)
#define OURS(NAME, TEXT) {NAME, TEXT},
#define ALSO(THEIRS, OURS)
const Row OurReasons[] = {
#include "Reasons.inc"
};
#undef OURS
#undef ALSO
#define OURS(NAME, TEXT)
#define ALSO(THEIRS, OURS) {THEIRS, OURS},
const Row SameReasons[] = {
#include "Reasons.inc"
};
#undef THEIRS
#undef OURS
#undef ALSO

} // namespace

const char *commonReason(const std::string &Theirs, const std::string &Ours,
                         const std::string &Rule) {
  const char *A = nullptr, *B = nullptr;
  for (const Row &R : TheirReasons)
    if (!A && Theirs.find(R.Text) != std::string::npos)
      A = R.Name;
  for (const Row &R : OurReasons)
    if (!B && (Rule.empty() ? Ours.find(R.Text) != std::string::npos
                            : Rule == R.Text))
      B = R.Name;
  if (!A || !B)
    return nullptr;
  bool Same = std::strcmp(A, B) == 0;
  for (const Row &R : SameReasons)
    Same = Same || (std::strcmp(A, R.Name) == 0 && std::strcmp(B, R.Text) == 0);
  if (Same)
    return A;
  // Of two rules broken at once each library names the one it checks first. A
  // pure layout question has one answer.
  const bool IsLayout = std::strstr(A, "view") || std::strstr(B, "view") ||
                        std::strstr(A, "number of") ||
                        std::strstr(B, "number of");
  return IsLayout ? nullptr : TwoRules;
}

Outcome Machine::run(const Step &S) {
  const Operation &O = operations()[S.Op];
  at::Tensor A[3];
  tt::Tensor B[3];
  for (int K = 0; K < 3; ++K)
    if (S.In[K] >= 0) {
      A[K] = There->Tensors.at(S.In[K]);
      B[K] = Ours.at(S.In[K]);
    }
  Outcome R;
  const bool Unordered = (O.Flags & Writes) && orderMatters(B[0], B + 1);
  const Tolerance Slack = tolerance(O.Flags, B);
  bool AnyValues = isLeftOpen(O.Flags, B);

  Results<at::Tensor> Theirs;
  Results<tt::Tensor> Mine;
  std::string Rule;
  try {
    Theirs = O.Theirs(A[0], A[1], A[2], S);
  } catch (const std::exception &E) {
    R.TheirError = E.what();
    R.TheirError.resize(
        std::min(R.TheirError.size(), R.TheirError.find("\nException raised")));
  }
  try {
    Mine = O.Ours(B[0], B[1], B[2], S);
  } catch (const tt::Error &E) {
    R.OurError = E.what();
    Rule = E.rule();
  } catch (const std::exception &E) {
    R.OurError = E.what();
  }
  R.F = Mine.F;
  R.Threw = !R.TheirError.empty();
  // The runtime computes in 16-bit types where this libtorch does not, and
  // where libtorch runs into its own assertions, and
  // libtorch looks at types only when there are elements.
  const bool Refines =
      R.OurError.empty() &&
      (R.TheirError.find("not implemented for 'Half'") != std::string::npos ||
       R.TheirError.find("not implemented for 'BFloat16'") !=
           std::string::npos ||
       R.TheirError.find("INTERNAL ASSERT FAILED") != std::string::npos);
  bool Empty = false;
  for (const tt::Tensor &X : B)
    Empty = Empty || (X.defined() && X.numel() == 0);
  const bool EarlyType =
      Empty && R.TheirError.empty() &&
      (R.OurError.find(" is not defined for type ") != std::string::npos ||
       R.OurError.find(": tensors of types ") != std::string::npos ||
       R.OurError.find(" must have one floating type") != std::string::npos);
  // This libtorch does not look at a negative size beside a size of 0, and
  // makes a tensor of it.
  bool Negative = false;
  for (const at::Tensor &X : Theirs.Tensors)
    for (int64_t N : X.sizes())
      Negative = Negative || N < 0;
  const bool Nonsense =
      Negative && (Rule == "ExpandNegative" || Rule == "ViewNegative");
  // Which divisor is read, the one before the write or the one behind it.
  const bool Late = Unordered && R.TheirError.empty() != R.OurError.empty() &&
                    (R.TheirError + R.OurError).find("ZeroDivisionError") !=
                        std::string::npos;
  if (Refines || EarlyType || Nonsense || Late) {
    if (O.Flags & (Writes | Meta))
      forget(There->Tensors, Ours, B[0]);
    return R;
  }
  if (R.TheirError.empty() != R.OurError.empty()) {
    R.Kind = "throws";
    R.Text = R.TheirError.empty() ? "only the runtime throws: " + R.OurError
                                  : "only libtorch throws: " + R.TheirError;
    return R;
  }
  if (R.Threw) {
    R.Reason = commonReason(R.TheirError, R.OurError, Rule);
    if (!R.Reason) {
      R.Kind = "reason";
      R.Text = "libtorch: " + R.TheirError + "\nruntime:  " + R.OurError;
      return R;
    }
    if (O.Flags & (Meta | Writes)) // libtorch may have half changed it
      forget(There->Tensors, Ours, B[0]);
    return R;
  }
  if (Theirs.Tensors.size() != Mine.Tensors.size()) {
    R.Kind = "count";
    R.Text = "libtorch gives " + std::to_string(Theirs.Tensors.size()) +
             " tensors, the runtime " + std::to_string(Mine.Tensors.size());
    return R;
  }
  std::set<const void *> Changed;
  if (O.Flags & (Writes | Meta))
    Changed.insert(B[0].storage().impl());
  for (size_t K = 0; K < Mine.Tensors.size(); ++K) {
    const int Id = Many * S.Self + static_cast<int>(K);
    There->Tensors[Id] = Theirs.Tensors[K];
    Ours[Id] = Mine.Tensors[K];
    bool Old = false;
    for (const tt::Tensor &X : B)
      Old = Old || (X.defined() && X.is_alias_of(Mine.Tensors[K]));
    if (!Old)
      Changed.insert(Mine.Tensors[K].storage().impl());
  }
  if (O.Flags & Fresh)
    for (const auto &[Id, X] : There->Tensors)
      if (Changed.count(Ours.at(Id).storage().impl()))
        clear(X, Ours.at(Id));
  // A view as another type shows bits of the last digits, or which NaN it is.
  if ((O.Flags & Writes) && tt::isFloatingType(B[0].scalar_type()))
    for (const auto &[Id, X] : Ours)
      AnyValues |= X.is_alias_of(B[0]) && X.scalar_type() != B[0].scalar_type();
  compareAll(There->Tensors, Ours, Changed, Slack, AnyValues || Unordered, R);
  // Programs stay small.
  if (R.Kind.empty())
    for (size_t K = 0; K < Mine.Tensors.size(); ++K)
      if (Mine.Tensors[K].numel() > 600) {
        const int Id = Many * S.Self + static_cast<int>(K);
        There->Tensors.erase(Id);
        Ours.erase(Id);
      }
  return R;
}

static Verdict runAsItIs(const Program &P) {
  Machine M;
  Verdict V;
  for (V.At = 0; V.At < P.size(); ++V.At) {
    bool Ready = true;
    for (int K = 0; K < 3; ++K)
      Ready = Ready && (P[V.At].In[K] < 0 || M.Ours.count(P[V.At].In[K]));
    if (!Ready)
      continue;
    V.What = M.run(P[V.At]);
    V.Forms[P[V.At].Self] = V.What.F;
    if (V)
      return V;
  }
  return V;
}

Verdict runProgram(const Program &P) {
  const Verdict V = runAsItIs(P);
  const int Fault = tensortidy::layout::SeededFault;
  if (!V || !Fault)
    return V;
  tensortidy::layout::SeededFault = 0;
  const bool Anyway = static_cast<bool>(runAsItIs(P));
  tensortidy::layout::SeededFault = Fault;
  return Anyway ? Verdict() : V;
}

} // namespace differential
