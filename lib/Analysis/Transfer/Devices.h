//===- Devices.h - where tensors are -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device is its name, or stands for one that is not known:
//
//   at::zeros({n})             cpu
//   x.to(at::kCUDA)            cuda
//   x.to(device)               the device that variable 'device' holds
//   at::zeros(n, x.options())  the device that x is on
//
// Two that are known differ, or are the same one. Two that stand for something
// are the same where they are the same, and nothing is known otherwise; tests
// replace what they stand for. A device that code names by a variable is meant
// to be another than the CPU at times: what is wrong then is told, with that
// condition. Empty: nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DEVICES_H
#define TENSORTIDY_ANALYSIS_DEVICES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// "cuda" of "cuda:1"; empty for what is no device's name.
std::string deviceNamed(llvm::StringRef Text);
/// Whether \p Device is known: neither empty nor what stands for one.
bool isKnownDevice(llvm::StringRef Device);
/// Whether \p V is a device, known or not.
bool isDevice(const Value &V);
/// \p Device for messages: "cuda", "'device'".
std::string deviceText(llvm::StringRef Device);
DeviceSite::DeviceName deviceName(llvm::StringRef Device);
/// The device of \p O, which gets something that stands for it where it is not
/// known.
Value deviceOf(ObjId T, Object &O);
/// Where the parameters of a module are that has been put on \p Device; with
/// the element type that they have been converted to, if any.
Value placedOn(const std::string &Device);
/// Whether \p V says where a module is.
bool isPlaced(const Value &V);

/// \p V as a device. A variable of which nothing is known gets something that
/// stands for what it holds, until it changes.
Value asDevice(const Context &Ctx, State &W, program::ValueId V);
/// Whether the path assumes that there is no device but the CPU: what names
/// another one there has thrown before.
bool hasNoDevice(const Context &Ctx, const State &W, const program::Stmt &S);
/// The device that options tell; None where they tell none.
Value optionsOn(const Value &Options);
/// Where \p S is told to put what it makes; None: it is not told.
Value toldDevice(const Context &Ctx, State &W, const Stmt &S);
/// What \p S gives is put where its operands are, or where it is told.
void placeResult(const Context &Ctx, State &W, const Stmt &S);
/// \p S may copy from a device to the host without waiting for the end; asked
/// before it runs.
void noteFetch(const Context &Ctx, State &W, const Stmt &S);
/// \p S needs all that it computes with on one device.
void sameDevices(const Context &Ctx, State &W, const Stmt &S);
/// \p S reads memory of \p Of where the program itself runs.
void readsOnHost(const Context &Ctx, State &W, const Stmt &S, const Object &Of);
/// \p S gives \p Of, or a pointer to it, to code that runs on a device.
void readsOnDevice(const Context &Ctx, State &W, const Stmt &S,
                   const Object &Of);

/// \p S, of which nothing is seen, gets pointers into memory of a device, and
/// into memory that nobody has put anywhere.
void givesPointers(const Context &Ctx, State &W, const Stmt &S);

/// `x.device() == y.device()`.
CondRef equalDevices(const Value &X, const Value &Y);
Truth sameDevice(const State &W, const Condition &C);
std::string deviceKey(const Condition &C);
/// From here on the two that \p C compares are one.
void assumeDevice(State &W, const Condition &C);

/// Where what \p S gives is: what a module computes is where the module is.
std::string deviceOfCall(const Context &Ctx, const State &W, const Stmt &S);
/// Whether a call leaves the modules that \p A writes where they are.
bool leavesModule(const Context &Ctx, const State &W, const Stmt &S,
                  const Arg &A);

} // namespace tensortidy::analysis

#endif
