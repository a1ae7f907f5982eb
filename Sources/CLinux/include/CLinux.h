// The system calls that LinuxIO makes, in a form that Swift can import whole.
//
// Every function that can fail gives its value (0 or more) or a negated errno, taken before
// anything else can overwrite it. A call that a signal interrupted is made again, but for fsync. No
// system header is included here, so that nothing but these names reaches Swift.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Error numbers and their text.
extern const int32_t clinux_eacces, clinux_eaddrinuse, clinux_eagain, clinux_ebadf, clinux_ebusy,
    clinux_ecanceled, clinux_econnrefused, clinux_econnreset, clinux_edquot, clinux_eexist,
    clinux_efault, clinux_efbig, clinux_eintr, clinux_einval, clinux_eio, clinux_eisdir,
    clinux_eloop, clinux_emfile, clinux_emlink, clinux_enametoolong, clinux_enodev, clinux_enoent,
    clinux_enomem, clinux_enospc, clinux_enosys, clinux_enotdir, clinux_enotempty, clinux_enotsup,
    clinux_enxio, clinux_eperm, clinux_epipe, clinux_erofs, clinux_estale, clinux_etimedout,
    clinux_etxtbsy, clinux_exdev;
void clinux_error_text(int32_t number, char *text, size_t capacity);

// Descriptors and files.
extern const int32_t clinux_at_working;
extern const int32_t clinux_o_rdonly, clinux_o_wronly, clinux_o_rdwr, clinux_o_creat, clinux_o_excl,
    clinux_o_trunc, clinux_o_append, clinux_o_nofollow, clinux_o_directory, clinux_o_nonblock;

struct clinux_status {
  int32_t kind;  // 0 regular file, 1 folder, 2 symbolic link, 3 socket, 4 anything else
  uint32_t mode;
  uint32_t owner;
  uint32_t group;
  int64_t size;
  uint64_t inode;
  uint64_t device;
  int64_t modified_ns;
};

int32_t clinux_open(int32_t folder, const char *path, int32_t flags, uint32_t mode);
int32_t clinux_close(int32_t descriptor);
int64_t clinux_read(int32_t descriptor, void *bytes, size_t count);
int64_t clinux_write(int32_t descriptor, const void *bytes, size_t count);
int32_t clinux_set_nonblocking(int32_t descriptor);
// 1 when ready (or hung up), 0 when the time is over; a negative time waits for ever.
int32_t clinux_poll(int32_t descriptor, int32_t for_writing, int32_t timeout_ms);
int32_t clinux_status(int32_t descriptor, struct clinux_status *status);
int32_t clinux_status_at(int32_t folder, const char *path, int32_t follows,
                         struct clinux_status *status);
// Not made again after a signal: the kernel may have told of a lost page already.
int32_t clinux_fsync(int32_t descriptor);
// Asks the kernel to forget what it holds of the file in memory.
int32_t clinux_drop_cache(int32_t descriptor);
int32_t clinux_set_owner(int32_t descriptor, uint32_t owner, uint32_t group);
int32_t clinux_set_mode(int32_t descriptor, uint32_t mode);
int32_t clinux_truncate(int32_t descriptor, int64_t size);
int32_t clinux_allocate(int32_t descriptor, int64_t size);
int32_t clinux_lock(int32_t descriptor, int32_t waits);
int32_t clinux_rename(int32_t from_folder, const char *from, int32_t to_folder, const char *to);
int32_t clinux_link(int32_t from_folder, const char *from, int32_t to_folder, const char *to);
int32_t clinux_unlink(int32_t folder, const char *path, int32_t is_folder);
int32_t clinux_make_folder(int32_t folder, const char *path, uint32_t mode);
int64_t clinux_read_link(const char *path, char *target, size_t capacity);
int32_t clinux_file_system(int32_t descriptor, uint64_t *type, uint64_t *free_bytes);
void *_Nullable clinux_list_open(int32_t descriptor, int32_t *error);
// The length of the next name, 0 after the last one.
int32_t clinux_list_next(void *list, char *name, size_t capacity);
void clinux_list_close(void *list);

// The process and its machine.
int64_t clinux_random(void *bytes, size_t count);
int32_t clinux_host_name(char *name, size_t capacity);
const char *_Nullable clinux_environment(const char *name);
uint32_t clinux_user(void);
int32_t clinux_process(void);

// Clocks: nanoseconds.
int64_t clinux_boot_time(void);
int64_t clinux_monotonic(void);
int64_t clinux_wall(void);
// The kernel's estimate of the wall clock's greatest error in microseconds.
int64_t clinux_wall_error_us(void);

// The event loop.
extern const uint32_t clinux_epollin, clinux_epollout, clinux_epollhup, clinux_epollerr,
    clinux_epollrdhup;
struct clinux_event {
  uint32_t readiness;
  uint64_t token;
};
int32_t clinux_epoll(void);
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_change(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor);
int32_t clinux_epoll_wait(int32_t epoll, struct clinux_event *events, int32_t capacity,
                          int32_t timeout_ms);
int32_t clinux_timer_boot_time(void);
// Absolute; 0 disarms.
int32_t clinux_timer_arm(int32_t timer, int64_t deadline_ns);
int32_t clinux_timer_wall(void);
// Far in the future, and cancelled by a step of the wall clock.
int32_t clinux_timer_arm_cancelled_on_set(int32_t timer);
int32_t clinux_counter(void);
// An inotify of the names that are made in a folder, moved into it, removed or given other
// permissions; with contents_too also of those that were written or moved away, and of the folder's
// own end.
int32_t clinux_watch_folder(const char *path, int32_t contents_too);
extern const int32_t clinux_sigterm, clinux_sigint, clinux_sighup, clinux_sigwinch, clinux_sigtstp,
    clinux_sigcont, clinux_sigquit;
// Blocks the six signals above in the calling thread, ignores SIGPIPE, gives a signalfd.
int32_t clinux_signals(void);
// The number of the next pending signal.
int32_t clinux_signal_next(int32_t signals);
int32_t clinux_send_signal(int32_t process, int32_t signal);
void clinux_stop_here(void);
// Runs a program to its end, with the descriptors 0 to 2 of this process. Gives its exit status, or
// 128 and the number of the signal that ended it, or -ETIMEDOUT when the time was over and it was
// killed.
int32_t clinux_run(const char *path, char *_Nullable const *_Nonnull arguments, int32_t timeout_ms);
// Starts a program that is looked for on PATH and runs beside this one. Its standard input is a
// pipe whose other end is given as input; what it prints goes nowhere. life can be read once it
// has ended. Gives its number.
int32_t clinux_child_start(const char *program, char *_Nullable const *_Nonnull arguments,
                           int32_t *input, int32_t *life);
// The exit status of a child as clinux_run gives it, or -EAGAIN while it runs. It is given once.
int32_t clinux_child_reap(int32_t process);
// No more memory and processor time for this process than that.
void clinux_limit(int64_t memory_bytes, int64_t processor_seconds);

// Threads.
int32_t clinux_thread_start(uint64_t *thread, const char *name, void (*body)(void *),
                            void *context);
void clinux_thread_join(uint64_t thread);
void clinux_thread_detach(uint64_t thread);
int32_t clinux_timer_slack(uint64_t ns);
int32_t clinux_real_time(int32_t priority);
int32_t clinux_lock_memory(void);

// Terminals.
int32_t clinux_is_terminal(int32_t descriptor);
// Whether this process is in the foreground of a terminal.
int32_t clinux_is_foreground(int32_t descriptor);
int32_t clinux_terminal_size(int32_t descriptor, uint16_t *columns, uint16_t *rows);
// Makes the terminal raw, keeps its settings and what must be written to leave (at most 256
// bytes), and has fatal signals restore both. One terminal a process.
int32_t clinux_terminal_raw(int32_t descriptor, const void *leave, size_t leave_count);
// Writes the leave sequence and the kept settings back; doing it again does nothing.
int32_t clinux_terminal_restore(void);

// Local sockets.
int32_t clinux_socket(int32_t is_datagram);
int32_t clinux_socket_bind(int32_t socket, const char *path);
int32_t clinux_socket_listen(int32_t socket, int32_t backlog);
int32_t clinux_socket_accept(int32_t socket);
// A path that begins with @ is an abstract name.
int32_t clinux_socket_connect(int32_t socket, const char *path);
int32_t clinux_socket_pair(int32_t *first, int32_t *second);
int64_t clinux_socket_send(int32_t socket, const void *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
