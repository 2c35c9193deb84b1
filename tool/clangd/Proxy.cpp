//===- Proxy.cpp - stands between the editor and clangd -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proxy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

using llvm::StringRef;
namespace json = llvm::json;

namespace tensortidy::tool {

//===----------------------------------------------------------------------===//
// Framing: "Content-Length: N\r\n\r\n" and N bytes
//===----------------------------------------------------------------------===//

namespace {

class Reader {
public:
  explicit Reader(int File) : File(File) {}

  /// The next message's body; false at the end, or when it is no message: what
  /// was read of it is then `rest()`.
  bool next(std::string &Body) {
    size_t Head;
    while ((Head = Buffer.find("\r\n\r\n")) == std::string::npos)
      if (!more())
        return false;
    size_t Length = 0;
    bool Known = false;
    llvm::SmallVector<StringRef, 4> Lines;
    StringRef(Buffer).take_front(Head).split(Lines, "\r\n");
    for (StringRef Line : Lines)
      if (Line.consume_front_insensitive("content-length:"))
        Known = !Line.trim().getAsInteger(10, Length);
    if (!Known)
      return false;
    while (Buffer.size() < Head + 4 + Length)
      if (!more())
        return false;
    Body = Buffer.substr(Head + 4, Length);
    Buffer.erase(0, Head + 4 + Length);
    return true;
  }

  bool more() {
    char Chunk[1 << 16];
    ssize_t N;
    do
      N = ::read(File, Chunk, sizeof Chunk);
    while (N < 0 && errno == EINTR);
    if (N <= 0)
      return false;
    Buffer.append(Chunk, static_cast<size_t>(N));
    return true;
  }

  std::string &rest() { return Buffer; }

private:
  const int File;
  std::string Buffer;
};

bool writeAll(int File, StringRef Data) {
  while (!Data.empty()) {
    ssize_t N = ::write(File, Data.data(), Data.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Data = Data.drop_front(static_cast<size_t>(N));
  }
  return true;
}

bool writeMessage(int File, StringRef Body) {
  return writeAll(
      File, ("Content-Length: " + llvm::Twine(Body.size()) + "\r\n\r\n" + Body)
                .str());
}

/// Passes on whatever is no message any more, so that clangd reports it.
void relayRest(Reader &In, int To) {
  do {
    if (!writeAll(To, In.rest()))
      return;
    In.rest().clear();
  } while (In.more());
}

std::string idOf(const json::Object &Message) {
  const json::Value *Id = Message.get("id");
  return Id ? llvm::formatv("{0}", *Id).str() : std::string();
}

/// The path of a file: URI, or empty.
std::string pathOf(StringRef Uri) {
  if (!Uri.consume_front("file://"))
    return "";
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    if (Uri[I] == '%' && I + 2 < Uri.size() && llvm::isHexDigit(Uri[I + 1]) &&
        llvm::isHexDigit(Uri[I + 2])) {
      Path += static_cast<char>(llvm::hexFromNibbles(Uri[I + 1], Uri[I + 2]));
      I += 2;
    } else {
      Path += Uri[I];
    }
  }
  return Path;
}

/// Whether an editor that says so in "initialize" shows hovers as they are.
/// Without a word it does, as in clangd.
bool wantsPlainHover(const json::Object *Params) {
  const json::Object *O = Params ? Params->getObject("capabilities") : nullptr;
  O = O ? O->getObject("textDocument") : nullptr;
  O = O ? O->getObject("hover") : nullptr;
  const json::Array *Formats = O ? O->getArray("contentFormat") : nullptr;
  return !Formats || Formats->empty() ||
         Formats->front().getAsString() != StringRef("markdown");
}

std::string withoutMarkup(StringRef Markdown) {
  std::string R;
  while (!Markdown.empty()) {
    if (Markdown.consume_front("**") || Markdown.consume_front("`"))
      continue;
    if (Markdown.starts_with("  \n"))
      Markdown = Markdown.drop_front(2);
    R += Markdown.front();
    Markdown = Markdown.drop_front();
  }
  return R;
}

/// What one .clangd says about hints, if it does so for all files.
std::optional<bool> hintsAllowedBy(StringRef Text) {
  std::optional<bool> R;
  llvm::SourceMgr Sources;
  Sources.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
  llvm::yaml::Stream Stream(Text, Sources);
  for (llvm::yaml::Document &D : Stream) {
    bool ForSome = false;
    std::optional<bool> Says;
    auto *Map = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(D.getRoot());
    if (!Map)
      continue;
    auto EachPair = [](llvm::yaml::MappingNode &M, auto Do) {
      for (llvm::yaml::KeyValueNode &Pair : M) {
        auto *Key =
            llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Pair.getKey());
        llvm::SmallString<32> Storage;
        if (Key)
          Do(Key->getValue(Storage), Pair.getValue());
        Pair.skip();
      }
    };
    EachPair(*Map, [&](StringRef Key, llvm::yaml::Node *Value) {
      ForSome |= Key == "If";
      auto *Hints = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(Value);
      if (Key != "InlayHints" || !Hints)
        return;
      EachPair(*Hints, [&](StringRef Name, llvm::yaml::Node *Value) {
        auto *Scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Value);
        llvm::SmallString<32> Storage;
        if (Name == "Enabled" && Scalar)
          Says = llvm::yaml::parseBool(Scalar->getValue(Storage));
      });
    });
    if (!ForSome && Says)
      R = Says;
  }
  return R;
}

/// clangd's own switch holds for our hints as well: the nearest .clangd that
/// has `InlayHints: Enabled`.
bool hintsAllowed(StringRef File) {
  for (StringRef Dir = llvm::sys::path::parent_path(File); !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir)) {
    llvm::SmallString<256> Path(Dir);
    llvm::sys::path::append(Path, ".clangd");
    auto Text = llvm::MemoryBuffer::getFile(Path);
    if (auto Says = Text ? hintsAllowedBy((*Text)->getBuffer()) : std::nullopt)
      return *Says;
  }
  return true;
}

unsigned number(const json::Object *O, StringRef Key, unsigned Default) {
  auto N = O ? O->getInteger(Key) : std::nullopt;
  return N && *N >= 0 && *N < (1ll << 31) ? static_cast<unsigned>(*N) : Default;
}

} // namespace

//===----------------------------------------------------------------------===//
// Relaying
//===----------------------------------------------------------------------===//

bool Proxy::start() {
  int In[2], Out[2];
  if (::pipe(In) != 0 || ::pipe(Out) != 0)
    return false;
  int RealIn = ::dup(STDIN_FILENO);
  RealOut = ::dup(STDOUT_FILENO);
  if (RealIn < 0 || RealOut < 0 || ::dup2(In[0], STDIN_FILENO) < 0 ||
      ::dup2(Out[1], STDOUT_FILENO) < 0)
    return false;
  ::close(In[0]);
  ::close(Out[1]);
  Requests = std::thread([this, RealIn, To = In[1]] {
    relayRequests(RealIn, To);
    ::close(To); // clangd sees the end of its input
  });
  Answers = std::thread([this, From = Out[0]] { relayAnswers(From, RealOut); });
  return true;
}

void Proxy::finish() {
  ::close(STDOUT_FILENO);
  if (Answers.joinable())
    Answers.join();
  // The editor may keep its end open after "exit": nobody waits for more.
  if (Requests.joinable())
    Requests.detach();
}

void Proxy::relayRequests(int From, int To) {
  Reader In(From);
  std::string Body;
  while (In.next(Body)) {
    // Looked at before it is passed on: the answer may come at once.
    // Some editors write the slash of a method as "\/".
    if (StringRef(Body).contains("textDocument")) { // also in "initialize"
      auto Message = json::parse(Body);
      if (!Message)
        llvm::consumeError(Message.takeError()); // clangd will complain
      else if (json::Object *O = Message->getAsObject()) {
        noteRequest(*O);
        if (restoreMessages(*O))
          Body = llvm::formatv("{0}", *Message).str();
      }
    }
    if (!writeMessage(To, Body))
      return;
  }
  relayRest(In, To);
}

void Proxy::noteRequest(const json::Object &Message) {
  auto Method = Message.getString("method");
  const json::Object *Params = Message.getObject("params");
  const json::Object *Document =
      Params ? Params->getObject("textDocument") : nullptr;
  auto Uri = Document ? Document->getString("uri") : std::nullopt;
  if (Method && *Method == "initialize") {
    std::lock_guard<std::mutex> Lock(Mutex);
    PlainHover = wantsPlainHover(Params);
  }
  if (!Method || !Uri)
    return;
  if (*Method == "textDocument/didClose")
    return Layouts.drop(pathOf(*Uri));
  Request R;
  R.Method = Method->str();
  R.File = pathOf(*Uri);
  if (*Method == "textDocument/hover") {
    const json::Object *At = Params->getObject("position");
    R.Line = number(At, "line", 0);
    R.Character = number(At, "character", 0);
  } else if (*Method == "textDocument/inlayHint") {
    const json::Object *Range = Params->getObject("range");
    R.Line = number(Range ? Range->getObject("start") : nullptr, "line", 0);
    R.LastLine = number(Range ? Range->getObject("end") : nullptr, "line", ~0u);
  } else {
    return;
  }
  std::lock_guard<std::mutex> Lock(Mutex);
  Pending[idOf(Message)] = std::move(R);
}

void Proxy::relayAnswers(int From, int To) {
  Reader In(From);
  std::string Body;
  while (In.next(Body)) {
    bool Interesting = StringRef(Body).contains("\"tensor-") ||
                       StringRef(Body).contains("ffsetEncoding") ||
                       StringRef(Body).contains("positionEncoding");
    if (!Interesting) {
      std::lock_guard<std::mutex> Lock(Mutex);
      Interesting = !Pending.empty();
    }
    if (Interesting) {
      auto Message = json::parse(Body);
      if (!Message)
        llvm::consumeError(Message.takeError());
      else if (json::Object *O = Message->getAsObject(); O && amend(*O))
        Body = llvm::formatv("{0}", *Message).str();
    }
    if (!writeMessage(To, Body))
      break; // the editor is gone; clangd notices by its input
  }
  relayRest(In, To);
}

//===----------------------------------------------------------------------===//
// What is added
//===----------------------------------------------------------------------===//

/// Calls \p Do with each diagnostic of ours in \p List and its message;
/// true if there is one.
static bool forOurs(json::Array *List,
                    llvm::function_ref<void(json::Object &, std::string)> Do) {
  bool Any = false;
  if (!List)
    return Any;
  for (json::Value &V : *List) {
    json::Object *D = V.getAsObject();
    auto Code = D ? D->getString("code") : std::nullopt;
    auto Text = D ? D->getString("message") : std::nullopt;
    if (!Code || !Code->starts_with("tensor-") || !Text || Text->empty())
      continue;
    Do(*D, Text->str());
    Any = true;
  }
  return Any;
}

bool Proxy::amendDiagnostics(json::Object &Message) {
  json::Object *Params = Message.getObject("params");
  return forOurs(
      Params ? Params->getArray("diagnostics") : nullptr,
      [&](json::Object &D, std::string Text) {
        if (!DocsUrl.empty())
          D["codeDescription"] = json::Object{
              {"href", DocsUrl + D.getString("code")->str() + ".md"}};
        D["source"] = "tensortidy";
        // clangd writes "View(...)"; but it is a name.
        Text[0] = llvm::toLower(Text[0]);
        D["message"] = std::move(Text);
        if (json::Array *Related = D.getArray("relatedInformation"))
          for (json::Value &V : *Related)
            if (json::Object *Note = V.getAsObject())
              if (auto Words = Note->getString("message");
                  Words && !Words->empty())
                (*Note)["message"] =
                    llvm::toLower(Words->front()) + Words->drop_front().str();
      });
}

bool Proxy::restoreMessages(json::Object &Message) {
  json::Object *Params = Message.getObject("params");
  json::Object *Context = Params ? Params->getObject("context") : nullptr;
  return forOurs(Context ? Context->getArray("diagnostics") : nullptr,
                 [](json::Object &D, std::string Text) {
                   Text[0] = llvm::toUpper(Text[0]);
                   D["message"] = std::move(Text);
                 });
}

/// Ours stand behind the type that clangd shows at the same place, if it does.
static void addHints(json::Array &Hints, json::Array Ours) {
  auto PlaceOf = [](const json::Object &Hint) {
    const json::Object *At = Hint.getObject("position");
    return At ? std::pair(number(At, "line", ~0u), number(At, "character", ~0u))
              : std::pair(~0u, ~0u);
  };
  std::map<std::pair<unsigned, unsigned>, size_t> Types;
  for (size_t I = 0; I < Hints.size(); ++I)
    if (const json::Object *H = Hints[I].getAsObject();
        H && H->getInteger("kind") == 1)
      Types.emplace(PlaceOf(*H), I);
  for (json::Value &V : Ours) {
    json::Object &New = *V.getAsObject();
    auto It = Types.find(PlaceOf(New));
    if (It == Types.end()) {
      Hints.push_back(std::move(V));
      continue;
    }
    json::Object &H = *Hints[It->second].getAsObject();
    std::string Text = New.getString("label")->drop_front(1).str();
    if (json::Array *Parts = H.getArray("label"))
      Parts->push_back(json::Object{{"value", Text}});
    else if (auto Label = H.getString("label"))
      H["label"] = Label->str() + Text;
    H["tooltip"] = std::move(*New.get("tooltip"));
  }
}

bool Proxy::amend(json::Object &Message) {
  if (auto Method = Message.getString("method"))
    return *Method == "textDocument/publishDiagnostics" &&
           amendDiagnostics(Message);
  json::Value *Result = Message.get("result");
  if (!Result)
    return false;
  Request R;
  bool Plain = false;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (const json::Object *O = Result->getAsObject()) {
      auto Encoding = O->getString("offsetEncoding");
      if (const json::Object *C = O->getObject("capabilities"))
        if (auto Standard = C->getString("positionEncoding"))
          Encoding = Standard;
      if (Encoding)
        Unit = *Encoding == "utf-8"    ? OffsetUnit::Utf8
               : *Encoding == "utf-32" ? OffsetUnit::Utf32
                                       : OffsetUnit::Utf16;
    }
    auto It = Pending.find(idOf(Message));
    if (It == Pending.end())
      return false;
    R = std::move(It->second);
    Pending.erase(It);
    Plain = PlainHover;
  }
  if (R.Method == "textDocument/inlayHint") {
    json::Array Hints = Layouts.hints(R.File, R.Line, R.LastLine, Unit);
    if (Hints.empty() || !(Result->getAsArray() || Result->getAsNull()) ||
        !hintsAllowed(R.File))
      return false;
    if (json::Array *Have = Result->getAsArray())
      addHints(*Have, std::move(Hints));
    else
      *Result = std::move(Hints);
    return true;
  }
  auto Known = Layouts.hover(R.File, R.Line, R.Character, Unit);
  if (!Known)
    return false;
  if (json::Object *Hover = Result->getAsObject()) {
    json::Object *Contents = Hover->getObject("contents");
    auto Value = Contents ? Contents->getString("value") : std::nullopt;
    if (!Value)
      return false;
    bool Markdown = Contents->getString("kind") == StringRef("markdown");
    (*Contents)["value"] =
        Value->str() + (Markdown ? "\n\n---\n" + Known->Markdown
                                 : "\n\n" + withoutMarkup(Known->Markdown));
    return true;
  }
  if (Plain) {
    *Result = json::Object{
        {"contents", json::Object{{"kind", "plaintext"},
                                  {"value", withoutMarkup(Known->Markdown)}}},
        {"range", std::move(Known->Range)}};
    return true;
  }
  *Result = json::Object{{"contents", json::Object{{"kind", "markdown"},
                                                   {"value", Known->Markdown}}},
                         {"range", std::move(Known->Range)}};
  return true;
}

} // namespace tensortidy::tool
