//===- Completion.cpp - completion of command lines -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "Analysis/Facts/Finding.h"
#include "Options.h"
#include "Output/Formats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// What an option's value is, and so what a shell offers for it.
enum class Kind { Flag, File, Folder, Checks, Word, Other };

Kind kindOf(const OptionInfo &O) {
  return llvm::StringSwitch<Kind>(O.Value)
      .Case("", Kind::Flag)
      .Case("FILE", Kind::File)
      .Case("DIR", Kind::Folder)
      .Case("GLOBS", Kind::Checks)
      .Case("FORMAT", Kind::Word)
      .Case("SHELL", Kind::Word)
      .Default(Kind::Other);
}

/// The words of an option of Kind::Word, and the values of a flag.
std::string wordsOf(const OptionInfo &O) {
  if (StringRef(O.Value) == "SHELL")
    return "bash zsh fish";
  if (StringRef(O.Value) == "FORMAT") {
    std::string Names = formatNames();
    llvm::erase_if(Names, [](char C) { return C == ','; });
    return Names;
  }
  return "0 1";
}

std::string checkNames() {
  std::string Names;
  for (const analysis::CheckInfo &C : analysis::checks())
    Names += (Names.empty() ? "" : " ") + std::string(C.Name);
  return Names;
}

/// `explain`, `init` ...: in the usage they stand where options otherwise do.
std::string commandNames() {
  std::string Names;
  const std::string Help = helpText();
  StringRef Usage = StringRef(Help).split("\n\n").first;
  while (!Usage.empty()) {
    auto [Line, Rest] = Usage.split('\n');
    Usage = Rest;
    StringRef Word = Line.split("tensortidy ").second.take_while(llvm::isAlpha);
    if (!Word.empty() &&
        (" " + Names + " ").find((" " + Word + " ").str()) == std::string::npos)
      Names += (Names.empty() ? "" : " ") + Word.str();
  }
  return Names;
}

/// \p Text with a backslash before each of \p Special.
std::string escaped(StringRef Text, StringRef Special) {
  std::string R;
  for (char C : Text) {
    if (Special.contains(C))
      R += '\\';
    R += C;
  }
  return R;
}

/// As one word of a shell.
std::string quoted(StringRef Text) {
  std::string R = "'";
  for (char C : Text)
    R += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return R + "'";
}

/// Either spelling of an option, which may have one dash or two.
std::string bothSpellings(StringRef Spelling) {
  StringRef Name = Spelling.ltrim('-');
  return ("-" + Name + "|--" + Name).str();
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

// Without the functions of bash-completion, which not everybody has.
constexpr char BashHead[] =
    R"sh(# Completes command lines of tensortidy in bash.
_tensortidy() {
  local cur=${COMP_WORDS[COMP_CWORD]} option='' kind='' words='' before='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then # the compiler's flags
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      return
    fi
  done
  # bash makes three words of --option=value, unless COMP_WORDBREAKS says other.
  if [[ $cur == -*=* ]]; then
    option=${cur%%=*} before=${cur%%=*}= cur=${cur#*=}
  elif [[ $cur == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-1]} cur=''
  elif ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  fi
  local joined=$option
  [[ $option ]] || option=${COMP_WORDS[COMP_CWORD-1]}
  case $option in
)sh";
constexpr char BashTail[] = R"sh(  esac
  case $kind in
  flag)
    if [[ $joined ]]; then words='0 1'; else kind=''; fi ;;
  file)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
  folder)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
  checks) # a list: -*,tensor-view-after-permute
    local last=${cur##*,}
    last=${last#-}
    before+=${cur%"$last"} cur=$last
    compopt -o nospace ;;
  esac
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
  if [[ $before ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
  fi
  [[ ! $kind ]] || return
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    return
  fi
  compopt -o filenames
  mapfile -t COMPREPLY < <(
    ((COMP_CWORD > 1)) || compgen -W "$commands" -- "$cur"
    compgen -f -- "$cur")
}
complete -F _tensortidy tensortidy
)sh";

std::string forBash() {
  std::string Script = BashHead, Options;
  llvm::raw_string_ostream OS(Script);
  for (const OptionInfo &O : optionTable()) {
    const bool IsShort = O.Spelling[1] != '-';
    const Kind K = kindOf(O);
    Options += (Options.empty() ? "" : " ") + O.Spelling +
               (K == Kind::Flag || IsShort ? "" : "=");
    OS << "  " << bothSpellings(O.Spelling) << ") kind=";
    switch (K) {
    case Kind::Flag:
      OS << "flag";
      break;
    case Kind::File:
      OS << "file";
      break;
    case Kind::Folder:
      OS << "folder";
      break;
    case Kind::Checks:
      OS << "checks words='" << checkNames() << "'";
      break;
    case Kind::Word:
      OS << "word words='" << wordsOf(O) << "'";
      break;
    case Kind::Other:
      OS << "other";
    }
    OS << " ;;\n";
  }
  OS << BashTail;
  const std::string Lists =
      "  local options='" + Options + "' commands='" + commandNames() + "'\n";
  const size_t At = Script.find("  COMPREPLY=()\n");
  Script.insert(At, Lists);
  return Script;
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

constexpr char ZshHead[] = R"sh(#compdef tensortidy
# Completes command lines of tensortidy in zsh.

_tensortidy_checks() {
  compset -P '*,'
  compset -P '-'
  compadd -S '' -- $checks
}

_tensortidy_first() {
  if ((CURRENT == 2)); then
    _alternative "commands:command:($commands)" 'files:file:_files'
  else
    _files
  fi
}

_tensortidy() {
)sh";

std::string forZsh() {
  std::string Script = ZshHead;
  llvm::raw_string_ostream OS(Script);
  OS << "  local checks=(" << checkNames() << ") commands='" << commandNames()
     << "'\n  _arguments -S \\\n";
  for (const OptionInfo &O : optionTable()) {
    std::string Word = O.CanRepeat ? "*" : "";
    Word += O.Spelling;
    const bool IsShort = O.Spelling[1] != '-';
    const Kind K = kindOf(O);
    if (K != Kind::Flag)
      Word += !IsShort ? "=" : K == Kind::Other ? "+" : "";
    Word += "[" + escaped(O.Help, "[]\\") + "]";
    if (K != Kind::Flag)
      Word += ":" + std::string(O.Value) + ":";
    switch (K) {
    case Kind::Flag:
      break;
    case Kind::File:
      Word += "_files";
      break;
    case Kind::Folder:
      Word += "_files -/";
      break;
    case Kind::Checks:
      Word += "_tensortidy_checks";
      break;
    case Kind::Word:
      Word += "(" + wordsOf(O) + ")";
      break;
    case Kind::Other:
      Word += " ";
    }
    OS << "    " << quoted(Word) << " \\\n";
  }
  OS << "    '1: :_tensortidy_first' \\\n"
        "    '*:file:_files'\n"
        "}\n\n"
        "_tensortidy \"$@\"\n";
  return Script;
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

std::string forFish() {
  std::string Script = "# Completes command lines of tensortidy in fish.\n";
  llvm::raw_string_ostream OS(Script);
  auto Quoted = [](StringRef Text) { return "'" + escaped(Text, "\\'") + "'"; };
  OS << "complete -c tensortidy -n 'test (count (commandline -opc)) -eq 1' -a "
     << Quoted(commandNames()) << '\n';
  for (const OptionInfo &O : optionTable()) {
    const bool IsShort = O.Spelling[1] != '-';
    OS << "complete -c tensortidy " << (IsShort ? "-s " : "-l ")
       << StringRef(O.Spelling).ltrim('-');
    switch (kindOf(O)) {
    case Kind::Flag:
      break;
    case Kind::File:
      OS << " -r -F";
      break;
    case Kind::Folder:
      OS << " -x -a '(__fish_complete_directories)'";
      break;
    case Kind::Checks:
      OS << " -x -a \"(__fish_complete_list , 'string split \\\" \\\" \\\""
         << checkNames() << "\\\"')\"";
      break;
    case Kind::Word:
      OS << " -x -a " << Quoted(wordsOf(O));
      break;
    case Kind::Other:
      OS << " -x";
    }
    OS << " -d " << Quoted(O.Help) << '\n';
  }
  return Script;
}

} // namespace

std::string completionScript(StringRef Shell) {
  if (Shell == "bash")
    return forBash();
  if (Shell == "zsh")
    return forZsh();
  if (Shell == "fish")
    return forFish();
  return "";
}

} // namespace tensortidy::tool
