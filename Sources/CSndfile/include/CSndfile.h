// libsndfile as timerbox-import needs it: a file that is in memory already, decoded to floats.
#ifndef CSNDFILE_H
#define CSNDFILE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { CSNDFILE_CHANNELS_MAX = 8 };

struct csndfile_info {
  int32_t rate_hertz;
  int32_t channels;
  // What the file says of itself; it may be wrong. INT64_MAX where it does not say.
  int64_t claimed_frames;
  // Nonzero where the order of the channels is known: SF_CHANNEL_MAP_… of each.
  int32_t has_map;
  int32_t map[CSNDFILE_CHANNELS_MAX];
  // Nonzero where the order is that of Vorbis, of which libsndfile makes no map.
  int32_t has_vorbis_order;
};

// Opens the bytes, which must live until the file is closed. What kind of file they are is told by
// the bytes alone. Null when they are none that libsndfile reads; `csndfile_error(NULL)` says why.
void *_Nullable csndfile_open(const void *bytes, size_t count, struct csndfile_info *info);
// The next frames, interleaved; 0 at the end.
int64_t csndfile_read(void *file, float *samples, int64_t frames);
// Why the last call failed; an empty text when it did not.
const char *csndfile_error(void *_Nullable file);
void csndfile_close(void *file);
const char *csndfile_version(void);

extern const int32_t csndfile_left, csndfile_right, csndfile_front_left, csndfile_front_right,
    csndfile_center, csndfile_front_center, csndfile_mono, csndfile_rear_left, csndfile_rear_right,
    csndfile_side_left, csndfile_side_right, csndfile_rear_center, csndfile_left_of_center,
    csndfile_right_of_center, csndfile_lfe;

#pragma clang assume_nonnull end

#endif
