#include "CSndfile.h"

#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int32_t csndfile_left = SF_CHANNEL_MAP_LEFT, csndfile_right = SF_CHANNEL_MAP_RIGHT,
              csndfile_front_left = SF_CHANNEL_MAP_FRONT_LEFT,
              csndfile_front_right = SF_CHANNEL_MAP_FRONT_RIGHT,
              csndfile_center = SF_CHANNEL_MAP_CENTER,
              csndfile_front_center = SF_CHANNEL_MAP_FRONT_CENTER,
              csndfile_mono = SF_CHANNEL_MAP_MONO, csndfile_rear_left = SF_CHANNEL_MAP_REAR_LEFT,
              csndfile_rear_right = SF_CHANNEL_MAP_REAR_RIGHT,
              csndfile_side_left = SF_CHANNEL_MAP_SIDE_LEFT,
              csndfile_side_right = SF_CHANNEL_MAP_SIDE_RIGHT,
              csndfile_rear_center = SF_CHANNEL_MAP_REAR_CENTER,
              csndfile_left_of_center = SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER,
              csndfile_right_of_center = SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER,
              csndfile_lfe = SF_CHANNEL_MAP_LFE;

struct file {
  SNDFILE *sound;
  const char *bytes;
  sf_count_t count;
  sf_count_t place;
};

static sf_count_t length(void *context) { return ((struct file *)context)->count; }

static sf_count_t tell(void *context) { return ((struct file *)context)->place; }

static sf_count_t seek(sf_count_t offset, int whence, void *context) {
  struct file *file = context;
  sf_count_t base = whence == SEEK_CUR ? file->place : whence == SEEK_END ? file->count : 0;
  sf_count_t place;
  if (__builtin_add_overflow(base, offset, &place) || place < 0 || place > file->count) return -1;
  return file->place = place;
}

static sf_count_t fetch(void *bytes, sf_count_t count, void *context) {
  struct file *file = context;
  sf_count_t left = file->count - file->place;
  if (count > left) count = left;
  if (count <= 0) return 0;
  memcpy(bytes, file->bytes + file->place, (size_t)count);
  file->place += count;
  return count;
}

static sf_count_t refuse(const void *bytes, sf_count_t count, void *context) {
  (void)bytes, (void)count, (void)context;
  return 0;
}

static void learn_map(SNDFILE *sound, struct csndfile_info *info) {
  int map[CSNDFILE_CHANNELS_MAX];
  if (info->channels < 1 || info->channels > CSNDFILE_CHANNELS_MAX) return;
  int size = info->channels * (int)sizeof map[0];
  if (sf_command(sound, SFC_GET_CHANNEL_MAP_INFO, map, size) != SF_TRUE) return;
  info->has_map = 1;
  for (int channel = 0; channel < info->channels; channel++) info->map[channel] = map[channel];
}

void *csndfile_open(const void *bytes, size_t count, struct csndfile_info *info) {
  SF_VIRTUAL_IO calls = {length, seek, fetch, refuse, tell};
  SF_INFO found = {0};
  struct file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->bytes = bytes;
  file->count = (sf_count_t)count;
  file->sound = sf_open_virtual(&calls, SFM_READ, &found, file);
  if (!file->sound) {
    free(file);
    return NULL;
  }
  memset(info, 0, sizeof *info);
  info->rate_hertz = found.samplerate;
  info->channels = found.channels;
  info->claimed_frames = found.frames;
  int codec = found.format & SF_FORMAT_SUBMASK;
  info->has_vorbis_order = codec == SF_FORMAT_VORBIS || codec == SF_FORMAT_OPUS;
  learn_map(file->sound, info);
  return file;
}

int64_t csndfile_read(void *file, float *samples, int64_t frames) {
  return sf_readf_float(((struct file *)file)->sound, samples, frames);
}

const char *csndfile_error(void *file) {
  SNDFILE *sound = file ? ((struct file *)file)->sound : NULL;
  return sf_error(sound) == SF_ERR_NO_ERROR ? "" : sf_strerror(sound);
}

void csndfile_close(void *file) {
  sf_close(((struct file *)file)->sound);
  free(file);
}

const char *csndfile_version(void) { return sf_version_string(); }
