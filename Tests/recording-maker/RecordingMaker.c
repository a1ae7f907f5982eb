#include "RecordingMaker.h"

#include <sndfile.h>

const int32_t recording_maker_wav16 = SF_FORMAT_WAV | SF_FORMAT_PCM_16,
              recording_maker_wav24 = SF_FORMAT_WAV | SF_FORMAT_PCM_24,
              recording_maker_wav_float = SF_FORMAT_WAV | SF_FORMAT_FLOAT,
              recording_maker_flac = SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
              recording_maker_vorbis = SF_FORMAT_OGG | SF_FORMAT_VORBIS,
              recording_maker_opus = SF_FORMAT_OGG | SF_FORMAT_OPUS,
              recording_maker_mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III,
              recording_maker_aiff = SF_FORMAT_AIFF | SF_FORMAT_PCM_16;

int32_t recording_maker_write(const char *path, int32_t format, int32_t rate_hertz,
                              int32_t channels, const float *samples, int64_t frames) {
  SF_INFO info = {.samplerate = rate_hertz, .channels = channels, .format = format};
  SNDFILE *file = sf_open(path, SFM_WRITE, &info);
  if (!file) return 0;
  int64_t done = 0;
  // In blocks: libsndfile's Vorbis writer takes all of one call onto the stack.
  while (done < frames) {
    int64_t count = frames - done < 4096 ? frames - done : 4096;
    if (sf_writef_float(file, samples + done * channels, count) != count) break;
    done += count;
  }
  return sf_close(file) == 0 && done == frames;
}
