import CLinux

/// A number by which the kernel says why a call failed.
public struct Errno: Equatable, Hashable, Sendable {
  /// The kernel's number; always greater than zero.
  public let number: Int32

  /// Makes an error number.
  public init(number: Int32) {
    self.number = number
  }

  /// The C library's text for it, such as `No such file or directory`.
  public var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      // Safety: the buffer is 128 characters long, and the call ends what it writes with a zero.
      guard let start = buffer.baseAddress else { return "" }
      clinux_error_text(number, start, 128)
      return String(cString: start)
    }
  }
}

extension Errno {
  /// Permission denied (EACCES).
  public static let permissionDenied = Errno(number: clinux_eacces)
  /// Operation not permitted (EPERM).
  public static let notPermitted = Errno(number: clinux_eperm)
  /// The address is in use (EADDRINUSE).
  public static let addressInUse = Errno(number: clinux_eaddrinuse)
  /// It would have to wait, or another holds the lock (EAGAIN).
  public static let wouldBlock = Errno(number: clinux_eagain)
  /// No such descriptor (EBADF).
  public static let badDescriptor = Errno(number: clinux_ebadf)
  /// The device is in use (EBUSY).
  public static let busy = Errno(number: clinux_ebusy)
  /// The wall clock was set (ECANCELED).
  public static let cancelled = Errno(number: clinux_ecanceled)
  /// Nobody listens (ECONNREFUSED).
  public static let connectionRefused = Errno(number: clinux_econnrefused)
  /// The other end has gone (ECONNRESET).
  public static let connectionReset = Errno(number: clinux_econnreset)
  /// The user's quota is used up (EDQUOT).
  public static let overQuota = Errno(number: clinux_edquot)
  /// It is there already (EEXIST).
  public static let exists = Errno(number: clinux_eexist)
  /// A bad address (EFAULT).
  public static let badAddress = Errno(number: clinux_efault)
  /// Too large a file (EFBIG).
  public static let fileTooLarge = Errno(number: clinux_efbig)
  /// A signal came before anything was done (EINTR).
  public static let interrupted = Errno(number: clinux_eintr)
  /// An argument that the kernel does not take (EINVAL).
  public static let invalidArgument = Errno(number: clinux_einval)
  /// The device failed (EIO).
  public static let inputOutput = Errno(number: clinux_eio)
  /// It is a folder (EISDIR).
  public static let isFolder = Errno(number: clinux_eisdir)
  /// A symbolic link where none is allowed, or too many of them (ELOOP).
  public static let linkLoop = Errno(number: clinux_eloop)
  /// Too many open files (EMFILE).
  public static let tooManyOpenFiles = Errno(number: clinux_emfile)
  /// The file has as many names as its file system lets it have (EMLINK).
  public static let tooManyLinks = Errno(number: clinux_emlink)
  /// The name is too long (ENAMETOOLONG).
  public static let nameTooLong = Errno(number: clinux_enametoolong)
  /// No such device (ENODEV).
  public static let noSuchDevice = Errno(number: clinux_enodev)
  /// No such file or folder (ENOENT).
  public static let noSuchFile = Errno(number: clinux_enoent)
  /// No memory (ENOMEM).
  public static let noMemory = Errno(number: clinux_enomem)
  /// No space left (ENOSPC).
  public static let noSpace = Errno(number: clinux_enospc)
  /// The kernel or a file system in a process does not know the call (ENOSYS).
  public static let notImplemented = Errno(number: clinux_enosys)
  /// Not a folder (ENOTDIR).
  public static let notFolder = Errno(number: clinux_enotdir)
  /// The folder is not empty (ENOTEMPTY).
  public static let notEmpty = Errno(number: clinux_enotempty)
  /// The file system cannot do it (EOPNOTSUPP).
  public static let notSupported = Errno(number: clinux_enotsup)
  /// The device is not there (ENXIO).
  public static let noDeviceThere = Errno(number: clinux_enxio)
  /// The reader has gone (EPIPE).
  public static let brokenPipe = Errno(number: clinux_epipe)
  /// A read-only file system (EROFS).
  public static let readOnlyFileSystem = Errno(number: clinux_erofs)
  /// The file server does not know the open file any more (ESTALE).
  public static let stale = Errno(number: clinux_estale)
  /// The time is over (ETIMEDOUT).
  public static let timedOut = Errno(number: clinux_etimedout)
  /// The file is being run or, on a file server, used by another (ETXTBSY).
  public static let textBusy = Errno(number: clinux_etxtbsy)
  /// Another file system (EXDEV).
  public static let crossesFileSystems = Errno(number: clinux_exdev)
}

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's name, as manual pages have it.
  public let call: String
  /// The path it was about; nil where there is none.
  public let path: String?
  /// Why.
  public let errno: Errno

  /// Makes an error.
  public init(call: String, path: String? = nil, errno: Errno) {
    self.call = call
    self.path = path
    self.errno = errno
  }

  /// Such as `open /etc/timerbox.conf: Permission denied`.
  public var description: String {
    if let path { return "\(call) \(path): \(errno.text)" }
    return "\(call): \(errno.text)"
  }
}

/// The value of a call that gives a negated error number when it fails.
///
/// A bad descriptor or a bad address is a mistake in this program, never a fault outside, and a
/// program that goes on after it may write into another's file: it stops here.
@discardableResult
func checked<Value: SignedInteger>(
  _ value: Value, _ call: StaticString, _ path: String? = nil
) throws(SystemError) -> Value {
  if value >= 0 { return value }
  let errno = Errno(number: Int32(-value))
  precondition(errno != .badDescriptor && errno != .badAddress, "\(call): \(errno.text)")
  throw SystemError(call: "\(call)", path: path, errno: errno)
}

/// As `checked`, but nil where the call would have had to wait.
func checkedUnlessWaiting<Value: SignedInteger>(
  _ value: Value, _ call: StaticString, _ path: String? = nil
) throws(SystemError) -> Value? {
  if value == -Value(clinux_eagain) { return nil }
  return try checked(value, call, path)
}
