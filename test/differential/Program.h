//===- Program.h - random tensor programs -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is a list of steps; a step is an operation of the table
// (operations/), its operands and its parameters, all plain data:
//
//   step 0   make      L[0] = {2, 3}                 t0 = at::arange(...)
//   step 1   permute   In[0] = t0, L[0] = {1, 0}     t1 = t0.permute(...)
//   step 2   view      In[0] = t1, L[0] = {6}        t2 = t1.view(...)
//
// It runs on libtorch and on the runtime in lockstep; after each step every
// tensor that is alive is compared.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_DIFFERENTIAL_PROGRAM_H
#define TENSORTIDY_TEST_DIFFERENTIAL_PROGRAM_H

#include <tensortidy/functional.h>
#include <tensortidy/out.h>
#include <tensortidy/release.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace at {
class Tensor;
} // namespace at

namespace differential {

namespace tt = tensortidy;
using Ints = std::vector<int64_t>;

struct Step {
  size_t Op = 0;
  int Self = 0; ///< the step's own number: its results are Self * Many + K
  int In[3] = {-1, -1, -1};
  int64_t I[4] = {0, 0, 0, 0};
  Ints L[3];
  bool Has[2] = {true, true}; ///< optional integers: given?
  int Type = 6;               ///< ScalarType; float
  int Format = 0;             ///< MemoryFormat
  double Number = 0;
};
using Program = std::vector<Step>;
/// More results than a step may have.
constexpr int Many = 16;

//===--- generating
//---------------------------------------------------------===//

using Live = std::map<int, tt::Tensor>;

/// Draws parameters that fit the operands, and now and then some that do not.
struct Gen {
  std::mt19937_64 Engine;
  const Live *Tensors = nullptr;

  int64_t upTo(int64_t N); ///< 0 .. N-1
  int64_t between(int64_t A, int64_t B) { return A + upTo(B - A + 1); }
  bool chance(int Percent) { return upTo(100) < Percent; }
  bool wrong() { return chance(4); }
  int64_t size();
  int64_t dim(int64_t Rank);
  int64_t rank();
  int type();
  Ints sizes(int64_t Rank, int64_t Most = 200);
  /// A factorisation of N in order, with some 1s.
  Ints factors(int64_t N);
  /// Sizes for view() of X: neighbours merged, sizes split, or anything.
  Ints viewSizes(const tt::Tensor &X);
  /// Any tensor alive, or -1.
  int any();
  /// One for which Good holds, if a few tries find it.
  template <class F> int any(F Good) {
    int Found = any();
    for (int Try = 0; Try < 12 && Found >= 0; ++Try) {
      if (Good(Tensors->at(Found)))
        return Found;
      Found = any();
    }
    return Found;
  }
  const tt::Tensor &at(int Id) const { return Tensors->at(Id); }
};

//===--- operations
//---------------------------------------------------------===//

enum Flags : unsigned {
  None = 0,
  Writes = 1,  ///< into x, element by element
  Meta = 2,    ///< changes x's layout
  Convert = 4, ///< to S.Type, where values that do not fit are anything
  Inexact = 8, ///< results differ in the last digits
  Fresh = 16,  ///< values are anything: uninitialised, or random
  Rare = 32,   ///< drawn half as often as the others
  /// Divides by what may be small, as a deviation; libtorch's vector code gives
  /// NaN where a step in between leaves the range of floats.
  Amplifies = 64,
  Narrow = 128,    ///< libtorch adds up 16-bit numbers in 16 bits
  Overflows = 256, ///< libtorch leaves the type's range in between
  /// Of numbers near the end of the range, its vector code gives NaN.
  Finite = 512,
};

/// How an operation answers.
enum class Form { One, Pair, List };
template <class T> struct Results {
  std::vector<T> Tensors;
  Form F = Form::One;
};

struct Operation {
  const char *Name;
  int Operands;
  unsigned Flags;
  void (*Make)(Gen &, Step &);
  const char *Text; ///< as written in the table
  Results<at::Tensor> (*Theirs)(at::Tensor &, at::Tensor &, at::Tensor &,
                                const Step &);
  Results<tt::Tensor> (*Ours)(tt::Tensor &, tt::Tensor &, tt::Tensor &,
                              const Step &);
};
const std::vector<Operation> &operations();

//===--- running
//------------------------------------------------------------===//

struct Outcome {
  /// What differs: "throws", "reason", "layout", "values" ...; empty when the
  /// libraries agree.
  std::string Kind;
  std::string Text;
  std::string TheirError, OurError;
  const char *Reason = nullptr; ///< why both threw
  Form F = Form::One;
  bool Threw = false;
};

struct Machine {
  Machine();
  ~Machine();
  Machine(const Machine &) = delete;
  Outcome run(const Step &S);

  struct Theirs;
  Theirs *There; ///< libtorch's tensors
  Live Ours;
};

/// The step that shows a difference and what it is; steps whose operands are
/// missing are left out. With a fault seeded, a program that disagrees without
/// it does not count.
struct Verdict {
  size_t At = 0;
  Outcome What;
  std::map<int, Form> Forms; ///< of each step that ran
  explicit operator bool() const { return !What.Kind.empty(); }
};
Verdict runProgram(const Program &P);

/// A smaller program whose last step shows the same kind of difference.
Program shrink(Program P);
/// A function in C++ that compiles with ATen and with tensortidy/torch.h.
std::string asCpp(const Program &P, const std::string &Name);
std::string stepText(const Step &S, const std::map<int, Form> &Forms);
/// Functions whose lines say what they did (Claims.cpp). \p Parameters: what is
/// made of nothing comes as a parameter.
std::string asClaims(const Program &P, const std::string &Name,
                     bool Parameters);

/// The reason for which both libraries threw (Reasons.inc), TwoRules, or null
/// when one is not known. \p Rule is the layout rule the runtime names.
constexpr const char *TwoRules = "one of several broken rules";
const char *commonReason(const std::string &Theirs, const std::string &Ours,
                         const std::string &Rule);

std::string listText(const Ints &L);

} // namespace differential

#endif
