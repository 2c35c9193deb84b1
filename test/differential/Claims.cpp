//===- Claims.cpp - programs whose lines say what they did ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/claims, which compares what the analyzer says with what happened:
//
//   void program7_0(at::Tensor t0) { // t0: float32 [2, 3], strides [3, 1] of
//   t0;
//     auto t1 = t0.t(); // t1: float32 [3, 2], strides [1, 3] of t0;
//     auto t2 = t1.view(Ints{6}); // throws: view(): ...
//   }
//
// A line that throws ends its function; the program goes on in another.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

namespace differential {

namespace {

/// "float32 [2, 3], strides [3, 1], offset 2 of t0": the first tensor alive
/// that has its storage.
std::string shown(const Live &Alive, const tt::Tensor &X) {
  for (const auto &[Id, Y] : Alive)
    if (Y.is_alias_of(X))
      return describe(X) + " of t" + std::to_string(Id / Many);
  return describe(X);
}

} // namespace

std::string asClaims(const Program &P, const std::string &Name,
                     bool Parameters) {
  Machine M;
  std::map<int, Form> Forms;
  std::map<int, std::string> Before;
  std::string R, Signature, Given, Body;
  int Functions = 0;
  auto Write = [&](const std::string &Last) {
    R += "void " + Name + "_" + std::to_string(Functions++) + "(" + Signature +
         ") { //" + Given + "\n  using Ints = std::vector<int64_t>;\n" + Body +
         Last + "}\n";
  };
  /// What changed of the tensors that a variable holds.
  int Others = 0; ///< how many of them were there before
  auto Changes = [&] {
    std::string Text;
    Others = 0;
    for (const auto &[Id, X] : M.Ours)
      if (Forms.at(Id / Many) == Form::One) {
        const std::string Is = shown(M.Ours, X);
        Others += !Before[Id].empty() && Before[Id] != Is;
        if (Before[Id] != Is)
          Text += " t" + std::to_string(Id / Many) + ": " + Is + ";";
        Before[Id] = Is;
      }
    return Text;
  };
  for (const Step &S : P) {
    const std::string Text = stepText(S, Forms);
    if (Text.find("ostringstream") != std::string::npos)
      break; // its result is what was printed, not the tensor
    // What the analyzer takes for granted where it does not know: t() is of
    // matrices, pools of images, a mask no larger than what it fills, a norm
    // of something.
    auto Has = [&](const char *Word) {
      return Text.find(Word) != std::string::npos;
    };
    const int64_t Rank = S.In[0] < 0 ? 4 : M.Ours.at(S.In[0]).dim();
    if ((Rank < 2 && (Has(".t()") || Has(".t_()") || Has("H()"))) ||
        (Rank < 1 && Has("unfold")) ||
        (Rank < 3 && Has("adaptive_avg_pool2d")) || Has("max_pool1d") ||
        (Has("batch_norm") && M.Ours.at(S.In[0]).numel() == 0))
      break;
    const Outcome O = M.run(S);
    const std::string Variable = "t" + std::to_string(S.Self);
    std::string Line =
        "  [[maybe_unused]] auto " + Variable + " = " + Text + "; //";
    if (O.Threw) {
      Write(Line + " throws: " + O.OurError.substr(0, O.OurError.find('\n')) +
            "\n");
      if (!Changes().empty()) // half done
        return R;
      continue;
    }
    Forms[S.Self] = O.F;
    // A parameter that is viewed is taken for contiguous.
    if (Parameters && operations()[S.Op].Operands == 0 && O.F == Form::One &&
        M.Ours.at(Many * S.Self).numel() > 0 &&
        M.Ours.at(Many * S.Self).dim() > 0 &&
        M.Ours.at(Many * S.Self).is_contiguous()) {
      Signature +=
          (Signature.empty() ? "at::Tensor " : ", at::Tensor ") + Variable;
      Given += Changes();
    } else {
      Line += Changes() + "\n";
      // Two names of one tensor: where to() or dropout() gave it, the analyzer
      // does not know of it.
      if (Others > 1)
        break;
      Body += Line;
    }
  }
  Write("");
  return R;
}

} // namespace differential
