//===- Devices.cpp - where tensors are -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Transfer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace tensortidy::analysis {

using namespace program;

// What stands for a device: "%at v<variable>.<value> <name>", or
// "%at t<object>" for that of a tensor.
static constexpr llvm::StringLiteral Stands = "%at ", OfVariable = "%at v",
                                     OfModule = "%on ", Moved = "%at vm";

std::string deviceNamed(llvm::StringRef Text) {
  const std::string Name = Text.split(':').first.lower();
  return llvm::is_contained({"cpu", "cuda", "mps", "xpu"}, Name) ? Name : "";
}

bool isKnownDevice(llvm::StringRef Device) {
  return !Device.empty() && Device.front() != '%';
}

bool isDevice(const Value &V) {
  return V.K == Value::Symbol && llvm::StringRef(V.Text).starts_with(Stands);
}

DeviceSite::DeviceName deviceName(llvm::StringRef Device) {
  if (Device == Moved)
    return {"module", false, true};
  if (Device.starts_with(OfVariable))
    return {Device.drop_front(Stands.size()).split(' ').second.str(), true};
  return {Device.starts_with(Stands) ? "" : Device.str(), false};
}

std::string deviceText(llvm::StringRef Device) {
  const auto Named = deviceName(Device);
  if (Device == Moved)
    return "the device of " + Named.Name;
  if (Named.Name.empty())
    return "the device of " + Device.drop_front(Stands.size() + 1).str();
  return Named.IsVariable ? "'" + Named.Name + "'" : Named.Name;
}

static Value device(std::string Text) {
  Value V;
  if (Text.empty())
    return V;
  V.K = Value::Symbol;
  V.Text = std::move(Text);
  return V;
}

Value deviceOf(ObjId T, Object &O) {
  if (O.Device.empty())
    O.Device = (llvm::Twine(Stands) + "t" + T.text()).str();
  return device(O.Device);
}

Value placedOn(const std::string &Device) {
  return device(OfModule.str() + Device);
}

/// The element type of the parameters of a module; empty: it is not known.
static std::string placedType(const Value &Module) {
  return isPlaced(Module) && Module.Elems ? Module.Elems->front().Text : "";
}

bool isPlaced(const Value &V) {
  return V.K == Value::Symbol && llvm::StringRef(V.Text).starts_with(OfModule);
}

Value asDevice(const Context &Ctx, State &W, ValueId V) {
  const Value D = value(W, V);
  if (D.K == Value::Symbol)
    return isDevice(D) ? D : device(deviceNamed(D.Text));
  if (D.K == Value::Int) // device_index(1)
    return device("cuda");
  const Stmt *Def = Ctx.Flow.DefOf[V];
  if (D.K != Value::Unknown || D.T || !Def || Def->O != Op::Load ||
      Ctx.F.Vars[Def->Var].Type != VarType::Other ||
      Ctx.F.Vars[Def->Var].Name.empty())
    return D.K == Value::None ? D : Value();
  const Value Named =
      device((llvm::Twine(OfVariable) + llvm::Twine(Def->Var) + "." +
              llvm::Twine(V) + " " + called(Ctx, Def->Var, Def->Context))
                 .str());
  W.Temps.assign(V, Named);
  if (W.Vars[Def->Var].isNothing())
    W.Vars.set(Def->Var, Named);
  return Named;
}

Value optionsOn(const Value &Options) {
  const bool Has = Options.Elems && Options.Elems->size() > 1;
  Value None;
  None.K = Value::None;
  if (Has && (*Options.Elems)[1].K != Value::None)
    return (*Options.Elems)[1];
  return Options.K == Value::Unknown ? Value() : None;
}

Value toldDevice(const Context &Ctx, State &W, const Stmt &S) {
  for (const char *Name : {"device", "target_device", "options"}) {
    const Arg *A = findArg(S, Name);
    if (!A || !A->Value)
      continue;
    const Value D = A->Name == "options" ? optionsOn(value(W, A->Value))
                                         : asDevice(Ctx, W, A->Value);
    if (D.K != Value::None)
      return D;
  }
  Value None;
  None.K = Value::None;
  return None;
}

TENSORTIDY_TRANSFER(DeviceIs) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::SameDevice;
  const Arg *A = findArg(S, "self");
  if (!Self || !A)
    return setResult(W, S, Value());
  C->Key = deviceOf(value(W, A->Value).T, *Self).Text;
  C->Text = operand(W, S, "device").Text;
  setResult(W, S, Value::condition(std::move(C)));
}

TENSORTIDY_TRANSFER(DeviceOf) {
  setResult(W, S, Self ? deviceOf(operand(W, S, "self").T, *Self) : Value());
}

TENSORTIDY_TRANSFER(Placed) {
  const Value Before = operand(W, S, "self");
  std::string On, Type = placedType(Before);
  if (Object *Member = tensor(W, Before)) { // where its constructor made it
    const Value At = operand(W, S, "device");
    if (At.K == Value::Symbol && At.Text == "module" && Ctx.F.IsForward &&
        Member->Device.empty())
      Member->Device = Moved.str();
    const Object *Made = tensor(W, At);
    if (!Made)
      return;
    if (Member->DType.empty() || isUnnamedType(Member->DType))
      Member->DType = Made->DType;
    if (!Member->Device.empty() || !isKnownDevice(Made->Device))
      return;
    Member->Device = Made->Device;
    Member->Placed = S.point();
    if (Made->HasLayout && Made->Segment < 0 && Member->Segment >= 0)
      setRank(Ctx, W, *Member, Made->L.rank());
    return;
  }
  if (const Arg *A = findArg(S, "device")) {
    const Value D = asDevice(Ctx, W, A->Value);
    On = D.K == Value::Symbol ? D.Text : "";
  } else if (isPlaced(Before)) {
    On = Before.Text.substr(OfModule.size());
  }
  if (findArg(S, "dtype"))
    Type = operand(W, S, "dtype").Text;
  Value Is = On.empty() && Type.empty() ? Value() : placedOn(On);
  if (!Type.empty())
    Is.Elems = std::make_shared<const std::vector<Value>>(1, device(Type));
  setResult(W, S, Is);
}

//===----------------------------------------------------------------------===//
// Where results are
//===----------------------------------------------------------------------===//

/// A number of the CPU fits anywhere; no dimensions are known for certain.
static bool isNumber(const Object &O) {
  return O.HasLayout && O.Segment < 0 && O.L.rank() == 0;
}
static bool fitsAnywhere(const Object &O) {
  return isNumber(O) && (O.Device == "cpu" || !isKnownDevice(O.Device));
}
static bool hasDims(const Object &O) {
  return O.HasLayout && O.leastRank() > 0;
}

namespace {
struct Operand {
  ValueId V = 0; ///< what holds it
  Object *O = nullptr;
  llvm::StringRef Role;
};
} // namespace

/// The tensors that \p S computes with, in their order.
static llvm::SmallVector<Operand, 4> operands(State &W, const Stmt &S) {
  llvm::SmallVector<Operand, 4> All;
  for (const Arg &A : S.Args) {
    if (!A.Value ||
        (A.Name == "indices" && (S.O == Op::Index || S.is(Attribute::PutsAt))))
      continue;
    const Value V = value(W, A.Value);
    if (Object *O = tensor(W, V))
      All.push_back({A.Value, O, A.Name});
    if (V.K == Value::Each && V.T)
      if (Object *O = W.Objects.edit(V.T))
        All.push_back({A.Value, O, A.Name});
    if (V.K == Value::List)
      for (const Value &E : *V.Elems)
        if (Object *O = tensor(W, E))
          All.push_back({0, O, A.Name});
  }
  return All;
}

/// How much \p Device tells of where others are. Who names one by a variable
/// means another one than the CPU at times.
static unsigned weight(llvm::StringRef Device) {
  if (isKnownDevice(Device))
    return Device == "cpu" ? 1 : 3;
  return Device.starts_with(OfVariable) ? 2 : 0;
}

/// The operand that says where a result of \p All is; null: nothing is known.
static const Object *leading(llvm::ArrayRef<Operand> All) {
  const Object *First = nullptr;
  for (const Operand &P : All) {
    const Object &O = *P.O;
    if (O.Device.empty() || isNumber(O) ||
        (O.Device == "cpu" && !hasDims(O) && All.size() > 1))
      continue;
    if (!First || weight(First->Device) < weight(O.Device))
      First = &O;
  }
  if (First)
    return First;
  // Numbers, and nothing else.
  for (const Operand &P : All)
    if (P.O->Device != All[0].O->Device)
      return nullptr;
  return All.empty() || All[0].O->Device.empty() ? nullptr : All[0].O;
}

/// Whether the operands of \p S have to be on one device.
static bool needsOneDevice(const State &W, const Stmt &S) {
  if (const Arg *A = findArg(S, "devices")) // 'any' or 'one'
    return value(W, A->Value).Text == "one";
  switch (opClass(S.O)) {
  case OpClass::Compute:
    return true;
  case OpClass::Copy: // of more than one operand
    return S.O == Op::CloneDense || S.O == Op::PreserveCopy;
  case OpClass::MaybeCopy:
    return S.O == Op::Einsum;
  case OpClass::InPlaceData: // `x[i] = y` copies
    return S.O == Op::OutWrite ||
           (S.O == Op::Update && !S.is(Attribute::Assigns));
  default:
    return false;
  }
}

void placeResult(const Context &Ctx, State &W, const Stmt &S) {
  if (!S.Result)
    return;
  std::string Device;
  Range Placed = S.point();
  const OpClass Class = opClass(S.O);
  const Object *Of = nullptr;
  auto Take = [&](const Object *O) {
    Of = O;
    Device = O ? O->Device : "";
  };
  const auto All = operands(W, S);
  switch (Class) {
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::Copy:
  case OpClass::Compute:
    Take(Class == OpClass::Compute ? leading(All)
                                   : tensor(W, operand(W, S, "self")));
    break;
  case OpClass::Factory:
    if (const Object *Self = tensor(W, operand(W, S, "self")))
      Take(Self);
    else if (!findArg(S, "self"))
      Device = "cpu";
    break;
  default:
    return;
  }
  if (S.O == Op::To)
    if (const Object *Other = tensor(W, operand(W, S, "other")))
      Take(Other);
  if (Class == OpClass::Factory || S.O == Op::To) {
    const Value Told = toldDevice(Ctx, W, S);
    if (Told.K != Value::None) {
      Of = nullptr;
      Device = Told.Text;
    }
  }
  if (S.is(Attribute::Pins)) // devices read it as well
    Device.clear();
  if (Of && Of->Placed.Line)
    Placed = Of->Placed;
  auto Put = [&](const Value &V) {
    if (Object *O = tensor(W, V); O && O->Device != Device) {
      O->Device = Device;
      O->Placed = Placed;
    } else if (O && !O->Placed.Line) {
      O->Placed = Placed;
    }
  };
  const Value R = value(W, S.Result);
  Put(R);
  if (R.K == Value::List)
    for (const Value &E : *R.Elems)
      Put(E);
}

//===----------------------------------------------------------------------===//
// What does not fit together
//===----------------------------------------------------------------------===//

namespace {
enum class Fit : uint8_t { Yes, Unknown, No, UnlessCpu };
} // namespace

/// Whether something on \p A goes together with something on \p B. A device
/// that code names by a variable is not always the CPU.
static Fit fit(llvm::StringRef A, llvm::StringRef B) {
  if (A.empty() || B.empty())
    return Fit::Unknown;
  if (A == B)
    return Fit::Yes;
  if (isKnownDevice(A) && isKnownDevice(B))
    return Fit::No;
  return (A == "cpu" && B.starts_with(OfVariable)) ||
                 (B == "cpu" && A.starts_with(OfVariable))
             ? Fit::UnlessCpu
             : Fit::Unknown;
}

/// What begins the key of the question whether there is a device.
static constexpr llvm::StringLiteral Has = "var has ";

TENSORTIDY_TRANSFER(HasDevice) {
  setResult(W, S,
            Value::condition(
                atom(Has.str() + S.Text,
                     llvm::StringRef(S.Text).rsplit(':').second.str() + "()")));
}

bool hasNoDevice(const Context &Ctx, const State &W, const Stmt &S) {
  return isSilenced(
      Ctx, S, Silence::NoDevice, llvm::any_of(W.Assumed, [](const auto &A) {
        return !A.second.first && llvm::StringRef(A.first).starts_with(Has);
      }));
}

/// What is known of \p P, for the finding.
static DeviceSite::Tensor told(const Context &Ctx, const Stmt &S,
                               const Operand &P) {
  DeviceSite::Tensor T;
  const Stmt *Def = P.V ? Ctx.Flow.DefOf[P.V] : nullptr;
  const Provenance *From = P.O->Prov.get();
  if (!P.O->Name.empty())
    T.Name = P.O->Name;
  else if (Def && Def->O == Op::Load && !Ctx.F.Vars[Def->Var].Name.empty())
    T.Name = called(Ctx, Def->Var, S.Context);
  else if (From && !From->Checked)
    T.Call = From->What;
  T.Role = P.Role == "self" ? "" : P.Role.str();
  T.Device = deviceName(P.O->Device);
  if (const Range &At = P.O->Placed;
      At.Begin != S.point().Begin && At.Begin != S.Where.Begin)
    T.Put = At;
  return T;
}

/// The first failure of \p S, which is filled in by who asks; null: a path
/// before this one has told.
static DeviceSite *fails(const Context &Ctx, State &W, const Stmt &S,
                         DeviceSite::Kind What) {
  DeviceSite &Site = Ctx.Facts.Devices[&S];
  if (Site.Failed++)
    return nullptr;
  Site.What = What;
  Site.Taken = path(W);
  return &Site;
}

/// The device that only the second of two has, by a variable.
static DeviceSite::DeviceName named(Fit How, const std::string &A,
                                    const std::string &B) {
  return deviceName(How != Fit::UnlessCpu ? "" : isKnownDevice(A) ? B : A);
}

/// Whether operand \p Name of \p S is true for certain.
static bool isTrue(const Context &Ctx, State &W, const Stmt &S,
                   llvm::StringRef Name) {
  const Value V = operand(W, S, Name);
  return V.K == Value::Bool && V.C && evaluate(Ctx, W, *V.C) == Truth::Yes;
}

/// What \p S copies, and the device that it copies to.
static std::pair<Object *, std::string> copied(const Context &Ctx, State &W,
                                               const Stmt &S) {
  if (S.O == Op::Overwrite) {
    const Object *Into = tensor(W, operand(W, S, "self"));
    return {tensor(W, operand(W, S, "src")), Into ? Into->Device : ""};
  }
  if (const Object *Like = tensor(W, operand(W, S, "other")))
    return {tensor(W, operand(W, S, "self")), Like->Device};
  return {tensor(W, operand(W, S, "self")), toldDevice(Ctx, W, S).Text};
}

/// Whether \p S changes the element type of \p From, or may: then the host
/// converts what a first copy gives it, and waits for that.
static bool mayConvert(State &W, const Stmt &S, const Object &From) {
  const Object *Like =
      tensor(W, operand(W, S, S.O == Op::Overwrite ? "self" : "other"));
  if (Like)
    return Like->DType.empty() || Like->DType != From.DType;
  Value Type = operand(W, S, "dtype");
  if (const Value Options = operand(W, S, "options"); Options.Elems)
    Type = Options.Elems->empty() ? Value() : Options.Elems->front();
  else if (findArg(S, "options"))
    return true;
  if (Type.K == Value::None || (!findArg(S, "dtype") && !findArg(S, "options")))
    return false;
  return Type.K != Value::Symbol || Type.Text != From.DType;
}

void noteFetch(const Context &Ctx, State &W, const Stmt &S) {
  if (Ctx.H != Hypothesis::Opaque || !findArg(S, "non_blocking") ||
      (S.O != Op::To && S.O != Op::Overwrite))
    return;
  const auto [From, To] = copied(Ctx, W, S);
  FetchSite &Site = Ctx.Facts.Fetches[&S];
  if (!From || !isKnownDevice(From->Device) || From->Device == "cpu" ||
      (To != "cpu" && (S.O == Op::To || !To.empty())) ||
      !isTrue(Ctx, W, S, "non_blocking") || mayConvert(W, S, *From) ||
      hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S)) {
    ++Site.Other;
    return;
  }
  if (!Site.Later++) {
    Site.From = told(Ctx, S, {0, From, "self"});
    Site.IntoHost = To == "cpu";
  }
}

/// Indices of a tensor may be where it is or on the CPU, and nowhere else.
static void indexDevices(const Context &Ctx, State &W, const Stmt &S) {
  Object *Self = tensor(W, operand(W, S, "self"));
  const Value List = operand(W, S, "indices");
  const std::vector<Value> All =
      List.K == Value::List ? *List.Elems : std::vector<Value>{List};
  for (const Value &V : All) {
    Object *I = tensor(W, V);
    if (!Self || !I || isNumber(*I))
      continue;
    const Fit How = fit(Self->Device, I->Device);
    const bool Differs =
        I->Device != "cpu" &&
        (How == Fit::No || (How == Fit::UnlessCpu && Self->Device == "cpu"));
    if (!Differs || hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S) ||
        isVouchedFor(Ctx, W, S, *I)) {
      ++Ctx.Facts.Devices[&S].Ok;
      continue;
    }
    if (DeviceSite *Site = fails(Ctx, W, S, DeviceSite::Index)) {
      Site->One = told(Ctx, S, {0, Self, "self"});
      Site->Other = told(Ctx, S, {0, I, "index"});
      Site->UnlessCpu = named(How, Self->Device, I->Device);
    }
    I->Device.clear();
  }
}

/// Whether \p S puts values where numbers and ranges say, which copies them:
/// `x.index_put_({1, Slice()}, y)`.
static bool putsAtPlaces(State &W, const Stmt &S) {
  if (!S.is(Attribute::PutsAt))
    return false;
  const Value List = operand(W, S, "indices");
  return List.K != Value::List ||
         llvm::none_of(*List.Elems, [](const Value &I) { return I.T; });
}

void sameDevices(const Context &Ctx, State &W, const Stmt &S) {
  if (S.O == Op::Index)
    indexDevices(Ctx, W, S);
  if (!needsOneDevice(W, S) || putsAtPlaces(W, S))
    return;
  const auto All = operands(W, S);
  const Object *With = All.size() > 1 ? leading(All) : nullptr;
  // What is written has to be there, even a number.
  const bool Writes = All.size() > 1 && opClass(S.O) == OpClass::InPlaceData &&
                      All.front().Role == "self" &&
                      isKnownDevice(All.front().O->Device);
  if (Writes)
    With = All.front().O;
  if (!With)
    return;
  const Operand *First =
      llvm::find_if(All, [&](const Operand &P) { return P.O == With; });
  for (const Operand &P : All) {
    if (P.O == With || fitsAnywhere(*P.O))
      continue;
    const Fit How = fit(With->Device, P.O->Device);
    const Object &Cpu = With->Device == "cpu" ? *With : *P.O;
    // Where nobody counted its dimensions, it may be a number.
    const bool MayBeNumber =
        Cpu.Device == "cpu" && !hasDims(Cpu) && !(Writes && &Cpu == With);
    if (How == Fit::Yes || How == Fit::Unknown ||
        (How != Fit::No && MayBeNumber)) {
      ++Ctx.Facts.Devices[&S].Ok;
      continue;
    }
    if (hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S) ||
        isVouchedFor(Ctx, W, S, *P.O) || isVouchedFor(Ctx, W, S, *With))
      continue;
    if (DeviceSite *Site = fails(Ctx, W, S, DeviceSite::Operands)) {
      Site->Call = callText(Ctx, S, W);
      Site->One = told(Ctx, S, *First);
      Site->Other = told(Ctx, S, P);
      Site->UnlessCpu = named(How, With->Device, P.O->Device);
      (&Cpu == With ? Site->One : Site->Other).MayFit = MayBeNumber;
    }
    P.O->Device.clear(); // told
  }
}

/// What a module that was converted is called on, where its weights meet it.
static void entersConverted(const Context &Ctx, State &W, const Stmt &S,
                            llvm::StringRef Type) {
  const auto All = operands(W, S);
  if (All.empty() || !findArg(S, "types"))
    return;
  Object Weight;
  Weight.DType = Type.str();
  sameDTypes(Ctx, W, S, All.front().O, &Weight, "input");
}

TENSORTIDY_TRANSFER(Enters) {
  const Value Module = operand(W, S, "module");
  if (!isPlaced(Module))
    return;
  entersConverted(Ctx, W, S, placedType(Module));
  const std::string On = Module.Text.substr(OfModule.size());
  // One of several may be what is used on the CPU, such as lengths.
  llvm::SmallVector<Operand, 2> Wrong;
  Fit How = Fit::No;
  for (const Operand &P : operands(W, S)) {
    const Fit Is = fit(On, P.O->Device);
    if (Is == Fit::Yes || Is == Fit::Unknown || !P.O->HasLayout ||
        isNumber(*P.O) || isVouchedFor(Ctx, W, S, *P.O)) {
      ++Ctx.Facts.Devices[&S].Ok;
      return;
    }
    How = Is;
    Wrong.push_back(P);
  }
  if (Wrong.empty() || hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S))
    return;
  if (DeviceSite *Site = fails(Ctx, W, S, DeviceSite::Input)) {
    Site->One.Name = S.Text;
    Site->One.Device = deviceName(On);
    if (const Stmt *Made = Ctx.Flow.DefOf[findArg(S, "module")->Value];
        Made && Made->O == Op::Placed && Made->Before)
      Site->One.Put = Made->Where;
    Site->Other = told(Ctx, S, Wrong.front());
    Site->UnlessCpu = named(How, On, Wrong.front().O->Device);
  }
  for (const Operand &Told : Wrong)
    Told.O->Device.clear();
}

/// \p S accesses memory of \p Of; \p How it can.
static void accessed(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Of, DeviceSite::Kind What, Fit How) {
  if (How == Fit::Unknown)
    return;
  if (How == Fit::Yes || hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S) ||
      isVouchedFor(Ctx, W, S, Of)) {
    ++Ctx.Facts.Devices[&S].Ok;
    return;
  }
  if (DeviceSite *Site = fails(Ctx, W, S, What)) {
    Object Copy = Of;
    Site->One = told(Ctx, S, {0, &Copy, "self"});
    Site->UnlessCpu = named(How, "cpu", Of.Device);
  }
}

void readsOnHost(const Context &Ctx, State &W, const Stmt &S,
                 const Object &Of) {
  accessed(Ctx, W, S, Of,
           S.O == Op::StoreElement ? DeviceSite::HostWrites
                                   : DeviceSite::HostReads,
           fit("cpu", Of.Device));
}

void readsOnDevice(const Context &Ctx, State &W, const Stmt &S,
                   const Object &Of) {
  accessed(Ctx, W, S, Of, DeviceSite::Kernel,
           !isKnownDevice(Of.Device) ? Fit::Unknown
           : Of.Device == "cpu"      ? Fit::No
                                     : Fit::Yes);
}

/// Whether \p Options leave it open where a tensor is to be.
static bool nameNoDevice(const Context &Ctx, ValueId Options,
                         unsigned Depth = 0) {
  const Stmt *Def = Ctx.Flow.DefOf[Options];
  if (!Def || Depth > 8)
    return false;
  if (Def->O != Op::OptionsOp)
    return Def->O == Op::Const;
  const Arg *Changed = findArg(*Def, "self");
  return !findArg(*Def, "device") && !findArg(*Def, "pinned_memory") &&
         (!Changed || nameNoDevice(Ctx, Changed->Value, Depth + 1));
}

/// Whether \p O was made by a factory that nobody told of a device.
static bool isAnywhere(const Context &Ctx, const Object &O) {
  const ObjId From = O.Storage;
  const Stmt *Made =
      From.From == ObjId::Value ? Ctx.Flow.DefOf[From.Of] : nullptr;
  if (!Made || opClass(Made->O) != OpClass::Factory ||
      findArg(*Made, "device") || findArg(*Made, "self") ||
      findArg(*Made, "pin_memory"))
    return false;
  const Arg *Options = findArg(*Made, "options");
  return !Options || nameNoDevice(Ctx, Options->Value);
}

void givesPointers(const Context &Ctx, State &W, const Stmt &S) {
  if (S.O != Op::Opaque || S.Reaches == Reach::Arguments ||
      S.is(Attribute::MovesOver))
    return;
  const Object *One = nullptr, *Other = nullptr;
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    if (V.K != Value::Pointer)
      continue;
    const Object &Of = V.P->Of;
    if (Of.Device == "cpu") {
      // Lengths and offsets may be meant for the host, but not for a kernel.
      if (!Other && isAnywhere(Ctx, Of) && !Of.DType.empty() &&
          (S.is(Attribute::RunsKernel) || isDType(Of.DType, "floating")))
        Other = &Of;
    } else if (!One && fit(Of.Device, "cpu") != Fit::Unknown) {
      One = &Of;
    }
  }
  if (!One || !Other || hasNoDevice(Ctx, W, S) || hasNoElements(Ctx, W, S) ||
      isVouchedFor(Ctx, W, S, *One) || isVouchedFor(Ctx, W, S, *Other)) {
    ++Ctx.Facts.Devices[&S].Ok;
    return;
  }
  if (DeviceSite *Site = fails(Ctx, W, S, DeviceSite::Pointers)) {
    Object Left = *One, Right = *Other;
    Site->One = told(Ctx, S, {0, &Left, "self"});
    Site->Other = told(Ctx, S, {0, &Right, "self"});
    Site->UnlessCpu =
        named(fit(One->Device, Other->Device), One->Device, Other->Device);
  }
}

//===----------------------------------------------------------------------===//
// What tests say
//===----------------------------------------------------------------------===//

CondRef equalDevices(const Value &X, const Value &Y) {
  if (X.K != Value::Symbol || Y.K != Value::Symbol || X.Text.empty() ||
      Y.Text.empty())
    return nullptr;
  auto C = std::make_shared<Condition>();
  C->K = Condition::SameDevice;
  auto Text = [](const Value &V) {
    return isDevice(V) ? V.Text : deviceNamed(V.Text);
  };
  C->Key = Text(X);
  C->Text = Text(Y);
  if (C->Key.empty() || C->Text.empty())
    return nullptr;
  return C;
}

Truth sameDevice(const State &, const Condition &C) {
  if (C.Key == C.Text)
    return Truth::Yes;
  return isKnownDevice(C.Key) && isKnownDevice(C.Text) ? Truth::No
                                                       : Truth::Unknown;
}

std::string deviceKey(const Condition &C) {
  return "device " + std::min(C.Key, C.Text) + " | " + std::max(C.Key, C.Text);
}

void assumeDevice(State &W, const Condition &C) {
  std::string From = C.Key, To = C.Text;
  if (isKnownDevice(From) || (!isKnownDevice(To) && From < To))
    std::swap(From, To);
  if (isKnownDevice(From))
    return;
  const std::string Module = OfModule.str() + From;
  auto Is = [&](const Value &V) {
    return V.K == Value::Symbol && (V.Text == From || V.Text == Module);
  };
  auto Options = [&](const Value &V) {
    return V.Elems && V.K != Value::List && V.Elems->size() > 1 &&
           Is((*V.Elems)[1]);
  };
  auto Replace = [&](Value &V) {
    if (Is(V)) {
      V.Text = (V.Text == Module ? OfModule.str() : "") + To;
      return;
    }
    std::vector<Value> E = *V.Elems;
    E[1].Text = To;
    V.Elems = std::make_shared<const std::vector<Value>>(std::move(E));
  };
  W.Objects.change([&](ObjId, const Object &O) { return O.Device == From; },
                   [&](Object &O) { O.Device = To; });
  const auto Changes = [&](uint32_t, const Value &V) {
    return Is(V) || Options(V);
  };
  W.Vars.change(Changes, Replace);
  W.Temps.change(Changes, Replace);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::string deviceOfCall(const Context &Ctx, const State &W, const Stmt &S) {
  if (S.Forward)
    for (const Arg &A : S.Args)
      if (A.Var != NoId && isPlaced(W.Vars[A.Var]))
        return W.Vars[A.Var].Text.substr(OfModule.size());
  // toTensor() of what it gave
  const Stmt *Of = S.is(Attribute::HoldsTensor) && S.Args.size() == 1
                       ? Ctx.Flow.DefOf[S.Args[0].Value]
                       : nullptr;
  return Of && Of->Forward ? deviceOfCall(Ctx, W, *Of) : "";
}

bool leavesModule(const Context &Ctx, const State &W, const Stmt &S,
                  const Arg &A) {
  if (A.Var == NoId || !isPlaced(W.Vars[A.Var]))
    return false;
  const VarId Holder = Ctx.F.Vars[A.Var].Base;
  const bool IsObject =
      Holder == NoId || Holder == ThisBase || !Ctx.F.Vars[A.Var].IsPointee;
  const bool First = &A == S.Args.begin();
  // A method of its own, other than those that Placed tells of.
  if (First && !A.Value)
    return S.Forward || S.Reaches == Reach::Arguments;
  if (IsObject)
    return false;
  // Who is given the holder may move what it holds; nobody else does.
  return llvm::none_of(S.Args, [&](const Arg &B) {
    const Stmt *D = B.Value ? Ctx.Flow.DefOf[B.Value] : nullptr;
    return (B.Var == Holder && B.R == Role::Write) ||
           (D && D->O == Op::Load && D->Var == Holder &&
            S.Reaches != Reach::Arguments);
  });
}

} // namespace tensortidy::analysis
