//===- JsonText.cpp - JSON that others have written -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonText.h"
#include "StringError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <tuple>

using llvm::StringRef;
namespace json = llvm::json;

namespace tensortidy::tool {

/// Behind the string that begins at \p At.
static size_t endOfString(StringRef Text, size_t At) {
  for (size_t I = At + 1; I < Text.size(); ++I)
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == '"')
      return I + 1;
  return Text.size();
}

bool nestsTooDeep(StringRef Json) {
  constexpr unsigned MostLevels = 64;
  unsigned Level = 0;
  for (size_t I = 0; I < Json.size(); ++I) {
    const char C = Json[I];
    if (C == '"')
      I = endOfString(Json, I) - 1;
    else if ((C == '{' || C == '[') && ++Level > MostLevels)
      return true;
    else if ((C == '}' || C == ']') && Level)
      --Level;
  }
  return false;
}

/// \p Text with blanks where its comments are, so that every place stays where
/// it is.
static std::string blankComments(StringRef Text) {
  std::string Out = Text.str();
  const auto Blank = [&](size_t Begin, size_t End) {
    for (; Begin < std::min(End, Out.size()); ++Begin)
      if (!llvm::isSpace(Out[Begin]))
        Out[Begin] = ' ';
  };
  if (Text.starts_with("\xEF\xBB\xBF")) // a mark of UTF-8, from Windows
    Blank(0, 3);
  for (size_t I = 0; I < Text.size();) {
    const StringRef Rest = Text.substr(I);
    size_t End = I + 1;
    if (Rest.starts_with("//")) {
      Blank(I, End = Text.find('\n', I));
    } else if (Rest.starts_with("/*")) {
      End = Text.find("*/", I + 2);
      if (End == StringRef::npos)
        break; // it has no end, and is no JSON then
      Blank(I, End += 2);
    } else if (Rest.front() == '"') {
      End = endOfString(Text, I);
    }
    I = End;
  }
  return Out;
}

/// The same for commas behind the last item of a list or an object.
static std::string blankCommas(StringRef Json) {
  std::string Out = Json.str();
  size_t Comma = StringRef::npos; // behind an item, with nothing behind it
  char Before = '{';
  for (size_t I = 0; I < Json.size(); ++I) {
    const char C = Json[I];
    if (llvm::isSpace(C))
      continue;
    if ((C == '}' || C == ']') && Comma != StringRef::npos)
      Out[Comma] = ' ';
    const bool IsLast = C == ',' && !StringRef("{[,").contains(Before);
    Comma = IsLast ? I : StringRef::npos;
    Before = C;
    if (C == '"')
      I = endOfString(Json, I) - 1;
  }
  return Out;
}

namespace {

/// Where the members of the outermost object of \p Json stand, which is known
/// to be one.
struct Members {
  static constexpr size_t None = StringRef::npos;
  size_t FirstKey = None, LastValueEnd = None, Close = 0;
  size_t Value = None, ValueEnd = None; ///< of the key that is looked for

  Members(StringRef Json, StringRef Key) {
    unsigned Level = 0;
    bool IsKey = true, IsWanted = false;
    const auto EndValue = [&](size_t Begin, size_t End) {
      LastValueEnd = End;
      if (IsWanted)
        std::tie(Value, ValueEnd) = std::pair(Begin, End);
    };
    size_t Begin = 0; // of a value that has levels of its own
    for (size_t I = 0; I < Json.size();) {
      const char C = Json[I];
      size_t End = I + 1;
      if (C == '{' || C == '[') {
        if (++Level == 2)
          Begin = I;
      } else if (C == '}' || C == ']') {
        if (--Level == 1)
          EndValue(Begin, End);
        else if (Level == 0)
          Close = I;
      } else if (C == '"') {
        End = endOfString(Json, I);
        if (Level == 1 && IsKey) {
          FirstKey = std::min(FirstKey, I);
          auto Name = json::parse(Json.slice(I, End));
          IsWanted = Name && Name->getAsString() == Key;
          if (!Name)
            llvm::consumeError(Name.takeError());
        } else if (Level == 1) {
          EndValue(I, End);
        }
      } else if (Level == 1 && (C == ':' || C == ',')) {
        IsKey = C == ',';
      } else if (Level == 1 && !llvm::isSpace(C)) { // a number, true ...
        End = std::min(Json.find_first_of(",}] \t\r\n", I), Json.size());
        EndValue(I, End);
      }
      I = End;
    }
  }
};

} // namespace

llvm::Expected<std::string>
withMember(StringRef Text, StringRef Key, StringRef Value,
           llvm::function_ref<bool(StringRef)> MayReplace) {
  const std::string Member =
      llvm::formatv("{0}: {1}", json::Value(Key), json::Value(Value)).str();
  const StringRef NewLine = Text.contains("\r\n") ? "\r\n" : "\n";
  if (Text.trim().empty())
    return ("{" + NewLine + "  " + Member + NewLine + "}" + NewLine).str();
  const std::string WithCommas = blankComments(Text);
  const std::string Json = blankCommas(WithCommas);
  if (nestsTooDeep(Json))
    return stringError("it nests too deep");
  auto Parsed = json::parse(Json);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Top = Parsed->getAsObject();
  if (!Top)
    return stringError("it is no object");
  const Members M(Json, Key);
  if (const json::Value *Old = Top->get(Key)) {
    if (Old->getAsString() == Value)
      return Text.str();
    if (!MayReplace(Old->getAsString().value_or("")))
      return stringError("it has a " + Key + " already, " +
                         llvm::formatv("{0}", *Old).str());
    return (Text.take_front(M.Value) +
            llvm::formatv("{0}", json::Value(Value)).str() +
            Text.substr(M.ValueEnd))
        .str();
  }
  // Comments stay with what they stand behind.
  const StringRef Before = Text.take_front(M.Close).rtrim();
  std::string Out = Before.str();
  bool Trailing = false; // a comma behind the last member
  if (M.LastValueEnd != Members::None) {
    Trailing =
        StringRef(WithCommas).slice(M.LastValueEnd, M.Close).contains(',');
    if (!Trailing)
      Out.insert(M.LastValueEnd, ",");
  }
  StringRef Indent = "  ";
  if (M.FirstKey != Members::None) {
    const StringRef Line = Text.take_front(M.FirstKey);
    const StringRef Lead = Line.substr(Line.rfind('\n') + 1);
    if (Lead.trim().empty() && !Lead.empty())
      Indent = Lead;
  }
  const StringRef Rest = Text.substr(Before.size());
  Out += (NewLine + Indent + Member + (Trailing ? "," : "")).str();
  if (!Rest.take_until([](char C) { return C == '}'; }).contains('\n'))
    Out += NewLine;
  return Out + Rest.str();
}

} // namespace tensortidy::tool
