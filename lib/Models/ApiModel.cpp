//===- ApiModel.cpp - reading API models ----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/ApiModel.h"
#include "Models/ImageModelText.h"
#include "Models/ReadFile.h"
#include "Models/Sizes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace tensortidy;
using namespace tensortidy::models;
using llvm::StringRef;
using program::ConstKind;
using program::Op;

namespace {

// The file as written; every string is checked while its node is current, so
// that errors point at it.
struct OpName {
  Op Value = Op::Opaque;
};
struct ConditionText {
  ApiCondition Value;
};
struct ReleaseText {
  Releases Value;
};
struct RenameText {
  std::pair<std::string, std::string> Value;
};
struct ConstantText {
  ApiConstant Value;
};
struct JoinText {
  std::pair<std::string, std::vector<std::string>> Value;
};
struct AttributeName {
  program::Attribute Value = program::Attribute::TypeCommon;
};
struct LikeText {
  std::string Value;
};
struct AttributesEntry {
  std::vector<std::string> Names;
  std::vector<LikeText> Like;
  std::vector<AttributeName> Has;
};
struct ApiEntry {
  OpName O;
  std::vector<std::string> Names, Params, Template;
  ApiForm Form = ApiForm::Both;
  std::vector<ConditionText> When;
  std::vector<RenameText> Rename;
  std::vector<ConstantText> Set;
  std::string Declared;
  ReleaseText Release;
  std::vector<JoinText> Join;
  std::vector<AttributeName> Has;
};
struct WeightText {
  WeightSize Value;
};
struct SettingText {
  std::pair<std::string, std::string> Value;
};
struct ModuleEntry {
  OpName O;
  std::vector<std::string> Names, Made;
  bool Alone = false;
  std::vector<ConditionText> When;
  std::string Input = "self";
  std::vector<WeightText> Weight;
  std::vector<SettingText> Options;
  std::vector<ConstantText> Set;
};
struct FieldEntry {
  OpName O;
  std::vector<std::string> Names;
  std::string Index;
  unsigned All = 0;
  std::vector<ConstantText> Set;
};
struct SuffixEntry {
  std::string Suffix;
  OpName O;
};
struct SymbolEntry {
  std::string Enum;
  std::vector<RenameText> Values;
};
struct TypesEntry {
  std::vector<std::string> Tensor, Pointee, Wrapper, List, Scalar, Options,
      Slice, Ellipsis, None, Module, Image, ImageSize, ImagePart, ImageInput,
      ImageOutput;
};
struct ContractEntry {
  std::string Function;
  std::vector<std::string> Contiguous;
};
struct HeaderText {
  std::string Value;
};
struct ModelFile {
  unsigned Version = 0;
  std::string Name;
  TypesEntry Types;
  std::vector<std::string> Namespaces, Prefixes;
  std::vector<HeaderText> Headers;
  std::vector<SymbolEntry> Symbols;
  std::vector<SuffixEntry> Suffixes;
  std::vector<AttributesEntry> Attributes;
  std::vector<ApiEntry> Operations;
  std::vector<FieldEntry> Fields;
  std::vector<ModuleEntry> Modules;
  std::vector<ImageApi> Images;
  std::vector<ContractEntry> Contracts;
};

bool isName(StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '_';
  });
}

/// Path components as they stand in an #include.
bool isHeader(StringRef Text) {
  llvm::SmallVector<StringRef, 4> Parts;
  Text.split(Parts, '/');
  return llvm::none_of(Parts, [](StringRef Part) {
    return Part.empty() || Part == "." || Part == ".." ||
           Part.find_first_of("*?\\") != StringRef::npos;
  });
}

/// An operand's name, an integer, or "self[2]".
bool isJoinPart(StringRef Text) {
  int64_t Int;
  if (!Text.getAsInteger(10, Int))
    return true;
  return Text.consume_front("self[") && Text.consume_back("]")
             ? !Text.getAsInteger(10, Int)
             : isName(Text);
}

/// "p", "!p", "p:kind", "p=3", "p!=3"; returns what is wrong.
StringRef parseCondition(StringRef Text, ApiCondition &Out) {
  if (auto [Before, Value] = Text.split('='); !Value.empty()) {
    Out.Differs = Before.consume_back("!");
    Out.Param = Before.str();
    int64_t Int;
    if (!isName(Before) || Value.getAsInteger(10, Int))
      return "a condition on a value is 'p=3' or 'p!=3'";
    Out.Is = Int;
    return "";
  }
  Out.Absent = Text.consume_front("!");
  auto [Param, Kind] = Text.split(':');
  Out.Param = Param.str();
  if (!isName(Param))
    return "a condition is 'p', '!p', 'p:kind', 'p=3' or 'p!=3'";
  if (Kind.empty())
    return "";
  for (auto [Name, K] : {std::pair("tensor", ParamKind::Tensor),
                         {"list", ParamKind::List},
                         {"int", ParamKind::Int},
                         {"bool", ParamKind::Bool},
                         {"float", ParamKind::Float},
                         {"scalar", ParamKind::Scalar}})
    if (Kind == Name) {
      Out.Kind = K;
      return "";
    }
  return "a parameter kind is tensor, list, int, bool, float or scalar";
}

/// "name=3", "name=true", "name='symbol'", "name=[0, 2, 1]".
StringRef parseConstant(StringRef Text, ApiConstant &Out) {
  auto [Name, Value] = Text.split('=');
  Name = Name.trim();
  Value = Value.trim();
  Out.Name = Name.str();
  if (!isName(Name) || Value.empty())
    return "a constant operand is 'name=value'";
  if (Value == "true" || Value == "false") {
    Out.Kind = ConstKind::Bool;
    Out.Ints = {Value == "true"};
    return "";
  }
  if (Value.size() > 2 && Value.front() == '\'' && Value.back() == '\'') {
    Out.Kind = ConstKind::Symbol;
    Out.Text = Value.drop_front().drop_back().str();
    return "";
  }
  bool IsList = Value.consume_front("[");
  if (IsList && !Value.consume_back("]"))
    return "a list of integers ends with ']'";
  Out.Kind = IsList ? ConstKind::None : ConstKind::Int;
  while (!Value.empty()) {
    auto [First, Rest] = Value.split(',');
    int64_t Int;
    if (First.trim().getAsInteger(10, Int))
      return "a constant operand is an integer, true, false, 'symbol' or "
             "[integers]";
    Out.Ints.push_back(Int);
    Value = IsList ? Rest : StringRef();
  }
  return "";
}

program::Attributes setOf(llvm::ArrayRef<AttributeName> Names) {
  program::Attributes Set;
  for (const AttributeName &A : Names)
    Set.add(A.Value);
  return Set;
}

/// What is wrong with such attributes, of an operation where that is known.
std::string problemOf(llvm::ArrayRef<AttributeName> Names,
                      std::optional<bool> IsOperation) {
  const program::Attributes Set = setOf(Names);
  if (IsOperation)
    for (const AttributeName &A : Names) {
      program::Attributes One;
      One.add(A.Value);
      if (One.of(*IsOperation).empty())
        return "'" + program::attributeName(A.Value).str() +
               "' is for calls without an operation: under 'attributes'";
    }
  return Set.problem();
}

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(ApiEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(AttributesEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(ContractEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(FieldEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(ModuleEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(SuffixEntry)
LLVM_YAML_IS_SEQUENCE_VECTOR(SymbolEntry)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(AttributeName)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(ConditionText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(HeaderText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(JoinText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(LikeText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(RenameText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(ConstantText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(SettingText)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(WeightText)

namespace llvm::yaml {

template <> struct ScalarTraits<OpName> {
  static void output(const OpName &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, OpName &Out) {
    return program::findOp(Text, Out.Value) ? "" : "unknown operation";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<AttributeName> {
  static void output(const AttributeName &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, AttributeName &Out) {
    return program::findAttribute(Text, Out.Value) ? "" : "unknown attribute";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<LikeText> {
  static void output(const LikeText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, LikeText &Out) {
    Out.Value = Text.str();
    llvm::Expected<GlobPattern> Glob = GlobPattern::create(Text);
    if (Glob)
      return "";
    consumeError(Glob.takeError());
    return "not a pattern of names";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<ConditionText> {
  static void output(const ConditionText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, ConditionText &Out) {
    return parseCondition(Text, Out.Value);
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<ReleaseText> {
  static void output(const ReleaseText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  /// ">=2.0", "<2.1"
  static StringRef input(StringRef Text, void *, ReleaseText &Out) {
    const bool From = Text.consume_front(">=");
    unsigned Major = 0, Minor = 0;
    if ((!From && !Text.consume_front("<")) ||
        Text.split('.').first.getAsInteger(10, Major) ||
        Text.split('.').second.getAsInteger(10, Minor) || Minor > 999)
      return "expected '>=2.0' or '<2.0'";
    (From ? Out.Value.From : Out.Value.Below) = layout::release(Major, Minor);
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<HeaderText> {
  static void output(const HeaderText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, HeaderText &Out) {
    Text.consume_back("/");
    Out.Value = Text.str();
    return isHeader(Text) ? ""
                          : "expected a header or folder as an #include has "
                            "it: 'ATen', 'torch/csrc'";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<JoinText> {
  static void output(const JoinText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, JoinText &Out) {
    auto [Name, Parts] = Text.split('=');
    Out.Value.first = Name.trim().str();
    while (!Parts.empty()) {
      auto [Part, Rest] = Parts.split(',');
      if (!isJoinPart(Part.trim()))
        return "expected 'list=one,two'; a part is an operand, an integer or "
               "self[N]";
      Out.Value.second.push_back(Part.trim().str());
      Parts = Rest;
    }
    return isName(Name.trim()) && !Out.Value.second.empty()
               ? ""
               : "expected 'list=one,two'";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<RenameText> {
  static void output(const RenameText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, RenameText &Out) {
    auto [From, To] = Text.split('=');
    Out.Value = {From.trim().str(), To.trim().str()};
    return isName(From.trim()) && isName(To.trim()) ? "" : "expected 'from=to'";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<SettingText> {
  static void output(const SettingText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  /// "stride", "size=output_size"
  static StringRef input(StringRef Text, void *, SettingText &Out) {
    auto [From, To] = Text.split('=');
    To = Text.contains('=') ? To.trim() : From.trim();
    Out.Value = {From.trim().str(), To.str()};
    return isName(From.trim()) && isName(To) ? ""
                                             : "expected 'setting' or "
                                               "'setting=operand'";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<WeightText> {
  static void output(const WeightText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  /// "out", "in/groups", "kernel_size*2"
  static StringRef input(StringRef Text, void *, WeightText &Out) {
    auto [Name, By] = Text.split('/');
    auto [Of, Times] = Name.split('*');
    Out.Value.Name = Of.trim().str();
    Out.Value.DividedBy = By.trim().str();
    const bool Counts = Name.contains('*');
    if (!isName(Of.trim()) || (Text.contains('/') && !isName(By.trim())) ||
        (Counts && (Times.trim().getAsInteger(10, Out.Value.Times) ||
                    Out.Value.Times == 0 || Out.Value.Times > 8)))
      return "a size of a weight is 'setting', 'setting/setting' or "
             "'setting*2'";
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<ConstantText> {
  static void output(const ConstantText &, void *, raw_ostream &) {
    llvm_unreachable("models are only read");
  }
  static StringRef input(StringRef Text, void *, ConstantText &Out) {
    StringRef Error = parseConstant(Text, Out.Value);
    if (!Error.empty())
      return Error;
    // Texts in a language of their own.
    if (Out.Value.Name == "sizes" &&
        !llvm::all_of(llvm::split(Out.Value.Text, '|'),
                      [](StringRef One) { return parseSizes(One); }))
      return "not a list of sizes";
    if (Out.Value.Name == "needs" && !parseNeeds(Out.Value.Text))
      return "not a list of needs";
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarEnumerationTraits<ApiForm> {
  static void enumeration(IO &Io, ApiForm &F) {
    Io.enumCase(F, "both", ApiForm::Both);
    Io.enumCase(F, "method", ApiForm::Method);
    Io.enumCase(F, "function", ApiForm::Function);
  }
};

template <> struct MappingTraits<ApiEntry> {
  static void mapping(IO &Io, ApiEntry &E) {
    Io.mapRequired("op", E.O);
    Io.mapRequired("names", E.Names);
    Io.mapOptional("form", E.Form);
    Io.mapOptional("when", E.When);
    Io.mapOptional("params", E.Params);
    Io.mapOptional("rename", E.Rename);
    Io.mapOptional("join", E.Join);
    Io.mapOptional("set", E.Set);
    Io.mapOptional("template", E.Template);
    Io.mapOptional("declared", E.Declared);
    Io.mapOptional("release", E.Release);
    Io.mapOptional("has", E.Has);
  }
  /// The entry's own mistakes, told with its line.
  static std::string validate(IO &, ApiEntry &E) {
    return problemOf(E.Has, !program::isOpaque(E.O.Value));
  }
};

template <> struct MappingTraits<AttributesEntry> {
  static void mapping(IO &Io, AttributesEntry &E) {
    Io.mapOptional("names", E.Names);
    Io.mapOptional("like", E.Like);
    Io.mapRequired("has", E.Has);
  }
  static std::string validate(IO &, AttributesEntry &E) {
    if (E.Names.empty() && E.Like.empty())
      return "attributes of no name: 'names' or 'like' is missing";
    return problemOf(E.Has, std::nullopt);
  }
};

template <> struct MappingTraits<FieldEntry> {
  static void mapping(IO &Io, FieldEntry &E) {
    Io.mapRequired("op", E.O);
    Io.mapRequired("names", E.Names);
    Io.mapOptional("index", E.Index);
    Io.mapOptional("all", E.All);
    Io.mapOptional("set", E.Set);
  }
  static std::string validate(IO &, FieldEntry &E) {
    const program::OpClass Class = program::opClass(E.O.Value);
    if (Class != program::OpClass::Query && Class != program::OpClass::Access)
      return "a field is a query or an access, such as size or data_ptr";
    if (!E.Index.empty() && !isName(E.Index))
      return "'index' is an operand's name";
    if (E.All > 16 || (E.All && E.Index.empty()))
      return "'all' counts the elements of a field with 'index', at most 16";
    for (StringRef Name : E.Names)
      if (!Name.contains("::"))
        return "a field is named with its class: my::Matrix::rows";
    return "";
  }
};

template <> struct MappingTraits<ModuleEntry> {
  static void mapping(IO &Io, ModuleEntry &E) {
    Io.mapRequired("op", E.O);
    Io.mapRequired("names", E.Names);
    Io.mapOptional("made", E.Made);
    Io.mapOptional("alone", E.Alone);
    Io.mapOptional("when", E.When);
    Io.mapOptional("input", E.Input);
    Io.mapOptional("weight", E.Weight);
    Io.mapOptional("options", E.Options);
    Io.mapOptional("set", E.Set);
  }
  static std::string validate(IO &, ModuleEntry &E) {
    for (const ConditionText &C : E.When)
      if (C.Value.Kind != ParamKind::Any || C.Value.Is)
        return "of a module's setting a condition is 'p' or '!p'";
    return "";
  }
};

template <> struct MappingTraits<SuffixEntry> {
  static void mapping(IO &Io, SuffixEntry &E) {
    Io.mapRequired("suffix", E.Suffix);
    Io.mapRequired("op", E.O);
  }
};

template <> struct MappingTraits<ContractEntry> {
  static void mapping(IO &Io, ContractEntry &E) {
    Io.mapRequired("function", E.Function);
    Io.mapRequired("contiguous", E.Contiguous);
  }
};

template <> struct MappingTraits<SymbolEntry> {
  static void mapping(IO &Io, SymbolEntry &E) {
    Io.mapRequired("enum", E.Enum);
    Io.mapOptional("values", E.Values);
  }
};

template <> struct MappingTraits<TypesEntry> {
  static void mapping(IO &Io, TypesEntry &E) {
    Io.mapOptional("tensor", E.Tensor);
    Io.mapOptional("pointee", E.Pointee);
    Io.mapOptional("wrapper", E.Wrapper);
    Io.mapOptional("list", E.List);
    Io.mapOptional("scalar", E.Scalar);
    Io.mapOptional("options", E.Options);
    Io.mapOptional("slice", E.Slice);
    Io.mapOptional("ellipsis", E.Ellipsis);
    Io.mapOptional("none", E.None);
    Io.mapOptional("module", E.Module);
    Io.mapOptional("image", E.Image);
    Io.mapOptional("image_size", E.ImageSize);
    Io.mapOptional("image_part", E.ImagePart);
    Io.mapOptional("image_input", E.ImageInput);
    Io.mapOptional("image_output", E.ImageOutput);
  }
};

template <> struct MappingTraits<ModelFile> {
  static void mapping(IO &Io, ModelFile &F) {
    Io.mapRequired("version", F.Version);
    if (F.Version > 1) // a missing one has been reported
      return Io.setError("this is version " + Twine(F.Version) +
                         " of the model format; only version 1 is known");
    Io.mapOptional("name", F.Name);
    Io.mapOptional("types", F.Types);
    Io.mapOptional("namespaces", F.Namespaces);
    Io.mapOptional("prefixes", F.Prefixes);
    Io.mapOptional("headers", F.Headers);
    Io.mapOptional("symbols", F.Symbols);
    Io.mapOptional("suffixes", F.Suffixes);
    Io.mapOptional("attributes", F.Attributes);
    Io.mapOptional("operations", F.Operations);
    Io.mapOptional("fields", F.Fields);
    Io.mapOptional("modules", F.Modules);
    Io.mapOptional("images", F.Images);
    Io.mapOptional("contracts", F.Contracts);
  }
};

} // namespace llvm::yaml

/// "; did you mean 'x'?" for a message that ends in a misspelt word.
static std::string suggestion(StringRef Message) {
  static const char *const Keys[] = {
      "version",   "name",       "types",      "namespaces", "symbols",
      "prefixes",  "headers",    "pointee",    "suffixes",   "operations",
      "contracts", "tensor",     "wrapper",    "list",       "scalar",
      "options",   "slice",      "ellipsis",   "none",       "module",
      "enum",      "values",     "suffix",     "op",         "names",
      "form",      "when",       "params",     "rename",     "join",
      "set",       "function",   "contiguous", "declared",   "release",
      "template",  "attributes", "like",       "has",        "modules",
      "made",      "alone",      "input",      "weight",     "fields",
      "index",     "all",        "images",     "image",      "image_size",
      "codes",     "scopes",     "parameters"};
  if (!Message.consume_front("unknown key '"))
    return "";
  StringRef Word = Message.take_until([](char C) { return C == '\''; });
  const char *Nearest = nullptr;
  unsigned Best = 4;
  for (const char *Key : Keys) {
    unsigned Distance = Word.edit_distance(Key, true, Best);
    if (Distance < Best) {
      Best = Distance;
      Nearest = Key;
    }
  }
  return Nearest ? std::string("; did you mean '") + Nearest + "'?" : "";
}

llvm::Expected<ApiModel> ApiModel::parse(StringRef Text, StringRef FileName,
                                         ModelOwner Owner) {
  if (Owner == ModelOwner::User)
    if (llvm::Error E = checkYaml(Text, FileName))
      return E;
  std::string Message;
  struct Sink {
    std::string &Message;
    std::string File;
  } Errors{Message, FileName.str()};
  auto Keep = [](const llvm::SMDiagnostic &D, void *Raw) {
    auto &S = *static_cast<Sink *>(Raw);
    if (!S.Message.empty())
      return; // the first error is the cause
    llvm::raw_string_ostream OS(S.Message);
    OS << S.File << ':' << D.getLineNo() << ':' << D.getColumnNo() + 1 << ": "
       << D.getMessage() << suggestion(D.getMessage());
  };
  llvm::yaml::Input In(Text, nullptr, Keep, &Errors);
  ModelFile File;
  In >> File;
  if (In.error() || File.Version != 1) {
    if (Message.empty())
      Message = FileName.str() + ": not a model file";
    return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
  }

  ApiModel M;
  M.Name = std::move(File.Name);
  auto AddRoles = [&](const std::vector<std::string> &Names, TypeRole R) {
    for (const std::string &N : Names)
      M.Roles[N] = R;
  };
  AddRoles(File.Types.Tensor, TypeRole::Tensor);
  AddRoles(File.Types.Pointee, TypeRole::Pointee);
  AddRoles(File.Types.Wrapper, TypeRole::Wrapper);
  AddRoles(File.Types.List, TypeRole::List);
  AddRoles(File.Types.Scalar, TypeRole::Scalar);
  AddRoles(File.Types.Options, TypeRole::Options);
  AddRoles(File.Types.Slice, TypeRole::Slice);
  AddRoles(File.Types.Ellipsis, TypeRole::Ellipsis);
  AddRoles(File.Types.None, TypeRole::NoValue);
  AddRoles(File.Types.Module, TypeRole::Module);
  AddRoles(File.Types.Image, TypeRole::Image);
  AddRoles(File.Types.ImageSize, TypeRole::ImageSize);
  AddRoles(File.Types.ImagePart, TypeRole::ImagePart);
  AddRoles(File.Types.ImageInput, TypeRole::ImageInput);
  AddRoles(File.Types.ImageOutput, TypeRole::ImageOutput);
  M.Images = std::move(File.Images);
  for (const std::string &N : File.Namespaces)
    M.Namespaces.insert(N);
  M.Prefixes = std::move(File.Prefixes);
  for (const HeaderText &H : File.Headers)
    M.Headers.insert(H.Value);
  for (SymbolEntry &S : File.Symbols) {
    M.Roles[S.Enum] = TypeRole::Enum;
    for (RenameText &V : S.Values)
      M.Symbols[S.Enum + "::" + V.Value.first] = V.Value.second;
  }
  for (SuffixEntry &S : File.Suffixes)
    M.Suffixes.emplace_back(std::move(S.Suffix), S.O.Value);
  for (const AttributesEntry &E : File.Attributes) {
    const program::Attributes Has = setOf(E.Has);
    for (const std::string &N : E.Names)
      M.Known[N] |= Has;
    for (const LikeText &Like : E.Like) {
      auto Text = std::make_unique<std::string>(Like.Value);
      auto Glob = llvm::cantFail(llvm::GlobPattern::create(*Text));
      M.KnownLike.push_back({std::move(Text), std::move(Glob), Has});
    }
  }
  for (ApiEntry &E : File.Operations) {
    Api A;
    A.O = E.O.Value;
    A.Form = E.Form;
    A.Names = std::move(E.Names);
    A.Params = std::move(E.Params);
    for (ConditionText &C : E.When)
      A.When.push_back(std::move(C.Value));
    for (RenameText &R : E.Rename)
      A.Rename.push_back(std::move(R.Value));
    for (JoinText &J : E.Join)
      A.Join.push_back(std::move(J.Value));
    for (ConstantText &C : E.Set)
      A.Set.push_back(std::move(C.Value));
    A.Template = std::move(E.Template);
    A.Declared = std::move(E.Declared);
    A.In = E.Release.Value;
    A.Has = setOf(E.Has);
    M.Apis.push_back(std::move(A));
  }
  for (FieldEntry &E : File.Fields) {
    FieldApi F;
    F.O = E.O.Value;
    F.Names = std::move(E.Names);
    F.Index = std::move(E.Index);
    F.All = E.All;
    for (ConstantText &C : E.Set)
      F.Set.push_back(std::move(C.Value));
    M.Fields.push_back(std::move(F));
  }
  for (ModuleEntry &E : File.Modules) {
    ModuleApi A;
    A.O = E.O.Value;
    A.Names = std::move(E.Names);
    A.Made = std::move(E.Made);
    A.Alone = E.Alone;
    A.Input = std::move(E.Input);
    for (ConditionText &C : E.When)
      A.When.push_back(std::move(C.Value));
    for (WeightText &W : E.Weight)
      A.Weight.push_back(std::move(W.Value));
    for (SettingText &S : E.Options)
      A.Options.push_back(std::move(S.Value));
    for (ConstantText &C : E.Set)
      A.Set.push_back(std::move(C.Value));
    M.Modules.push_back(std::move(A));
  }
  for (ContractEntry &C : File.Contracts)
    M.Contracts[C.Function] = std::move(C.Contiguous);
  if (Owner == ModelOwner::User) {
    for (const Api &A : M.Apis)
      for (const std::string &N : A.Names)
        M.UserNames.insert(N);
    for (const std::string &N : File.Types.Tensor)
      M.UserTypes.insert(N);
  }
  M.index();
  return M;
}

void ApiModel::index() {
  ByName.clear();
  for (const Api &A : Apis)
    for (const std::string &N : A.Names)
      ByName[N].push_back(&A);
  FieldsByName.clear();
  for (const FieldApi &F : Fields)
    for (const std::string &N : F.Names)
      FieldsByName[N].push_back(&F);
  ModulesByName.clear();
  for (const ModuleApi &A : Modules)
    for (const std::string &N : A.Names)
      ModulesByName[N].push_back(&A);
}

void ApiModel::add(ApiModel Other) {
  for (auto &R : Other.Roles)
    Roles[R.getKey()] = R.getValue();
  for (auto &N : Other.Namespaces)
    Namespaces.insert(N.getKey());
  Prefixes.insert(Prefixes.end(), Other.Prefixes.begin(), Other.Prefixes.end());
  for (auto &H : Other.Headers)
    Headers.insert(H.getKey());
  for (auto &S : Other.Symbols)
    Symbols[S.getKey()] = S.getValue();
  for (auto &N : Other.UserNames)
    UserNames.insert(N.getKey());
  for (auto &N : Other.UserTypes)
    UserTypes.insert(N.getKey());
  for (auto &C : Other.Contracts)
    Contracts[C.getKey()] = std::move(C.getValue());
  for (auto &K : Other.Known)
    Known[K.getKey()] |= K.getValue();
  for (Pattern &P : Other.KnownLike)
    KnownLike.push_back(std::move(P));
  Suffixes.insert(Suffixes.begin(), Other.Suffixes.begin(),
                  Other.Suffixes.end());
  for (auto It = Other.Apis.rbegin(); It != Other.Apis.rend(); ++It)
    Apis.push_front(std::move(*It));
  for (auto It = Other.Fields.rbegin(); It != Other.Fields.rend(); ++It)
    Fields.push_front(std::move(*It));
  for (auto It = Other.Modules.rbegin(); It != Other.Modules.rend(); ++It)
    Modules.push_front(std::move(*It));
  Images.insert(Images.begin(), Other.Images.begin(), Other.Images.end());
  index();
}

TypeRole ApiModel::role(StringRef QualifiedName) const {
  auto It = Roles.find(QualifiedName);
  return It == Roles.end() ? TypeRole::None : It->second;
}

bool ApiModel::isLibrary(StringRef QualifiedNamespace) const {
  if (!Namespaces.contains(QualifiedNamespace.split("::").first))
    return false;
  // Of "!torch::executor", too.
  for (StringRef N = QualifiedNamespace; N.contains("::");
       N = N.rsplit("::").first)
    if (Namespaces.contains(("!" + N).str()))
      return false;
  return true;
}

bool ApiModel::isLibraryFunction(StringRef Name) const {
  return llvm::any_of(
      Prefixes, [&](const std::string &P) { return Name.starts_with(P); });
}

bool ApiModel::isLibraryHeader(StringRef Path) const {
  for (; !Path.empty(); Path = Path.rsplit('/').first) {
    if (Headers.contains(Path))
      return true;
    if (!Path.contains('/'))
      break;
  }
  return false;
}

StringRef ApiModel::symbol(StringRef Enum, StringRef Name) const {
  auto It = Symbols.find((Enum + "::" + Name).str());
  return It == Symbols.end() ? StringRef() : StringRef(It->second);
}

const Api *ApiModel::find(StringRef Name, StringRef Qualified, bool IsMethod,
                          ParamQuery HasParam) const {
  auto Holds = [&](const Api &A) {
    if (A.Form != ApiForm::Both && (A.Form == ApiForm::Method) != IsMethod)
      return false;
    if (!HasParam(A, ApiCondition()))
      return false;
    return llvm::all_of(A.When, [&](const ApiCondition &C) {
      return HasParam(A, C) != C.Absent;
    });
  };
  for (StringRef Key : {Qualified, Name})
    for (const Api *A : named(Key))
      if (Holds(*A))
        return A;
  return nullptr;
}

llvm::ArrayRef<const Api *> ApiModel::named(StringRef Name) const {
  auto It = ByName.find(Name);
  if (It == ByName.end())
    return {};
  return It->second;
}

const FieldApi *ApiModel::field(StringRef Qualified, bool Element) const {
  auto It = FieldsByName.find(Qualified);
  if (It != FieldsByName.end())
    for (const FieldApi *F : It->second)
      if (Element ? !F->Index.empty() : F->Index.empty() || F->All)
        return F;
  return nullptr;
}

llvm::ArrayRef<const ModuleApi *> ApiModel::modules(StringRef Qualified) const {
  auto It = ModulesByName.find(Qualified);
  if (It == ModulesByName.end())
    return {};
  return It->second;
}

bool ApiModel::isContiguous(StringRef Function, unsigned Index,
                            StringRef Name) const {
  auto It = Contracts.find(Function);
  return It != Contracts.end() &&
         llvm::any_of(It->second, [&](StringRef Param) {
           unsigned Position;
           return Param.getAsInteger(10, Position) ? Param == Name
                                                   : Position == Index;
         });
}

bool ApiModel::findSuffix(StringRef Name, Op &O) const {
  for (const auto &[Suffix, Meaning] : Suffixes)
    if (Name.size() > Suffix.size() && StringRef(Name).ends_with(Suffix) &&
        !Name.ends_with("__")) {
      O = Meaning;
      return true;
    }
  return false;
}

program::Attributes ApiModel::attributes(StringRef Name,
                                         bool IsOperation) const {
  program::Attributes All = Known.lookup(Name);
  for (const Pattern &P : KnownLike)
    if (P.Glob.match(Name))
      All |= P.Has;
  // What add() does, add_() and add_out() do.
  if (IsOperation)
    for (const auto &[Suffix, Meaning] : Suffixes)
      if (StringRef Plain = Name; Plain.consume_back(Suffix)) {
        All |= Known.lookup(Plain).inherited();
        break;
      }
  return All.of(IsOperation);
}
