// Writes recordings in every format that timerbox-import reads, by libsndfile itself.
#ifndef RECORDING_MAKER_H
#define RECORDING_MAKER_H

#include <stdint.h>

extern const int32_t recording_maker_wav16, recording_maker_wav24, recording_maker_wav_float,
    recording_maker_flac, recording_maker_vorbis, recording_maker_opus, recording_maker_mp3,
    recording_maker_aiff;

// Writes interleaved samples, full scale 1. Gives 1, or 0 where that failed.
int32_t recording_maker_write(const char *path, int32_t format, int32_t rate_hertz,
                              int32_t channels, const float *samples, int64_t frames);

#endif
