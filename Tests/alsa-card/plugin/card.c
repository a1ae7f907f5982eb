// `pcm.NAME { type timed state FILE }`: see ../include/TimedCard.h.
//
// Invariants:
// - Only what has been played is heard: what is still queued when the stream stops is lost, and the
//   next run of the stream is captured in its place.
// - The pointer moves by the clock alone, whoever asks for it and how often.
// - After the opening it allocates nothing, locks nothing and makes no system call but reading the
//   clock and its own timer.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../include/TimedCard.h"

struct timed {
  snd_pcm_ioplug_t io;
  struct timed_card *card;
  int32_t *heard;
  size_t size;
  int is_running;
  int64_t start_ns;
  int64_t last_look_ns;
  int64_t written;  // frames since the stream was prepared
  int64_t played;   // of these
  int64_t base;     // where the capture of this run begins
};

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// As a driver does that does not return.
static void hang(int64_t span_ns) {
  if (span_ns <= 0) return;
  const struct timespec span = {span_ns / 1000000000, span_ns % 1000000000};
  nanosleep(&span, NULL);
}

static double frames_per_ns(const struct timed *timed) {
  return timed->io.rate * 1e-9 * (1 + timed->card->crystal_ppm * 1e-6);
}

// What left while the output was still asleep is not heard.
static void swallow(struct timed *timed, int64_t from, int64_t to) {
  const int64_t awake = timed->card->opened_ns + timed->card->swallow_ns;
  const double until = (awake - timed->start_ns) * frames_per_ns(timed);
  const int64_t channels = timed->io.channels;
  for (int64_t frame = from; frame < to && frame < until; frame++)
    for (int64_t channel = 0; channel < channels; channel++)
      timed->heard[(timed->base + frame) * channels + channel] = 0;
}

// Plays on until now, and says whether the stream has run empty.
static int play(struct timed *timed) {
  struct timed_card *card = timed->card;
  const int64_t now = now_ns();
  if (card->stands_still) timed->start_ns += now - timed->last_look_ns;
  timed->last_look_ns = now;
  int64_t due = (int64_t)floor((now - timed->start_ns) * frames_per_ns(timed));
  const int64_t quantum = card->quantum_frames > 1 ? card->quantum_frames : 1;
  due -= due % quantum;
  const int64_t end = due < timed->written ? due : timed->written;
  if (timed->written - end < card->least_queue) card->least_queue = timed->written - end;
  if (end > timed->played) {
    swallow(timed, timed->played, end);
    timed->played = end;
    card->heard_frames = timed->base + end;
  }
  return due >= timed->written;
}

static void halt(struct timed *timed) {
  if (!timed->is_running) return;
  play(timed);
  timed->is_running = 0;
  timed->base = timed->card->heard_frames;
}

static int64_t position(const struct timed *timed) {
  return timed->played % (int64_t)timed->io.buffer_size;
}

static snd_pcm_sframes_t pointer_of(snd_pcm_ioplug_t *io) {
  struct timed *timed = io->private_data;
  struct timed_card *card = timed->card;
  card->looks++;
  if (card->is_away) {
    // A negative position would be taken for an underrun.
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    return position(timed);
  }
  if (card->suspends) {
    card->suspends = 0;
    halt(timed);
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
    return position(timed);
  }
  if (!timed->is_running) return position(timed);
  if (!play(timed) || io->state == SND_PCM_STATE_DRAINING) return position(timed);
  card->underruns++;
  halt(timed);
  return -EPIPE;
}

static int32_t widened(snd_pcm_format_t format, const unsigned char *bytes) {
  switch (format) {
    case SND_PCM_FORMAT_S16_LE:
      return (int32_t)((uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 24);
    case SND_PCM_FORMAT_S24_LE:
    case SND_PCM_FORMAT_S24_3LE:
      return (int32_t)((uint32_t)bytes[0] << 8 | (uint32_t)bytes[1] << 16 |
                       (uint32_t)bytes[2] << 24);
    case SND_PCM_FORMAT_FLOAT_LE: {
      float value;
      memcpy(&value, bytes, sizeof value);
      return (int32_t)(value * 2147483520.0f);
    }
    default: {
      int32_t value;
      memcpy(&value, bytes, sizeof value);
      return value;
    }
  }
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct timed *timed = io->private_data;
  if (timed->card->is_away) return -ENODEV;
  if (timed->card->says_again) return -EAGAIN;
  const int64_t writing_ns = timed->card->writing_ns;
  timed->card->writing_ns = 0;
  hang(writing_ns);
  const int64_t room = ((int64_t)timed->size - TIMED_CARD_CAPTURE) / 4 / io->channels;
  for (snd_pcm_uframes_t frame = 0; frame < size; frame++, timed->written++) {
    const int64_t place = timed->base + timed->written;
    if (place >= room) continue;
    for (unsigned channel = 0; channel < io->channels; channel++) {
      const snd_pcm_channel_area_t *area = &areas[channel];
      const unsigned char *bytes =
          (const unsigned char *)area->addr + (area->first + area->step * (offset + frame)) / 8;
      timed->heard[place * io->channels + channel] = widened(io->format, bytes);
    }
  }
  return (snd_pcm_sframes_t)size;
}

static int start(snd_pcm_ioplug_t *io) {
  struct timed *timed = io->private_data;
  struct timed_card *card = timed->card;
  if (card->is_away) return -ENODEV;
  if (timed->written == 0) return -EPIPE;
  timed->start_ns = timed->last_look_ns = now_ns();
  timed->is_running = 1;
  card->starts++;
  card->least_queue = timed->written;
  if (card->run_count < TIMED_CARD_RUNS) {
    const int64_t fifo_ns = card->fifo_frames * INT64_C(1000000000) / io->rate;
    card->runs[card->run_count] =
        (struct timed_card_run){.frame = timed->base, .start_ns = timed->start_ns + fifo_ns};
    card->run_count++;
  }
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  halt(io->private_data);
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  struct timed *timed = io->private_data;
  if (timed->card->is_away) return -ENODEV;
  halt(timed);
  timed->card->preparations++;
  timed->written = timed->played = 0;
  return 0;
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  struct timed *timed = io->private_data;
  // Not `play`: libasound asks after the pointer was, and both must be of one instant.
  *frames = timed->written - timed->played + timed->card->fifo_frames;
  return 0;
}

static int configure(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
  (void)parameters;
  struct timed *timed = io->private_data;
  struct timed_card *card = timed->card;
  card->configurations++;
  card->rate = io->rate;
  card->channels = io->channels;
  card->format = io->format;
  card->period_frames = (int64_t)io->period_size;
  card->buffer_frames = (int64_t)io->buffer_size;
  const int64_t tick = (int64_t)io->period_size * INT64_C(500000000) / io->rate;
  const struct timespec span = {tick / 1000000000, tick % 1000000000};
  const struct itimerspec setting = {.it_interval = span, .it_value = span};
  timerfd_settime(io->poll_fd, 0, &setting, NULL);
  return 0;
}

// Only for programs that wait on descriptors.
static int events(snd_pcm_ioplug_t *io, struct pollfd *waited, unsigned count,
                  unsigned short *revents) {
  struct timed *timed = io->private_data;
  uint64_t ticks;
  if (count > 0 && read(waited[0].fd, &ticks, sizeof ticks) < 0) ticks = 0;
  if (timed->is_running) play(timed);
  const int64_t room = (int64_t)io->buffer_size - (timed->written - timed->played);
  *revents = room >= (int64_t)io->period_size ? POLLOUT : 0;
  if (timed->card->is_away) *revents = POLLERR | POLLHUP;
  return 0;
}

static int close_card(snd_pcm_ioplug_t *io) {
  struct timed *timed = io->private_data;
  halt(timed);
  timed->card->closings++;
  timed->card->is_open = 0;
  munmap(timed->card, timed->size);
  close(io->poll_fd);
  free(timed);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer_of,
    .transfer = transfer,
    .close = close_card,
    .hw_params = configure,
    .prepare = prepare,
    .delay = delay,
    .poll_revents = events,
};

static int limit(snd_pcm_ioplug_t *io, int what, int64_t least, int64_t most, int64_t least_default,
                 int64_t most_default) {
  return snd_pcm_ioplug_set_param_minmax(io, what, (unsigned)(least ? least : least_default),
                                         (unsigned)(most ? most : most_default));
}

static int set_limits(struct timed *timed) {
  const struct timed_card *card = timed->card;
  snd_pcm_ioplug_t *io = &timed->io;
  // Without access by mapping no conversion can stand in front of it.
  static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED,
                                      SND_PCM_ACCESS_MMAP_INTERLEAVED};
  static const unsigned linear[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_LE,
                                    SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S32_LE};
  const unsigned only = (unsigned)(card->only_format - 1);
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (error == 0)
    error = card->only_format
                ? snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, &only)
                : snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 4, linear);
  if (error == 0)
    error = limit(io, SND_PCM_IOPLUG_HW_CHANNELS, card->channels_min, card->channels_max, 1, 8);
  if (error == 0)
    error = limit(io, SND_PCM_IOPLUG_HW_RATE, card->rate_min, card->rate_max, 8000, 192000);
  if (error == 0)
    error = limit(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, card->period_bytes_min,
                  card->period_bytes_max, 64, 1 << 26);
  if (error == 0)
    error = limit(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, card->buffer_bytes_min,
                  card->buffer_bytes_max, 128, 1 << 28);
  if (error == 0) error = limit(io, SND_PCM_IOPLUG_HW_PERIODS, 0, card->periods_max, 1, 1024);
  return error;
}

// Why the card cannot be opened now, as a negated errno.
static int refusal(const struct timed_card *card) {
  if (card->is_away) return card->away_error ? (int)-card->away_error : -ENODEV;
  if (card->open_error) return (int)-card->open_error;
  return card->is_open || now_ns() < card->busy_until_ns ? -EBUSY : 0;
}

static int map_state(struct timed *timed, const char *path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return -errno;
  struct stat status;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0)
    memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return -errno;
  timed->size = (size_t)status.st_size;
  timed->card = memory;
  timed->heard = (int32_t *)((char *)memory + TIMED_CARD_CAPTURE);
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(timed) {
  (void)root;
  snd_config_iterator_t place, next;
  const char *path = NULL;
  snd_config_for_each(place, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(place);
    const char *id;
    if (snd_config_get_id(entry, &id) >= 0 && strcmp(id, "state") == 0)
      snd_config_get_string(entry, &path);
  }
  if (path == NULL || stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  struct timed *timed = calloc(1, sizeof *timed);
  if (timed == NULL) return -ENOMEM;
  int error = map_state(timed, path);
  if (error < 0) {
    free(timed);
    return error;
  }
  struct timed_card *card = timed->card;
  card->opening_attempts++;
  hang(card->opening_ns);
  error = refusal(card);
  if (error < 0) goto unmap;
  timed->io = (snd_pcm_ioplug_t){
      .version = SND_PCM_IOPLUG_VERSION,
      .name = "A card that keeps time",
      .poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
      .poll_events = POLLIN,
      .callback = &callbacks,
      .private_data = timed,
      .flags = SND_PCM_IOPLUG_FLAG_MONOTONIC,
  };
  error = snd_pcm_ioplug_create(&timed->io, name, stream, mode);
  if (error == 0) error = set_limits(timed);
  if (error < 0) goto unmap;
  card->openings++;
  card->is_open = 1;
  card->thread = gettid();
  card->opened_ns = now_ns();
  timed->base = card->heard_frames;
  *pcmp = timed->io.pcm;
  return 0;

unmap:
  munmap(timed->card, timed->size);
  free(timed);
  return error;
}
SND_PCM_PLUGIN_SYMBOL(timed);
