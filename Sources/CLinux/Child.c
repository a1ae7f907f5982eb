#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CLinux.h"

extern char **environ;

// The child holds the writing end as its descriptor 3 for as long as it lives, so that its end can
// be waited for with a limit: poll tells when nobody holds that end any more.
static int start(const char *path, char *const *arguments, int life, pid_t *process) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  // Where it is number 3 already, this takes its close-on-exec away.
  error = posix_spawn_file_actions_adddup2(&actions, life, 3);
  if (!error) error = posix_spawn(process, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int is_over(int life, int32_t timeout_ms) {
  int64_t deadline = clinux_monotonic() + timeout_ms * INT64_C(1000000);
  for (;;) {
    int64_t left = (deadline - clinux_monotonic() + 999999) / 1000000;
    struct pollfd wait = {.fd = life, .events = POLLIN};
    int count = poll(&wait, 1, left > 0 ? (int)left : 0);
    if (count > 0) return 1;
    if (count == 0 && left <= 0) return 0;
  }
}

int32_t clinux_run(const char *path, char *const *arguments, int32_t timeout_ms) {
  int life[2];
  pid_t process;
  if (pipe2(life, O_CLOEXEC)) return -errno;
  int error = start(path, arguments, life[1], &process);
  close(life[1]);
  int over = error || is_over(life[0], timeout_ms);
  close(life[0]);
  if (error) return -error;
  if (!over) kill(process, SIGKILL);
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -errno;
  if (!over) return -ETIMEDOUT;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// In a group of its own, so that what the keyboard sends to this process does not reach it, and
// with the signals as a program expects to find them: this process blocks some and ignores others.
static int start_beside(const char *program, char *const *arguments, int input, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, standard;
  sigemptyset(&none);
  sigfillset(&standard);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!error) error = posix_spawnp(process, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int32_t clinux_child_start(const char *program, char *const *arguments, int32_t *input,
                           int32_t *life) {
  int line[2];
  pid_t process;
  if (pipe2(line, O_CLOEXEC)) return -errno;
  int error = start_beside(program, arguments, line[0], &process);
  close(line[0]);
  if (error) {
    close(line[1]);
    return -error;
  }
  // By its number, since the C library has a name for it only since 2.36. It is closed on exec.
  *life = (int32_t)syscall(SYS_pidfd_open, process, 0);
  if (*life < 0) {
    error = errno;
    kill(process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
    close(line[1]);
    return -error;
  }
  *input = line[1];
  return process;
}

int32_t clinux_child_reap(int32_t process) {
  int status;
  pid_t ended;
  do ended = waitpid(process, &status, WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  if (ended == 0) return -EAGAIN;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void clinux_limit(int64_t memory_bytes, int64_t processor_seconds) {
  struct rlimit memory = {(rlim_t)memory_bytes, (rlim_t)memory_bytes};
  // A second more, so that it is SIGXCPU that ends it, which says why, and not SIGKILL.
  struct rlimit time = {(rlim_t)processor_seconds, (rlim_t)processor_seconds + 1};
  struct rlimit none = {0, 0};
  // A limit that is lower already may not be raised, and stays.
  (void)setrlimit(RLIMIT_AS, &memory);
  (void)setrlimit(RLIMIT_CPU, &time);
  (void)setrlimit(RLIMIT_CORE, &none);
}
