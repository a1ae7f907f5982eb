// Stands in front of the C library's allocator and of one call of libasound, in the whole test
// program, and lets everything pass.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Witness.h"

static atomic_llong watched;
static atomic_llong count;
static atomic_int hides_stamps;
static atomic_llong hidden;
static __thread int64_t own_thread;

void witness_watch(int64_t thread) {
  count = 0;
  watched = thread;
}

int64_t witness_count(void) { return count; }
int64_t witness_thread(void) { return gettid(); }
void witness_hide_stamps(int hides) { hides_stamps = hides; }
int64_t witness_hidden(void) { return hidden; }

static void see(void) {
  if (watched == 0) return;
  if (own_thread == 0) own_thread = gettid();
  if (own_thread == watched) count++;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { return see(), __libc_malloc(size); }
void *calloc(size_t places, size_t size) { return see(), __libc_calloc(places, size); }
void *realloc(void *memory, size_t size) { return see(), __libc_realloc(memory, size); }
void *aligned_alloc(size_t alignment, size_t size) {
  return see(), __libc_memalign(alignment, size);
}
void free(void *memory) {
  see();
  __libc_free(memory);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  see();
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

void snd_pcm_status_get_htstamp(const snd_pcm_status_t *status, snd_htimestamp_t *stamp) {
  static void (*real)(const snd_pcm_status_t *, snd_htimestamp_t *);
  if (real == NULL)
    real = (void (*)(const snd_pcm_status_t *, snd_htimestamp_t *))dlsym(
        RTLD_NEXT, "snd_pcm_status_get_htstamp");
  real(status, stamp);
  if (!hides_stamps) return;
  hidden++;
  *stamp = (snd_htimestamp_t){0};
}

int32_t witness_control(const char *interface, const char *control, int64_t values[2]) {
  snd_ctl_t *ctl;
  int error = snd_ctl_open(&ctl, interface, 0);
  if (error < 0) return error;
  snd_ctl_elem_value_t *value;
  snd_ctl_elem_info_t *info;
  snd_ctl_elem_value_alloca(&value);
  snd_ctl_elem_info_alloca(&info);
  snd_ctl_elem_value_set_interface(value, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_value_set_name(value, control);
  snd_ctl_elem_info_set_interface(info, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_info_set_name(info, control);
  error = snd_ctl_elem_info(ctl, info);
  if (error == 0) error = snd_ctl_elem_read(ctl, value);
  if (error == 0)
    for (unsigned channel = 0; channel < 2; channel++)
      values[channel] = channel >= snd_ctl_elem_info_get_count(info) ? -1
                        : snd_ctl_elem_info_get_type(info) == SND_CTL_ELEM_TYPE_BOOLEAN
                            ? snd_ctl_elem_value_get_boolean(value, channel)
                            : snd_ctl_elem_value_get_integer(value, channel);
  snd_ctl_close(ctl);
  return error;
}

// The C library would change the whole process.
int32_t witness_become_nobody(int becomes) {
  const uid_t nobody = 65534;
  if (getuid() != 0) return 0;
  return syscall(SYS_setresuid, -1, becomes ? nobody : 0, -1) < 0 ? errno : 0;
}
