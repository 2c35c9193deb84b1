//===- Saved.cpp - torch::save() and torch::load() ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of libtorch's C++ interface: a zip archive with the elements of
// each storage, and one object in Python's pickle format whose attributes are
// the tensors:
//
//   NAME/data.pkl             __torch__.Module {"0": rebuild(storage "0", ...)}
//   NAME/data/0               elements
//   NAME/code/__torch__.py    which attributes there are
//
// Modules in modules are objects among the attributes, each of its own class.
//
// A pickle is a program for a machine with a stack; the part of it that
// describes data is understood here, and nothing it names is ever called.
//
//===----------------------------------------------------------------------===//

#include "io/Archive.h"
#include "core/Impl.h"
#include "tensortidy/io.h"
#include <cstring>
#include <istream>
#include <iterator>
#include <memory>
#include <ostream>

namespace tensortidy {

/// Tensors by name, and further trees.
struct detail::NamedTree {
  std::vector<std::pair<std::string, Tensor>> Tensors;
  std::vector<std::pair<std::string, std::shared_ptr<const NamedTree>>>
      Children;
};

using namespace detail;

namespace {

struct TypeName {
  ScalarType Type;
  const char *Name;
};
constexpr TypeName TypeNames[] = {
    {kFloat, "FloatStorage"}, {kDouble, "DoubleStorage"},
    {kHalf, "HalfStorage"},   {kBFloat16, "BFloat16Storage"},
    {kLong, "LongStorage"},   {kInt, "IntStorage"},
    {kShort, "ShortStorage"}, {kChar, "CharStorage"},
    {kByte, "ByteStorage"},   {kBool, "BoolStorage"}};

//===--- writing --------------------------------------------------------===//

/// Writes what the reader's machine does.
class Pickler {
public:
  Pickler() : Text("\x80\x02") {}
  void op(char C) { Text += C; }
  void string(const std::string &S) {
    op('X');
    putNumber(Text, S.size(), 4);
    Text += S;
  }
  void global(const std::string &Module, const std::string &Name) {
    Text += "c" + Module + "\n" + Name + "\n";
  }
  void number(int64_t N) {
    if (N >= 0 && N < 256) {
      op('K');
      putNumber(Text, static_cast<uint64_t>(N), 1);
    } else if (N >= INT32_MIN && N <= INT32_MAX) {
      op('J');
      putNumber(Text, static_cast<uint64_t>(N), 4);
    } else {
      Text += "\x8a\x08"; // of 8 bytes
      putNumber(Text, static_cast<uint64_t>(N), 8);
    }
  }
  void numbers(IntArrayRef L) {
    op('(');
    for (const int64_t N : L)
      number(N);
    op('t');
  }
  /// The place of a storage that comes again.
  void remember(uint64_t Place) {
    op('r');
    putNumber(Text, Place, 4);
  }
  void recall(uint64_t Place) {
    op('j');
    putNumber(Text, Place, 4);
  }
  std::string Text;
};

/// An archive of tensors while it is written.
class TreeWriter {
public:
  TreeWriter(const ArchiveWriter::Sink &Out, const char *Op, Site Here)
      : Archive(Out), Op(Op), Here(Here) {}
  void write(const NamedTree &Root) {
    object(Root, "Module");
    P.op('.');
    add("data.pkl", P.Text);
    add("code/__torch__.py", Code);
    add("constants.pkl", "\x80\x02).");
    add("version", "3\n");
    Archive.end();
  }

private:
  void add(const std::string &Name, std::string_view Data) {
    if (!Archive.add("archive/" + Name, {}, Data))
      fail(std::string(Op) + ": more than 4 GiB, or than 65534 storages", Here);
  }
  void object(const NamedTree &Tree, const std::string &Class) {
    std::string Names, Types;
    P.global("__torch__", Class);
    P.op(')');
    P.op('\x81');
    P.op('}');
    P.op('(');
    for (const auto &[Name, X] : Tree.Tensors) {
      Names += "\"" + Name + "\", ";
      Types += "  __annotations__[\"" + Name + "\"] = Tensor\n";
      P.string(Name);
      tensor(X);
    }
    for (const auto &[Name, Child] : Tree.Children) {
      const std::string Its = "Module" + std::to_string(++Classes);
      Types += "  __annotations__[\"" + Name + "\"] = __torch__." + Its + "\n";
      P.string(Name);
      object(*Child, Its);
    }
    P.op('u');
    P.op('b');
    Code += "class " + Class + "(Module):\n  __parameters__ = [" + Names +
            "]\n  __buffers__ = []\n  __annotations__ = []\n" + Types;
  }
  void tensor(const Tensor &X) {
    const TensorImpl &I = impl(X, Op, Here);
    const StorageImpl *S = I.Store;
    const char *Type = "";
    for (const TypeName &T : TypeNames)
      if (T.Type == I.Type)
        Type = T.Name;
    P.global("torch._utils", "_rebuild_tensor_v2");
    P.op('(');
    size_t Place = 0;
    while (Place < Known.size() && Known[Place] != std::pair(S, I.Type))
      ++Place;
    if (Place < Known.size()) {
      P.recall(Place);
    } else {
      P.op('(');
      P.string("storage");
      P.global("torch", Type);
      P.string(std::to_string(Place));
      P.string("cpu");
      P.number(static_cast<int64_t>(S->Bytes / elementSize(I.Type)));
      P.op('t');
      P.op('Q');
      P.remember(Place);
      Known.emplace_back(S, I.Type);
      add("data/" + std::to_string(Place), {S->Data, S->Bytes});
    }
    P.number(I.L.Offset);
    P.numbers(ref(I.L.Sizes));
    P.numbers(ref(I.L.Strides));
    P.op(I.Grad ? '\x88' : '\x89');
    P.global("collections", "OrderedDict");
    P.op(')');
    P.op('R');
    P.op('t');
    P.op('R');
  }

  ArchiveWriter Archive;
  const char *Op;
  const Site Here;
  Pickler P;
  std::string Code;
  int Classes = 0;
  // A storage that is seen as two types is written twice.
  std::vector<std::pair<const StorageImpl *, ScalarType>> Known;
};

//===--- reading --------------------------------------------------------===//

struct Value;
using Shared = std::shared_ptr<Value>;
/// What stands on the machine's stack. Lists and the like are shared, since
/// they are filled after they were remembered.
struct Value {
  enum {
    None,
    Number,
    String,
    Global,
    Sequence,
    Dict,
    Storage,
    Tensor
  } Kind = None;
  int64_t N = 0;             ///< numbers and bools
  std::string Text;          ///< strings; the module and name of a global
  std::vector<Shared> Parts; ///< of sequences; keys and values of dicts
  tensortidy::Tensor X;      ///< the tensor, or one on the storage
};

class Unpickler {
public:
  Unpickler(const ArchiveReader &From, const std::string &Root, Site Here)
      : From(From), Root(Root), Here(Here), Code(entry(Root + "data.pkl")) {}

  Shared run() {
    if (take(2) != std::string_view("\x80\x02"))
      bad("has another version of the format");
    while (true) {
      const char Op = take(1)[0];
      if (Op == '.')
        return pop();
      step(Op);
    }
  }

private:
  [[noreturn]] void bad(const std::string &What) const {
    throw Error(From.name() + ": '" + Root + "data.pkl' " + What + place(Here));
  }
  std::string entry(const std::string &Name) const {
    for (const ArchiveEntry &E : From.entries())
      if (E.Name == Name)
        return From.contents(E);
    throw Error(From.name() + ": there is no '" + Name + "' in it" +
                place(Here));
  }
  std::string_view take(size_t Bytes) {
    if (Bytes > Code.size() - At)
      bad("is cut short");
    const std::string_view R = std::string_view(Code).substr(At, Bytes);
    At += Bytes;
    return R;
  }
  uint64_t takeNumber(int Bytes) {
    return getNumber(take(static_cast<size_t>(Bytes)), 0, Bytes);
  }
  std::string takeLine() {
    const size_t End = Code.find('\n', At);
    if (End == std::string::npos)
      bad("is cut short");
    std::string R = Code.substr(At, End - At);
    At = End + 1;
    return R;
  }
  void push(Value V) { Stack.push_back(std::make_shared<Value>(std::move(V))); }
  void pushNumber(int64_t N) {
    Value V;
    V.Kind = Value::Number;
    V.N = N;
    push(std::move(V));
  }
  void pushParts(decltype(Value::Kind) Kind, std::vector<Shared> Parts) {
    Value V;
    V.Kind = Kind;
    V.Parts = std::move(Parts);
    push(std::move(V));
  }
  Shared pop() {
    if (Stack.empty() || (!Marks.empty() && Marks.back() == Stack.size()))
      bad("takes from an empty stack");
    Shared R = std::move(Stack.back());
    Stack.pop_back();
    return R;
  }
  std::vector<Shared> popToMark() {
    if (Marks.empty())
      bad("lacks a mark");
    const auto First = Stack.begin() + static_cast<long>(Marks.back());
    std::vector<Shared> R(First, Stack.end());
    Stack.erase(First, Stack.end());
    Marks.pop_back();
    return R;
  }
  std::vector<Shared> popSome(size_t N) {
    std::vector<Shared> R(N);
    while (N-- > 0)
      R[N] = pop();
    return R;
  }
  Value &top(decltype(Value::Kind) Kind) {
    if (Stack.empty() || Stack.back()->Kind != Kind)
      bad("fills what is no list and no dictionary");
    return *Stack.back();
  }
  void fill(decltype(Value::Kind) Kind, const std::vector<Shared> &Parts) {
    auto &To = top(Kind).Parts;
    if (Kind == Value::Dict && Parts.size() % 2)
      bad("has a key without a value");
    To.insert(To.end(), Parts.begin(), Parts.end());
  }
  void recall(uint64_t Place) {
    if (Place >= Memo.size() || !Memo[Place])
      bad("asks for what it did not remember");
    Stack.push_back(Memo[Place]);
  }
  void remember(uint64_t Place) {
    if (Stack.empty() || Place > Code.size())
      bad("remembers nothing");
    if (Memo.size() <= Place)
      Memo.resize(Place + 1);
    Memo[Place] = Stack.back();
  }

  void step(char Op) {
    switch (Op) {
    case '(':
      Marks.push_back(Stack.size());
      return;
    case ')':
    case ']':
      return pushParts(Value::Sequence, {});
    case '}':
      return pushParts(Value::Dict, {});
    case 't':
      return pushParts(Value::Sequence, popToMark());
    case '\x85':
    case '\x86':
    case '\x87':
      return pushParts(Value::Sequence,
                       popSome(static_cast<unsigned char>(Op) - 0x84U));
    case 'a':
      return fill(Value::Sequence, popSome(1));
    case 'e':
      return fill(Value::Sequence, popToMark());
    case 's':
      return fill(Value::Dict, popSome(2));
    case 'u':
      return fill(Value::Dict, popToMark());
    case 'N':
      return push({});
    case '\x88':
      return pushNumber(1);
    case '\x89':
      return pushNumber(0);
    case 'K':
      return pushNumber(static_cast<int64_t>(takeNumber(1)));
    case 'M':
      return pushNumber(static_cast<int64_t>(takeNumber(2)));
    case 'J':
      return pushNumber(static_cast<int32_t>(takeNumber(4)));
    case 'G': // a float, which no tensor is made of
      take(8);
      return push({});
    case '\x8a': {
      const auto Bytes = static_cast<int>(takeNumber(1));
      if (Bytes > 8)
        bad("has an integer of more than 64 bits");
      const uint64_t N = takeNumber(Bytes);
      const int Rest = 64 - 8 * Bytes;
      return pushNumber(Bytes ? static_cast<int64_t>(N << Rest) >> Rest : 0);
    }
    case 'X': {
      Value V;
      V.Kind = Value::String;
      V.Text = take(takeNumber(4));
      return push(std::move(V));
    }
    case 'c': {
      Value V;
      V.Kind = Value::Global;
      V.Text = takeLine();
      V.Text += "." + takeLine();
      return push(std::move(V));
    }
    case 'q':
      return remember(takeNumber(1));
    case 'r':
      return remember(takeNumber(4));
    case 'h':
      return recall(takeNumber(1));
    case 'j':
      return recall(takeNumber(4));
    case '\x81': // an object, which BUILD gives its attributes
      popSome(2);
      return push({});
    case 'b': {
      Shared State = pop();
      pop();
      Stack.push_back(std::move(State));
      return;
    }
    case 'Q':
      return storage();
    case 'R':
      return call();
    default:
      bad("has the instruction " +
          std::to_string(static_cast<unsigned char>(Op)) +
          ", which describes no tensors");
    }
  }

  /// ("storage", type, name, device, elements)
  void storage() {
    const Shared Id = pop();
    const auto &P = Id->Parts;
    if (P.size() < 5 || P[1]->Kind != Value::Global ||
        P[2]->Kind != Value::String || P[4]->Kind != Value::Number)
      bad("has a storage that is none");
    for (const TypeName &T : TypeNames)
      if (P[1]->Text == std::string("torch.") + T.Name) {
        const std::string Name = Root + "data/" + P[2]->Text,
                          Data = entry(Name);
        const auto Size = elementSize(T.Type);
        // In bytes only what the file has: its numbers may be damaged.
        if (P[4]->N < 0 || static_cast<uint64_t>(P[4]->N) > Data.size() / Size)
          throw Error(From.name() + ": '" + Name + "' has " +
                      std::to_string(Data.size()) + " bytes for " +
                      std::to_string(P[4]->N) + " elements of " +
                      toString(T.Type) + place(Here));
        Value V;
        V.Kind = Value::Storage;
        V.X = allocateDense({P[4]->N}, T.Type, "load", Here);
        if (P[4]->N)
          std::memcpy(impl(V.X).data(), Data.data(),
                      static_cast<size_t>(P[4]->N) * Size);
        return push(std::move(V));
      }
    bad("has elements of type " + P[1]->Text + ", which this library lacks");
  }
  /// Tensors are made here; what else is called becomes nothing.
  void call() {
    const Shared Arguments = pop(), Function = pop();
    const auto &P = Arguments->Parts;
    if (Function->Kind != Value::Global ||
        Function->Text != "torch._utils._rebuild_tensor_v2") {
      if (Function->Text == "torch._utils._rebuild_qtensor" ||
          Function->Text == "torch._utils._rebuild_sparse_tensor")
        bad("has a quantized or sparse tensor, which this library lacks");
      return push({});
    }
    if (P.size() < 5 || P[0]->Kind != Value::Storage ||
        P[1]->Kind != Value::Number || P[2]->Kind != Value::Sequence ||
        P[3]->Kind != Value::Sequence || P[4]->Kind != Value::Number)
      bad("has a tensor that is none");
    auto Numbers = [&](const Value &V) {
      std::vector<int64_t> R;
      for (const Shared &N : V.Parts) {
        if (N->Kind != Value::Number)
          bad("has a tensor whose sizes are no numbers");
        R.push_back(N->N);
      }
      return R;
    };
    Value V;
    V.Kind = Value::Tensor;
    // Sizes, strides and offset must lie in the storage.
    V.X = P[0]->X.as_strided(Numbers(*P[2]), Numbers(*P[3]), P[1]->N, Here);
    impl(V.X).Op = "load";
    if (P[4]->N)
      V.X.set_requires_grad(true);
    push(std::move(V));
  }

  const ArchiveReader &From;
  const std::string Root;
  const Site Here;
  const std::string Code;
  size_t At = 0;
  std::vector<Shared> Stack, Memo;
  std::vector<size_t> Marks;
};

std::shared_ptr<const NamedTree> treeOf(const Value &Object) {
  auto R = std::make_shared<NamedTree>();
  for (size_t K = 0; K + 1 < Object.Parts.size(); K += 2) {
    const std::string &Name = Object.Parts[K]->Text;
    const Value &V = *Object.Parts[K + 1];
    if (V.Kind == Value::Tensor)
      R->Tensors.emplace_back(Name, V.X);
    else if (V.Kind == Value::Dict)
      R->Children.emplace_back(Name, treeOf(V));
  }
  return R;
}
/// The attributes of the object in an archive that are tensors.
std::shared_ptr<const NamedTree> read(const ArchiveReader &From, Site Here) {
  const std::string File = "/data.pkl";
  for (const ArchiveEntry &E : From.entries())
    if (E.Name.size() > File.size() &&
        E.Name.find('/') + File.size() == E.Name.size() &&
        E.Name.compare(E.Name.size() - File.size(), File.size(), File) == 0) {
      const std::string Root = E.Name.substr(0, E.Name.size() - 8);
      const Shared All = Unpickler(From, Root, Here).run();
      return All->Kind == Value::Dict ? treeOf(*All)
                                      : std::make_shared<NamedTree>();
    }
  throw Error(From.name() +
              " was not written by torch::save(): it has no "
              "data.pkl" +
              place(Here));
}
std::shared_ptr<const NamedTree> read(const std::string &File, Site Here) {
  InFile F(File);
  return read(ArchiveReader(F), Here);
}
std::shared_ptr<const NamedTree> read(std::istream &Stream, Site Here) {
  const std::string Data{std::istreambuf_iterator<char>(Stream), {}};
  return read(ArchiveReader("the stream", Data), Here);
}
void write(const NamedTree &Tree, const std::string &File, Site Here) {
  OutFile F(File);
  TreeWriter([&](std::string_view Text) { F.write(Text.data(), Text.size()); },
             "save", Here)
      .write(Tree);
  F.commit();
}
void write(const NamedTree &Tree, std::ostream &Stream, Site Here) {
  TreeWriter(
      [&](std::string_view Text) {
        Stream.write(Text.data(), static_cast<std::streamsize>(Text.size()));
      },
      "save", Here)
      .write(Tree);
  if (!Stream)
    fail("save: the stream cannot be written", Here);
}

/// In place of a tensor that is there, as libtorch does: other handles of it
/// see what was loaded.
bool assign(Tensor &To, const NamedTree &From, const std::string &Key,
            Site Here) {
  for (const auto &[Name, X] : From.Tensors)
    if (Name == Key) {
      if (!To.defined()) {
        To = X;
        return true;
      }
      if (impl(To).Type != impl(X).Type)
        fail(std::string("load: the file has elements of ") +
                 toString(impl(X).Type) + ", the tensor is " +
                 toString(impl(To).Type),
             To, Here);
      To.set_(X, Here);
      return true;
    }
  return false;
}
void assign(Tensor &To, const NamedTree &From, Site Here) {
  if (!assign(To, From, "0", Here))
    fail("load: there is no tensor in the file", Here);
}
void append(std::vector<Tensor> &To, const NamedTree &From) {
  for (size_t K = 0;; ++K) {
    const size_t Before = To.size();
    for (const auto &[Name, X] : From.Tensors)
      if (Name == std::to_string(K))
        To.push_back(X);
    if (To.size() == Before)
      return;
  }
}
NamedTree numbered(const std::vector<Tensor> &Tensors) {
  NamedTree R;
  for (const Tensor &X : Tensors)
    R.Tensors.emplace_back(std::to_string(R.Tensors.size()), X);
  return R;
}

} // namespace

void save(const Tensor &value, const std::string &file, Site Here) {
  write(numbered({value}), file, Here);
}
void save(const Tensor &value, std::ostream &stream, Site Here) {
  write(numbered({value}), stream, Here);
}
void save(const std::vector<Tensor> &values, const std::string &file,
          Site Here) {
  write(numbered(values), file, Here);
}
void save(const std::vector<Tensor> &values, std::ostream &stream, Site Here) {
  write(numbered(values), stream, Here);
}
void load(Tensor &value, const std::string &file, Site Here) {
  assign(value, *read(file, Here), Here);
}
void load(Tensor &value, std::istream &stream, Site Here) {
  assign(value, *read(stream, Here), Here);
}
void load(std::vector<Tensor> &values, const std::string &file, Site Here) {
  append(values, *read(file, Here));
}
void load(std::vector<Tensor> &values, std::istream &stream, Site Here) {
  append(values, *read(stream, Here));
}

namespace serialize {

OutputArchive::OutputArchive() : Content(std::make_shared<NamedTree>()) {}
void OutputArchive::write(const std::string &key, const Tensor &tensor, bool) {
  Content->Tensors.emplace_back(key, tensor);
}
void OutputArchive::write(const std::string &key,
                          OutputArchive &nested_archive) {
  Content->Children.emplace_back(key, nested_archive.Content);
}
void OutputArchive::save_to(const std::string &filename, Site Here) {
  tensortidy::write(*Content, filename, Here);
}
void OutputArchive::save_to(std::ostream &stream, Site Here) {
  tensortidy::write(*Content, stream, Here);
}
InputArchive::InputArchive() : Content(std::make_shared<NamedTree>()) {}
void InputArchive::load_from(const std::string &filename, optional<Device>,
                             Site Here) {
  Content = tensortidy::read(filename, Here);
}
void InputArchive::load_from(std::istream &stream, optional<Device>,
                             Site Here) {
  Content = tensortidy::read(stream, Here);
}
bool InputArchive::try_read(const std::string &key, Tensor &tensor, bool) {
  return assign(tensor, *Content, key, Site::none());
}
void InputArchive::read(const std::string &key, Tensor &tensor,
                        bool is_buffer) {
  if (!try_read(key, tensor, is_buffer))
    throw Error("No such serialized tensor '" + key + "'");
}
bool InputArchive::try_read(const std::string &key, InputArchive &archive) {
  for (const auto &[Name, Child] : Content->Children)
    if (Name == key) {
      archive.Content = Child;
      return true;
    }
  return false;
}
void InputArchive::read(const std::string &key, InputArchive &archive) {
  if (!try_read(key, archive))
    throw Error("No such serialized submodule: '" + key + "'");
}
std::vector<std::string> InputArchive::keys() const {
  std::vector<std::string> R;
  for (const auto &[Name, X] : Content->Tensors)
    R.push_back(Name);
  for (const auto &[Name, Child] : Content->Children)
    R.push_back(Name);
  return R;
}

} // namespace serialize

} // namespace tensortidy
