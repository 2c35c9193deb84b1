//===- Replace.cpp - replace a file, whole or not at all ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replace.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

using llvm::StringRef;

namespace tensortidy::tool {

char Refusal::ID;

std::error_code Refusal::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error Refusal::changed() {
  return llvm::make_error<Refusal>("changed since it was analysed",
                                   "run again");
}

std::string refusalMessage(StringRef File, llvm::Error E) {
  std::string Text;
  llvm::handleAllErrors(
      std::move(E),
      [&](const Refusal &R) {
        Text = "'" + File.str() + "' " + R.Why + "; nothing was written to it" +
               (R.Advice.empty() ? "" : ", " + R.Advice);
      },
      [&](const llvm::ErrorInfoBase &Other) {
        Text = "'" + File.str() + "' cannot be changed (" + Other.message() +
               "); nothing was written to it";
      });
  return Text;
}

namespace {

/// The system's last error, behind what could not be done.
llvm::Error cannot(const llvm::Twine &What, int Number = errno) {
  return llvm::make_error<Refusal>(
      (What + ": " + llvm::sys::StrError(Number)).str());
}

llvm::Error readAll(int Fd, std::string &Into) {
  Into.clear();
  char Buffer[1 << 16];
  for (;;) {
    ssize_t N = llvm::sys::RetryAfterSignal(-1, [&] {
      return pread(Fd, Buffer, sizeof Buffer, off_t(Into.size()));
    });
    if (N < 0)
      return cannot("cannot be read");
    if (N == 0)
      return llvm::Error::success();
    Into.append(Buffer, N);
  }
}

bool writeAll(int Fd, StringRef Text) {
  while (!Text.empty()) {
    ssize_t N =
        llvm::sys::RetryAfterSignal(-1, ::write, Fd, Text.data(), Text.size());
    if (N < 0)
      return false;
    Text = Text.drop_front(N);
  }
  return true;
}

bool flush(int Fd) {
  // Some file systems have nothing to flush and say so.
  return fsync(Fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/// What a rename has changed reaches the disk, too; if not now, then later.
void flushFolder(StringRef Folder) {
  int Fd = open(Folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Fd < 0)
    return;
  fsync(Fd);
  close(Fd);
}

StringRef folderOf(StringRef Path) {
  StringRef Folder = llvm::sys::path::parent_path(Path);
  return Folder.empty() ? "." : Folder;
}

/// How the names of all temporaries for \p Path begin. A hash, because a name
/// may be as long as names can be already.
std::string temporaryPrefix(StringRef Path) {
  return ".tensortidy-" +
         llvm::utohexstr(llvm::xxh3_64bits(llvm::sys::path::filename(Path)),
                         /*LowerCase=*/true, 16) +
         "-";
}
constexpr StringRef TemporarySuffix = ".tmp";

/// Creates the temporary for \p Path, which only we can open until it has the
/// mode that it is to have.
int createTemporary(StringRef Path, std::string &Name) {
  llvm::SmallString<256> Model(folderOf(Path));
  llvm::sys::path::append(Model, temporaryPrefix(Path) + "XXXXXX");
  Model += TemporarySuffix;
  Name = Model.str().str();
  return mkostemps(Name.data(), int(TemporarySuffix.size()), O_CLOEXEC);
}

} // namespace

bool swapNames(const std::string &A, const std::string &B) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, A.c_str(), AT_FDCWD, B.c_str(), RENAME_EXCHANGE) ==
         0;
#else
  errno = ENOSYS;
  return false;
#endif
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

struct CriticalSection::State {
  sigset_t Mask;
  struct sigaction Limit;
};

CriticalSection::CriticalSection() : Before(std::make_unique<State>()) {
  sigset_t Ends;
  sigemptyset(&Ends);
  for (int Signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM})
    sigaddset(&Ends, Signal);
  pthread_sigmask(SIG_BLOCK, &Ends, &Before->Mask);
  struct sigaction Ignore = {};
  Ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &Ignore, &Before->Limit);
}

CriticalSection::~CriticalSection() {
  sigaction(SIGXFSZ, &Before->Limit, nullptr);
  pthread_sigmask(SIG_SETMASK, &Before->Mask, nullptr);
}

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<FileUpdate>>
FileUpdate::begin(StringRef RealPath) {
  std::unique_ptr<FileUpdate> U(new FileUpdate(RealPath));
  if (llvm::Error E = U->lock())
    return E;
  if (llvm::Error E = readAll(U->Locked, U->Old))
    return E;
  return U;
}

bool FileUpdate::isStill(const std::string &Name, int Fd) const {
  struct stat ByName, ByFd;
  return lstat(Name.c_str(), &ByName) == 0 && fstat(Fd, &ByFd) == 0 &&
         ByName.st_dev == ByFd.st_dev && ByName.st_ino == ByFd.st_ino;
}

llvm::Error FileUpdate::lock() {
  using namespace std::chrono;
  auto Deadline = steady_clock::now() + minutes(1);
  for (;;) {
    // For writing, though nothing is written here: some network file systems
    // give no lock otherwise, and who may not write may not replace.
    Locked = open(Path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (Locked < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
      return llvm::make_error<Refusal>("is read-only",
                                       "make it writable and run again");
    if (Locked < 0 && errno == ELOOP)
      return Refusal::changed();
    if (Locked < 0)
      return cannot("cannot be opened");
    struct stat S;
    if (fstat(Locked, &S) != 0)
      return cannot("cannot be opened");
    if (!S_ISREG(S.st_mode))
      return llvm::make_error<Refusal>("is not a regular file");
    // root opens all files.
    if (!(S.st_mode & 0222))
      return llvm::make_error<Refusal>("is read-only",
                                       "make it writable and run again");
    while (flock(Locked, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        break; // a file system without locks; the texts are compared all the
               // same
      if (steady_clock::now() > Deadline)
        return llvm::make_error<Refusal>(
            "is being changed by another run of tensortidy", "run again");
      std::this_thread::sleep_for(milliseconds(5));
    }
    // Who held the lock has put another file at this name, perhaps.
    if (isStill(Path, Locked))
      return llvm::Error::success();
    close(Locked);
    Locked = -1;
    if (steady_clock::now() > Deadline)
      return Refusal::changed();
  }
}

/// Removes what killed runs have left of their work on this file.
void FileUpdate::removeLeftovers() const {
  std::string Prefix = temporaryPrefix(Path);
  std::error_code Ignored;
  for (llvm::sys::fs::directory_iterator I(folderOf(Path), Ignored), End;
       I != End && !Ignored; I.increment(Ignored)) {
    StringRef Name = llvm::sys::path::filename(I->path());
    if (!Name.starts_with(Prefix) || !Name.ends_with(TemporarySuffix))
      continue;
    int Fd =
        open(I->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    // A run that still works on it holds its lock.
    if (Fd < 0 || flock(Fd, LOCK_EX | LOCK_NB) == 0)
      unlink(I->path().c_str());
    if (Fd >= 0)
      close(Fd);
  }
}

/// Gives the temporary the owner, mode and attributes of the file, as far as
/// this user may.
void FileUpdate::keepAttributes() const {
  struct stat S;
  if (fstat(Locked, &S) != 0)
    return;
  // The group, at least, where the owner must become us.
  if (fchown(Written, S.st_uid, S.st_gid) != 0 &&
      fchown(Written, uid_t(-1), S.st_gid) != 0)
    errno = 0;
#ifdef __linux__
  // Access control lists are among them.
  std::string Names(1 << 16, '\0'), Value(1 << 16, '\0');
  ssize_t Size = flistxattr(Locked, Names.data(), Names.size());
  for (StringRef Rest(Names.data(), Size > 0 ? Size : 0); !Rest.empty();) {
    std::string Name = Rest.take_until([](char C) { return !C; }).str();
    Rest = Rest.drop_front(std::min(Rest.size(), Name.size() + 1));
    ssize_t N = fgetxattr(Locked, Name.c_str(), Value.data(), Value.size());
    if (N >= 0)
      fsetxattr(Written, Name.c_str(), Value.data(), N, 0);
  }
#endif
  fchmod(Written, S.st_mode & 07777); // last: chown() takes bits away
}

llvm::Error FileUpdate::prepare(StringRef New) {
  struct stat S;
  if (fstat(Locked, &S) != 0)
    return cannot("cannot be opened");
  if (S.st_nlink > 1)
    return llvm::make_error<Refusal>(
        "has other names (hard links), which would keep the old text",
        "apply what --diff prints in a way that keeps them");
  removeLeftovers();
  Written = createTemporary(Path, Temporary);
  if (Written < 0)
    return cannot("cannot be replaced, no file can be created in its folder");
  Done = Prepared;
  // Whoever opens the file after the swap waits for finish().
  flock(Written, LOCK_EX | LOCK_NB);
  keepAttributes();
  if (!writeAll(Written, New) || !flush(Written))
    return cannot("cannot be written");
  return llvm::Error::success();
}

llvm::Error FileUpdate::commit() {
  std::string Now;
  if (llvm::Error E = readAll(Locked, Now))
    return E;
  if (Now != Old || !isStill(Path, Locked))
    return Refusal::changed();
  if (!swapNames(Temporary, Path)) {
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
      return cannot("cannot be replaced");
    // A file system that cannot swap: what is saved in this very moment is
    // replaced.
    if (rename(Temporary.c_str(), Path.c_str()) != 0)
      return cannot("cannot be replaced");
    Done = Renamed;
    return llvm::Error::success();
  }
  Done = Swapped;
  llvm::Error E = readAll(Locked, Now);
  if (!E && Now == Old && isStill(Temporary, Locked))
    return llvm::Error::success();
  // Somebody has saved the file since it was read above, and that is what
  // stands at the temporary's name now.
  llvm::consumeError(std::move(E));
  undo();
  return Refusal::changed();
}

void FileUpdate::undo() {
  if (Done == Swapped && swapNames(Temporary, Path))
    Done = Prepared;
}

void FileUpdate::finish() {
  if (Done == Swapped && isStill(Temporary, Locked))
    unlink(Temporary.c_str());
  if (Done == Swapped || Done == Renamed)
    flushFolder(folderOf(Path));
  Done = Nothing;
}

FileUpdate::~FileUpdate() {
  undo();
  // Only ever our own text: an edit that a swap brought here stays.
  if (Done == Prepared && isStill(Temporary, Written))
    unlink(Temporary.c_str());
  for (int Fd : {Written, Locked})
    if (Fd >= 0)
      close(Fd);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

llvm::Error writeOutput(StringRef Path, StringRef Text) {
  auto Failed = [&](int Number) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "cannot write '" + Path +
                                       "': " + llvm::sys::StrError(Number));
  };
  CriticalSection Section;
  struct stat S;
  bool Exists = stat(Path.str().c_str(), &S) == 0;
  if (Exists && !S_ISREG(S.st_mode)) {
    int Fd = open(Path.str().c_str(), O_WRONLY | O_CLOEXEC);
    if (Fd < 0)
      return Failed(errno);
    bool Good = writeAll(Fd, Text);
    int Number = errno;
    return close(Fd) == 0 && Good ? llvm::Error::success() : Failed(Number);
  }
  if (Exists && access(Path.str().c_str(), W_OK) != 0)
    return Failed(errno);
  llvm::SmallString<256> Real(Path);
  if (Exists)
    llvm::sys::fs::real_path(Path, Real);
  std::string Temporary;
  int Fd = createTemporary(Real, Temporary);
  if (Fd < 0)
    return Failed(errno);
  mode_t Mask = umask(0);
  umask(Mask);
  bool Good = fchmod(Fd, Exists ? S.st_mode & 07777 : 0666 & ~Mask) == 0 &&
              writeAll(Fd, Text) && flush(Fd);
  int Number = errno;
  Good &= close(Fd) == 0;
  if (Good && rename(Temporary.c_str(), Real.c_str()) == 0)
    return llvm::Error::success();
  if (Good)
    Number = errno;
  unlink(Temporary.c_str());
  return Failed(Number);
}

} // namespace tensortidy::tool
