//===- claims.cpp - random functions, written down as they run ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints C++ functions of random operations on tensors that are parameters or
// made on the spot. Each operation runs on libtorch before it is written; the
// comment behind it says what happened:
//
//   at::Tensor f7(at::Tensor x) {
//     TORCH_CHECK(x.size(-1) == 3);
//     auto v0 = x.narrow(1, 0, 2);
//     auto v1 = v0.reshape({-1}); // copies
//     auto v2 = v1.select(0, 9);  // throws: index 9 out of range ...
//   }
//
// claims.py compares that with what the analyzer says of the same lines.
//
//===----------------------------------------------------------------------===//

#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <torch/torch.h>
#include <vector>

namespace {

using at::Tensor;
using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;
using Sizes = std::vector<int64_t>;

std::mt19937 Random;

int64_t below(int64_t N) {
  return N <= 0 ? 0 : static_cast<int64_t>(Random() % static_cast<uint64_t>(N));
}
int64_t between(int64_t A, int64_t B) { return A + below(B - A + 1); }
bool percent(int P) { return below(100) < P; }

struct Variable {
  std::string Name;
  Tensor T;
};

struct Call {
  std::string Text;
  std::function<Tensor()> Run;
  bool InPlace = false;
};

std::vector<Variable> Known; ///< the variables of the function

std::string text(int64_t N) { return std::to_string(N); }

/// A size, said with a size of a variable where one is the same.
std::string sizeText(int64_t N) {
  std::vector<std::string> Same;
  if (N >= 0 && percent(35))
    for (const Variable &V : Known)
      for (int64_t D = 0; D < V.T.dim(); ++D) {
        const std::string Size =
            V.Name + ".size(" + text(percent(30) ? D - V.T.dim() : D) + ")";
        if (V.T.size(D) == N)
          Same.push_back(Size);
        else if (N > 0 && V.T.size(D) == 2 * N)
          Same.push_back(Size + " / 2");
      }
  return Same.empty() ? text(N)
                      : Same[static_cast<size_t>(
                            below(static_cast<int64_t>(Same.size())))];
}

std::string listText(const Sizes &Of, bool BySizes = true) {
  std::string S = "{";
  for (size_t I = 0; I < Of.size(); ++I)
    S += (I ? ", " : "") + (BySizes ? sizeText(Of[I]) : text(Of[I]));
  return S + "}";
}

Sizes someSizes(int64_t MaxRank = 4) {
  static constexpr int64_t Of[] = {1, 2, 2, 3, 3, 4, 4, 5, 6, 8};
  Sizes S(static_cast<size_t>(between(1, MaxRank)));
  for (int64_t &N : S)
    N = Of[below(10)];
  return S;
}

/// Sizes with this product.
Sizes factors(int64_t N) {
  Sizes S;
  if (N == 0)
    return {0};
  while (N > 1 && S.size() < 4) {
    Sizes Divides;
    for (int64_t K = 2; K <= N; ++K)
      if (N % K == 0)
        Divides.push_back(K);
    S.push_back(Divides[static_cast<size_t>(
        below(static_cast<int64_t>(Divides.size())))]);
    N /= S.back();
  }
  if (N > 1)
    S.push_back(N);
  if (S.empty() || percent(10))
    S.push_back(1);
  std::shuffle(S.begin(), S.end(), Random);
  if (percent(40))
    S[static_cast<size_t>(below(static_cast<int64_t>(S.size())))] = -1;
  return S;
}

/// The operands of one call: a tensor, others, and two of its dimensions.
struct Operands {
  Tensor T, Other, Third;
  std::string N, O, H;
  int64_t Rank = 0, D = 0, E = 0;
  std::string DText, EText;

  static const Variable &pick() {
    const auto N = static_cast<int64_t>(Known.size());
    return Known[static_cast<size_t>(percent(65) ? N - 1 : below(N))];
  }
  int64_t dimension() const {
    if (percent(3))
      return between(-Rank - 1, Rank);
    return Rank == 0 ? 0 : percent(35) ? -between(1, Rank) : below(Rank);
  }
  Operands() {
    const Variable &A = pick(), &B = pick(), &C = pick();
    T = A.T, N = A.Name, Other = B.T, O = B.Name, Third = C.T, H = C.Name;
    Rank = T.dim();
    D = dimension(), E = dimension();
    DText = text(D), EText = text(E);
  }
  /// The size of a dimension, 1 where there is none.
  int64_t size(int64_t At) const {
    return At >= -Rank && At < Rank ? T.size(At) : 1;
  }
};

#define CALL(TEXT, ...)                                                        \
  [](const Operands &P) {                                                      \
    auto [N, O, H, D, E] = std::tie(P.N, P.O, P.H, P.DText, P.EText);          \
    (void)O, (void)H, (void)D, (void)E;                                        \
    return Call{TEXT, [P]() -> Tensor { return __VA_ARGS__; }};                \
  }
#define UPDATE(TEXT, ...)                                                      \
  [](const Operands &P) {                                                      \
    Call C = CALL(TEXT, __VA_ARGS__)(P);                                       \
    C.InPlace = true;                                                          \
    return C;                                                                  \
  }

Call permuted(const Operands &P) {
  Sizes Order(static_cast<size_t>(P.Rank));
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = static_cast<int64_t>(I);
  std::shuffle(Order.begin(), Order.end(), Random);
  return {P.N + ".permute(" + listText(Order, false) + ")",
          [=] { return P.T.permute(Order); }};
}
Call viewed(const Operands &P) {
  const Sizes To = factors(P.T.numel());
  return {P.N + ".view(" + listText(To) + ")", [=] { return P.T.view(To); }};
}
Call reshaped(const Operands &P) {
  const Sizes To = factors(P.T.numel());
  return {P.N + ".reshape(" + listText(To) + ")",
          [=] { return P.T.reshape(To); }};
}
Call unflattened(const Operands &P) {
  const Sizes To = factors(P.size(P.D));
  return {P.N + ".unflatten(" + P.DText + ", " + listText(To) + ")",
          [=] { return P.T.unflatten(P.D, To); }};
}
Call narrowed(const Operands &P) {
  const int64_t At = below(P.size(P.D)), N = below(P.size(P.D) - At + 2);
  return {P.N + ".narrow(" + P.DText + ", " + text(At) + ", " + sizeText(N) +
              ")",
          [=] { return P.T.narrow(P.D, At, N); }};
}
Call sliced(const Operands &P) {
  const int64_t From = below(P.size(P.D)), To = between(From, P.size(P.D)),
                Step = between(1, 3);
  return {P.N + ".slice(" + P.DText + ", " + text(From) + ", " + sizeText(To) +
              ", " + text(Step) + ")",
          [=] { return P.T.slice(P.D, From, To, Step); }};
}
Call selected(const Operands &P) {
  const int64_t I = between(0, percent(5) ? P.size(P.D) : P.size(P.D) - 1);
  return {P.N + ".select(" + P.DText + ", " + text(I) + ")",
          [=] { return P.T.select(P.D, I); }};
}
Call unsqueezed(const Operands &P) {
  const int64_t At = percent(50) ? between(0, P.Rank) : -between(1, P.Rank + 1);
  return {P.N + ".unsqueeze(" + text(At) + ")",
          [=] { return P.T.unsqueeze(At); }};
}
Call expanded(const Operands &P) {
  Sizes To = P.T.sizes().vec();
  for (int64_t &S : To)
    S = S == 1 && percent(60) ? between(1, 5) : percent(30) ? -1 : S;
  if (percent(30))
    To.insert(To.begin(), between(1, 3));
  return {P.N + ".expand(" + listText(To) + ")",
          [=] { return P.T.expand(To); }};
}
Call chunked(const Operands &P) {
  const int64_t Count = between(1, 4), I = below(Count);
  return {P.N + ".chunk(" + text(Count) + ", " + P.DText + ")[" + text(I) + "]",
          [=] { return P.T.chunk(Count, P.D).at(static_cast<size_t>(I)); }};
}
Call repeated(const Operands &P) {
  Sizes Times(static_cast<size_t>(between(1, P.Rank + 1)));
  for (int64_t &N : Times)
    N = between(1, 3);
  return {P.N + ".repeat(" + listText(Times) + ")",
          [=] { return P.T.repeat(Times); }};
}
Call indexed(const Operands &P) {
  std::vector<torch::indexing::TensorIndex> By;
  std::string S;
  int64_t Taken = 0; // of the dimensions; behind `...` nobody counts
  bool Open = false;
  for (int64_t I = 0, N = between(1, std::max<int64_t>(1, P.Rank)); I < N;
       ++I) {
    std::string One;
    switch (below(9)) {
    case 0:
      By.emplace_back(None);
      One = "None";
      break;
    case 1:
      if (Open)
        continue;
      Open = true;
      By.emplace_back(Ellipsis);
      One = "Ellipsis";
      break;
    case 2:
    case 3: {
      const int64_t K = Open ? 0 : below(P.size(Taken++));
      By.emplace_back(K);
      One = text(K);
      break;
    }
    case 4: {
      ++Taken;
      By.emplace_back(torch::tensor({int64_t(0), int64_t(0)}));
      One = "torch::tensor({0, 0})";
      break;
    }
    case 5:
      ++Taken;
      By.emplace_back(Slice());
      One = "Slice()";
      break;
    default: {
      const int64_t Size = Open ? 2 : P.size(Taken++), From = below(Size),
                    To = between(From, Size);
      By.emplace_back(Slice(From, To));
      One = "Slice(" + text(From) + ", " + sizeText(To) + ")";
    }
    }
    S += (S.empty() ? "" : ", ") + One;
  }
  if (By.empty())
    return unsqueezed(P);
  return {P.N + ".index({" + S + "})", [=] { return P.T.index(By); }};
}
Call projected(const Operands &P) { // torch::linear, or the module
  const int64_t In = P.size(-1), Out = between(1, 4);
  if (percent(50))
    return {"nn::Linear(" + text(In) + ", " + text(Out) + ")(" + P.N + ")",
            [=] { return torch::nn::Linear(In, Out)(P.T); }};
  return {"torch::linear(" + P.N + ", torch::zeros({" + text(Out) + ", " +
              sizeText(In) + "}))",
          [=] { return torch::linear(P.T, torch::zeros({Out, In})); }};
}
Call convolved(const Operands &P) {
  const int64_t In = P.size(-3), Out = between(1, 4), K = between(1, 3);
  return {"torch::conv2d(" + P.N + ", torch::zeros({" + text(Out) + ", " +
              text(In) + ", " + text(K) + ", " + text(K) + "}))",
          [=] { return torch::conv2d(P.T, torch::zeros({Out, In, K, K})); }};
}
Call convolvedByModule(const Operands &P) {
  const int64_t In = P.size(-3), Out = between(1, 3);
  const auto Set = torch::nn::Conv2dOptions(In, Out, 3).padding(1);
  return {"nn::Conv2d(nn::Conv2dOptions(" + text(In) + ", " + text(Out) +
              ", 3).padding(1))(" + P.N + ")",
          [=] { return torch::nn::Conv2d(Set)(P.T); }};
}
Call pooled(const Operands &P) {
  const int64_t K = between(1, 3);
  return {"torch::max_pool2d(" + P.N + ", " + text(K) + ")",
          [=] { return torch::max_pool2d(P.T, K); }};
}
Call normalized(const Operands &P) {
  const int64_t Last = P.size(-1);
  return {"torch::layer_norm(" + P.N + ", {" + sizeText(Last) + "})",
          [=] { return torch::layer_norm(P.T, {Last}); }};
}
Call padded(const Operands &P) {
  const int64_t A = below(3), B = below(3);
  return {"nn::functional::pad(" + P.N + ", nn::functional::PadFuncOptions({" +
              text(A) + ", " + text(B) + "}))",
          [=] {
            return torch::nn::functional::pad(
                P.T, torch::nn::functional::PadFuncOptions({A, B}));
          }};
}
Call written(const Operands &P) {
  const int64_t I = below(P.size(0));
  return {P.N + "[" + text(I) + "] = " + P.O,
          [=] {
            P.T[I] = P.Other;
            return P.T;
          },
          true};
}

const std::function<Call(const Operands &)> Operations[] = {
    permuted,
    viewed,
    viewed,
    viewed,
    reshaped,
    reshaped,
    unflattened,
    narrowed,
    narrowed,
    sliced,
    sliced,
    selected,
    selected,
    unsqueezed,
    unsqueezed,
    expanded,
    chunked,
    repeated,
    indexed,
    indexed,
    indexed,
    projected,
    projected,
    convolved,
    convolvedByModule,
    pooled,
    normalized,
    padded,
    written,
    CALL(N + ".transpose(" + D + ", " + E + ")", P.T.transpose(P.D, P.E)),
    CALL(N + ".transpose(" + D + ", " + E + ")", P.T.transpose(P.D, P.E)),
    CALL(N + ".movedim(" + D + ", " + E + ")", P.T.movedim(P.D, P.E)),
    // Of a vector t() is legal, and the analyzer takes a parameter for a
    // matrix.
    CALL(N + (P.Rank < 2 ? ".relu()" : ".t()"),
         P.Rank < 2 ? P.T.relu() : P.T.t()),
    CALL(N + ".mT()", P.T.mT()),
    CALL(N + ".flatten()", P.T.flatten()),
    CALL(N + ".flatten(" + D + ", " + E + ")", P.T.flatten(P.D, P.E)),
    CALL(N + ".view({" + N + ".size(0), -1})", P.T.view({P.T.size(0), -1})),
    CALL(N + ".squeeze()", P.T.squeeze()),
    CALL(N + ".squeeze(" + D + ")", P.T.squeeze(P.D)),
    CALL(N + ".unbind(" + D + ")[0]", P.T.unbind(P.D).at(0)),
    CALL(N + ".split(2, " + D + ")[0]", P.T.split(2, P.D).at(0)),
    CALL(N + ".unfold(" + D + ", 2, 1)", P.T.unfold(P.D, 2, 1)),
    CALL(N + ".diagonal()", P.T.diagonal()),
    CALL(N + ".expand_as(" + O + ")", P.T.expand_as(P.Other)),
    CALL(N + ".view_as(" + O + ")", P.T.view_as(P.Other)),
    CALL(N + ".reshape_as(" + O + ")", P.T.reshape_as(P.Other)),
    CALL(N + ".contiguous()", P.T.contiguous()),
    CALL(N + ".contiguous(at::MemoryFormat::ChannelsLast)",
         P.T.contiguous(at::MemoryFormat::ChannelsLast)),
    CALL(N + ".clone()", P.T.clone()),
    CALL(N + " + " + O, P.T + P.Other),
    CALL(N + " * " + O, P.T *P.Other),
    CALL(N + ".matmul(" + O + ")", P.T.matmul(P.Other)),
    CALL("torch::matmul(" + N + ", " + O + ".transpose(-1, -2))",
         torch::matmul(P.T, P.Other.transpose(-1, -2))),
    CALL(N + ".mm(" + O + ")", P.T.mm(P.Other)),
    CALL(N + ".bmm(" + O + ")", P.T.bmm(P.Other)),
    CALL("torch::bmm(" + N + ", " + O + ".transpose(1, 2))",
         torch::bmm(P.T, P.Other.transpose(1, 2))),
    CALL("torch::addmm(" + N + ", " + O + ", " + H + ")",
         torch::addmm(P.T, P.Other, P.Third)),
    CALL("torch::einsum(\"ij,jk->ik\", {" + N + ", " + O + "})",
         torch::einsum("ij,jk->ik", {P.T, P.Other})),
    CALL("torch::dot(" + N + ", " + O + ")", torch::dot(P.T, P.Other)),
    CALL("torch::outer(" + N + ", " + O + ")", torch::outer(P.T, P.Other)),
    CALL("torch::cdist(" + N + ", " + O + ")", torch::cdist(P.T, P.Other)),
    CALL("torch::mse_loss(" + N + ", " + O + ")",
         torch::mse_loss(P.T, P.Other)),
    CALL(N + ".sum(" + D + ")", P.T.sum(P.D)),
    CALL(N + ".sum({" + D + "}, true)", P.T.sum(at::IntArrayRef{P.D}, true)),
    CALL(N + ".mean(" + D + ", true)", P.T.mean(P.D, true)),
    CALL(N + ".std({" + D + "})", P.T.std(at::IntArrayRef{P.D})),
    CALL(N + ".argmax(" + D + ").to(torch::kFloat)",
         P.T.argmax(P.D).to(torch::kFloat)),
    CALL("std::get<0>(" + N + ".max(" + D + "))", std::get<0>(P.T.max(P.D))),
    CALL("std::get<0>(" + N + ".sort(" + D + "))", std::get<0>(P.T.sort(P.D))),
    CALL("std::get<0>(" + N + ".topk(1, " + D + "))",
         std::get<0>(P.T.topk(1, P.D))),
    CALL(N + ".softmax(" + D + ")", P.T.softmax(P.D)),
    CALL(N + ".cumsum(" + D + ")", P.T.cumsum(P.D)),
    CALL(N + ".flip({" + D + "})", P.T.flip({P.D})),
    CALL(N + ".roll(1, " + D + ")", P.T.roll(1, P.D)),
    CALL(N + ".relu()", P.T.relu()),
    CALL(N + ".to(torch::kDouble)", P.T.to(torch::kDouble)),
    CALL(N + ".to(torch::kLong)", P.T.to(torch::kLong)),
    CALL(N + ".repeat_interleave(2, " + D + ")", P.T.repeat_interleave(2, P.D)),
    CALL("torch::tril(" + N + ")", torch::tril(P.T)),
    CALL("torch::zeros_like(" + N + ")", torch::zeros_like(P.T)),
    CALL("torch::ones(" + N + ".sizes())", torch::ones(P.T.sizes())),
    CALL("torch::where(" + N + " > 0, " + N + ", " + O + ")",
         torch::where(P.T > 0, P.T, P.Other)),
    CALL(N + ".masked_fill(" + O + " > 0, 1)", P.T.masked_fill(P.Other > 0, 1)),
    CALL(N + ".index({" + N + " > 0})", P.T.index({P.T > 0})),
    CALL(N + ".index({" + O + ".argmax(" + E + ")})",
         P.T.index({P.Other.argmax(P.E)})),
    CALL(N + ".index_select(" + D + ", torch::tensor({0, 0}))",
         P.T.index_select(P.D, torch::tensor({int64_t(0), int64_t(0)}))),
    CALL(N + ".gather(" + D + ", torch::zeros(" + O +
             ".sizes(), torch::kLong))",
         P.T.gather(P.D, torch::zeros(P.Other.sizes(), torch::kLong))),
    CALL("torch::cat({" + N + ", " + O + "}, " + D + ")",
         torch::cat({P.T, P.Other}, P.D)),
    CALL("torch::stack({" + N + ", " + O + "}, " + D + ")",
         torch::stack({P.T, P.Other}, P.D)),
    CALL("torch::vstack({" + N + ", " + O + "})",
         torch::vstack({P.T, P.Other})),
    CALL("nn::functional::one_hot(" + N + ".to(torch::kLong) * 0, 8)",
         torch::nn::functional::one_hot(P.T.to(torch::kLong) * 0, 8)),
    CALL("torch::adaptive_avg_pool2d(" + N + ", {1, 1})",
         torch::adaptive_avg_pool2d(P.T, {1, 1})),
    UPDATE(N + ".add_(" + O + ")", P.T.add_(P.Other)),
    UPDATE(N + ".mul_(2)", P.T.mul_(2)),
    UPDATE(N + ".copy_(" + O + ")", P.T.copy_(P.Other)),
    UPDATE(N + ".transpose_(" + D + ", " + E + ")", P.T.transpose_(P.D, P.E)),
    UPDATE(N + ".unsqueeze_(" + D + ")", P.T.unsqueeze_(P.D)),
    UPDATE(N + ".squeeze_(" + D + ")", P.T.squeeze_(P.D)),
    UPDATE(N + (P.Rank < 2 ? ".mul_(2)" : ".t_()"),
           P.Rank < 2 ? P.T.mul_(2) : P.T.t_()),
    UPDATE(N + ".select(" + D + ", 0).fill_(1)", P.T.select(P.D, 0).fill_(1)),
};

/// What the function says of a parameter, all of it true.
void describe(const Variable &V, std::vector<std::string> &Body) {
  const int64_t Rank = V.T.dim(), D = below(Rank);
  auto Check = [&](const std::string &What) {
    Body.push_back("TORCH_CHECK(" + V.Name + What + ");");
  };
  if (percent(25))
    Check(".dim() == " + text(Rank));
  else if (percent(15))
    Check(".dim() >= " + text(between(1, Rank)));
  if (percent(25))
    Check(".size(" + text(percent(50) ? D : D - Rank) +
          ") == " + text(V.T.size(D)));
  if (percent(15) && V.T.is_contiguous())
    Check(".is_contiguous()");
}

/// What happened at a line, for its comment.
std::string outcome(const Variable &Of, const Call &C, const Tensor &Result) {
  if (C.Text == Of.Name + ".contiguous()")
    return Result.is_same(Of.T) ? " // nothing" : " // copies";
  if (C.Text.rfind(Of.Name + ".reshape(", 0) == 0 ||
      C.Text.rfind(Of.Name + ".flatten(", 0) == 0)
    return Result.is_alias_of(Of.T) ? " // view" : " // copies";
  return "";
}

void writeFunction(int64_t Number, int Parameters) {
  Known.clear();
  std::vector<std::string> Body;
  std::string Signature;
  const std::string Names[] = {"x", "y", "z"};
  Sizes Last;
  for (int64_t I = 0, N = between(1, 3); I < N; ++I) {
    Sizes S = someSizes();
    if (!Last.empty() && percent(50)) {
      S = Last;
      if (S.size() > 1 && percent(40))
        std::swap(S[S.size() - 1], S[S.size() - 2]);
    }
    Last = S;
    Variable V{Names[I], torch::randn(S)};
    if (percent(Parameters)) {
      if (V.T.dim() > 1 && percent(25)) // any layout may come
        V.T = V.T.transpose(0, 1).contiguous().transpose(0, 1);
      Signature +=
          (Signature.empty() ? "at::Tensor " : ", at::Tensor ") + V.Name;
      describe(V, Body);
    } else {
      Body.push_back("auto " + V.Name + " = torch::randn(" +
                     listText(S, false) + ");");
    }
    Known.push_back(V);
  }
  bool Threw = false;
  for (int64_t I = 0, N = between(2, 8), Tries = 0;
       I < N && !Threw && Tries < 200; ++Tries) {
    const Operands P;
    const Call C = Operations[below(std::size(Operations))](P);
    Tensor Result;
    std::string Why;
    try {
      Result = C.Run();
    } catch (const c10::Error &Error) {
      Why = Error.what_without_backtrace();
      Why = Why.substr(0, Why.find('\n'));
    } catch (const std::exception &) {
      continue; // a list of views has no such element
    }
    // What changes a tensor may have begun to: nothing comes behind it.
    Threw = !Why.empty() && (C.InPlace || percent(5));
    if (!Why.empty() && !Threw)
      continue;
    const bool Large =
        Result.defined() && (Result.dim() > 6 || Result.numel() > 5000);
    if (Large && !C.InPlace)
      continue;
    std::string Line = C.Text + ";";
    if (!C.InPlace)
      Line = "auto v" + text(I) + " = " + Line;
    if (Threw)
      Line += " // throws: " + Why;
    else
      Line += outcome({P.N, P.T}, C, Result);
    Body.push_back(Line);
    if (!C.InPlace && !Threw)
      Known.push_back({"v" + text(I), Result});
    ++I;
    if (Large)
      break;
  }
  std::cout << "at::Tensor f" << Number << "(" << Signature << ") {\n";
  for (const std::string &Line : Body)
    std::cout << "  " << Line << "\n";
  std::cout << "  return " << Known.back().Name << ";\n}\n";
}

} // namespace

/// claims SEED FUNCTIONS PERCENT, the last of how many tensors are parameters.
int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: claims SEED FUNCTIONS PERCENT\n";
    return 2;
  }
  torch::manual_seed(0);
  Random.seed(static_cast<unsigned>(std::stoul(argv[1])));
  std::cout << "#include <torch/torch.h>\nnamespace nn = torch::nn;\n"
               "using torch::indexing::Ellipsis;\n"
               "using torch::indexing::None;\n"
               "using torch::indexing::Slice;\n";
  for (int64_t I = 0, N = std::stol(argv[2]); I < N; ++I)
    writeFunction(I, std::stoi(argv[3]));
}
