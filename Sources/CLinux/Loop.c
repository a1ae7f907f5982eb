#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include "CLinux.h"

static int32_t result(int value) { return value < 0 ? -errno : value; }

const uint32_t clinux_epollin = EPOLLIN, clinux_epollout = EPOLLOUT, clinux_epollhup = EPOLLHUP,
               clinux_epollerr = EPOLLERR, clinux_epollrdhup = EPOLLRDHUP;

int32_t clinux_epoll(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
  struct epoll_event event = {.events = readiness, .data.u64 = token};
  return result(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

int32_t clinux_epoll_change(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
  struct epoll_event event = {.events = readiness, .data.u64 = token};
  return result(epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event));
}

int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor) {
  return result(epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL));
}

int32_t clinux_epoll_wait(int32_t epoll, struct clinux_event *events, int32_t capacity,
                          int32_t timeout_ms) {
  struct epoll_event found[32];
  if (capacity > 32) capacity = 32;
  int count;
  do count = epoll_wait(epoll, found, capacity, timeout_ms);
  while (count < 0 && errno == EINTR && timeout_ms < 0);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < count; index++) {
    events[index].readiness = found[index].events;
    events[index].token = found[index].data.u64;
  }
  return count;
}

int32_t clinux_timer_boot_time(void) {
  return result(timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC));
}

int32_t clinux_timer_arm(int32_t timer, int64_t deadline_ns) {
  struct itimerspec due = {.it_value = {.tv_sec = deadline_ns / 1000000000,
                                        .tv_nsec = deadline_ns % 1000000000}};
  return result(timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL));
}

int32_t clinux_timer_wall(void) {
  return result(timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC));
}

int32_t clinux_timer_arm_cancelled_on_set(int32_t timer) {
  // The greatest second that every kernel's 64 bits of nanoseconds and every time_t can hold.
  struct itimerspec due = {.it_value.tv_sec = sizeof(time_t) > 4 ? 9000000000 : 0x7fffffff};
  return result(
      timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &due, NULL));
}

int32_t clinux_counter(void) { return result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

int32_t clinux_watch_folder(const char *path, int32_t contents_too) {
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch < 0) return -errno;
  uint32_t events = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;
  if (contents_too) events |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF;
  if (inotify_add_watch(watch, path, events) >= 0) return watch;
  int32_t error = -errno;
  close(watch);
  return error;
}

const int32_t clinux_sigterm = SIGTERM, clinux_sigint = SIGINT, clinux_sighup = SIGHUP,
              clinux_sigwinch = SIGWINCH, clinux_sigtstp = SIGTSTP, clinux_sigcont = SIGCONT,
              clinux_sigquit = SIGQUIT;

int32_t clinux_signals(void) {
  const int wanted[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++)
    sigaddset(&set, wanted[index]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) return -error;
  // What would end or stop the process and says nothing to it: a stray one must not cost a sit, and
  // one for touching the terminal from the background must not hold the box up.
  const int ignored[] = {SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGTTIN, SIGTTOU};
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++)
    signal(ignored[index], SIG_IGN);
  return result(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

int32_t clinux_signal_next(int32_t signals) {
  struct signalfd_siginfo found;
  int64_t count = clinux_read(signals, &found, sizeof found);
  return count < 0 ? (int32_t)count : (int32_t)found.ssi_signo;
}

int32_t clinux_send_signal(int32_t process, int32_t signal) {
  return result(kill(process, signal));
}

void clinux_stop_here(void) { raise(SIGSTOP); }

struct start {
  void (*body)(void *);
  void *context;
  // As long as the kernel keeps it.
  char name[16];
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  // By itself, so that it has its name from its first instruction.
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.context);
  return NULL;
}

int32_t clinux_thread_start(uint64_t *thread, const char *name, void (*body)(void *),
                            void *context) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return -ENOMEM;
  *start = (struct start){.body = body, .context = context};
  snprintf(start->name, sizeof start->name, "%s", name);
  // A thread inherits its maker's mask, so none of these signals can ever reach it. The ones that
  // a fault in the thread itself raises must stay open, for the handler that frees the terminal.
  sigset_t all, before;
  sigfillset(&all);
  const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&all, faults[index]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t made;
  int error = pthread_create(&made, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) {
    free(start);
    return -error;
  }
  *thread = made;
  return 0;
}

void clinux_thread_join(uint64_t thread) { pthread_join((pthread_t)thread, NULL); }

void clinux_thread_detach(uint64_t thread) { pthread_detach((pthread_t)thread); }

int32_t clinux_timer_slack(uint64_t ns) { return result(prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0)); }

int32_t clinux_real_time(int32_t priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return -pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int32_t clinux_lock_memory(void) { return result(mlockall(MCL_CURRENT | MCL_FUTURE)); }

int32_t clinux_socket(int32_t is_datagram) {
  return result(socket(AF_UNIX, (is_datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0));
}

// The length of the address, or -ENAMETOOLONG.
static int32_t address(const char *path, struct sockaddr_un *into) {
  size_t length = strlen(path);
  memset(into, 0, sizeof *into);
  into->sun_family = AF_UNIX;
  if (length >= sizeof into->sun_path) return -ENAMETOOLONG;
  memcpy(into->sun_path, path, length);
  if (path[0] == '@') into->sun_path[0] = 0;
  return (int32_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] != '@'));
}

int32_t clinux_socket_bind(int32_t socket, const char *path) {
  struct sockaddr_un where;
  int32_t length = address(path, &where);
  return length < 0 ? length : result(bind(socket, (struct sockaddr *)&where, (socklen_t)length));
}

int32_t clinux_socket_listen(int32_t socket, int32_t backlog) {
  return result(listen(socket, backlog));
}

int32_t clinux_socket_accept(int32_t socket) {
  int made;
  do made = accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  while (made < 0 && (errno == EINTR || errno == ECONNABORTED));
  return result(made);
}

int32_t clinux_socket_connect(int32_t socket, const char *path) {
  struct sockaddr_un where;
  int32_t length = address(path, &where);
  if (length < 0) return length;
  int made;
  // A local connect is not continued after a signal, so it can be made again.
  do made = connect(socket, (struct sockaddr *)&where, (socklen_t)length);
  while (made < 0 && errno == EINTR);
  return result(made);
}

int32_t clinux_socket_pair(int32_t *first, int32_t *second) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
  *first = pair[0];
  *second = pair[1];
  return 0;
}

int64_t clinux_socket_send(int32_t socket, const void *bytes, size_t count) {
  int64_t sent;
  do sent = send(socket, bytes, count, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}
