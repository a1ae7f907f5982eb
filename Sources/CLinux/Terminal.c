#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "CLinux.h"

// What the fatal handler needs, kept where it can be read without a lock. `held` is set last when
// a terminal is taken and exchanged first when it is given back, so that only one of the normal
// way out and the handler restores it.
static atomic_int held;
static int terminal;
static struct termios saved;
static char leave_bytes[256];
static size_t leave_length;
// The handler's own stack: the thread's may be what overflowed.
static char handler_stack[65536];

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};

int32_t clinux_is_terminal(int32_t descriptor) { return isatty(descriptor); }

int32_t clinux_is_foreground(int32_t descriptor) {
  return tcgetpgrp(descriptor) == getpgrp();
}

int32_t clinux_terminal_size(int32_t descriptor, uint16_t *columns, uint16_t *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) < 0) return -errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int32_t clinux_terminal_restore(void) {
  if (!atomic_exchange(&held, 0)) return 0;
  // All calls may be made in a signal handler (POSIX.1-2017, 2.4.3). A terminal that has hung up
  // takes none, and then there is nothing to restore. One that nobody reads is full and would hold
  // the program up for ever: what is in it is thrown away, and nothing waits for room.
  struct pollfd room = {.fd = terminal, .events = POLLOUT};
  if (poll(&room, 1, 100) == 0) tcflush(terminal, TCOFLUSH);
  int flags = fcntl(terminal, F_GETFL);
  if (flags >= 0) fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
  size_t done = 0;
  while (done < leave_length) {
    ssize_t count = write(terminal, leave_bytes + done, leave_length - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += (size_t)count;
  }
  if (flags >= 0) fcntl(terminal, F_SETFL, flags);
  int result;
  do result = tcsetattr(terminal, TCSANOW, &saved);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

static void on_fatal(int signal_number) {
  clinux_terminal_restore();
  // SA_RESETHAND has put the default back: raised again, the signal does what it would have done,
  // core dump and exit status included.
  raise(signal_number);
}

int32_t clinux_terminal_raw(int32_t descriptor, const void *leave, size_t leave_count) {
  if (atomic_load(&held)) return -EBUSY;
  if (leave_count > sizeof leave_bytes) return -EINVAL;
  if (tcgetattr(descriptor, &saved) < 0) return -errno;
  terminal = descriptor;
  memcpy(leave_bytes, leave, leave_count);
  leave_length = leave_count;
  stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  if (sigaltstack(&stack, NULL) < 0) return -errno;
  struct sigaction action = {.sa_handler = on_fatal,
                             .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++)
    if (sigaction(fatal[index], &action, NULL) < 0) return -errno;
  atomic_store(&held, 1);
  struct termios raw = saved;
  cfmakeraw(&raw);
  // Output keeps its line ends, so that a message printed meanwhile is still readable.
  raw.c_oflag |= OPOST;
  int result;
  do result = tcsetattr(descriptor, TCSANOW, &raw);
  while (result < 0 && errno == EINTR);
  if (result == 0) return 0;
  int error = errno;
  atomic_store(&held, 0);
  return -error;
}
