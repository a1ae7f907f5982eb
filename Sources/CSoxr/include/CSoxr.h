// libsoxr as timerbox-import needs it: interleaved stereo floats, high quality, block by block.
#ifndef CSOXR_H
#define CSOXR_H

#include <stddef.h>

#pragma clang assume_nonnull begin

// Null when there is no memory, or no such ratio.
void *_Nullable csoxr_make(double from_hertz, double to_hertz);
// Takes `count` frames and gives at most `capacity`; how many it gave, or -1. It takes all of them
// if there is room for what they become. No input (null) asks for what is still inside; then 0 is
// the end.
long csoxr_run(void *resampler, const float *_Nullable in, size_t count, float *out,
               size_t capacity, size_t *taken);
void csoxr_free(void *resampler);

#pragma clang assume_nonnull end

#endif
