// libasound as ALSAOutput needs it, and the few system calls of its thread in a form that Swift can
// import whole.
#ifndef CALSA_H
#define CALSA_H

#include <alsa/asoundlib.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// libasound writes its errors to standard error unless it is told otherwise; every failed probe
// would leave several lines there. Its handler type is variadic, which Swift cannot import.
void calsa_silence_errors(void);

// The version of the libasound that is running.
const char *calsa_version(void);

// Whether ALSA's configuration has a PCM of this name (without what follows a colon).
int32_t calsa_knows(const char *name);

// The number of the card that an open PCM plays on, or -1.
int32_t calsa_card_number(snd_pcm_t *_Nullable pcm);

// Whether an open PCM calls itself HDMI, as those of a card do that has other outputs too.
int32_t calsa_is_hdmi(snd_pcm_t *_Nullable pcm);

// Whether this process may read and write a node: 0 or a negated errno.
int32_t calsa_may_use(const char *path);

// Clocks: nanoseconds.
int64_t calsa_boot_time(void);
int64_t calsa_monotonic(void);

// An eventfd that counts, or a negated errno.
int32_t calsa_event_make(void);
void calsa_event_signal(int32_t descriptor);
void calsa_event_clear(int32_t descriptor);
// A timerfd on the boot-time clock, or a negated errno. An instant of zero or less disarms it.
int32_t calsa_timer_make(void);
void calsa_timer_set(int32_t descriptor, int64_t boot_time_ns);
// Waits until one of the two can be read.
void calsa_wait(int32_t event, int32_t timer);
void calsa_close(int32_t descriptor);

// A thread of this name with all signals blocked. Gives 0 or an errno.
int32_t calsa_thread_start(
    uint64_t *thread, const char *name, void (*body)(void *), void *argument);
// Waits for a thread to end. Gives 0, or an errno when it has not ended in that time.
int32_t calsa_thread_join(uint64_t thread, int64_t timeout_ns);
// Nobody will wait for a thread: what it takes is given back when it ends.
void calsa_thread_leave(uint64_t thread);
// Asks for real-time priority, and for the memory that is in use to stay in memory. Either may be
// refused, and nothing depends on it.
void calsa_request_real_time(int32_t priority);

#pragma clang assume_nonnull end

#endif
