// libebur128 as timerbox-import needs it: momentary loudness and true peak of stereo at one rate.
#ifndef CEBUR128_H
#define CEBUR128_H

#include <stddef.h>

#pragma clang assume_nonnull begin

// Null when there is no memory.
void *_Nullable cebur128_make(unsigned long rate_hertz);
// Takes interleaved stereo and gives the loudness of the last 400 ms in LUFS (-HUGE_VAL for
// silence); NAN when it fails.
double cebur128_add(void *meter, const float *samples, size_t frames);
// The greatest true peak so far, of both channels; full scale is 1. NAN when it fails.
double cebur128_true_peak(void *meter);
void cebur128_free(void *meter);

#pragma clang assume_nonnull end

#endif
