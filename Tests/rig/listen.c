// listen CARD COUNT: waits on the far end of a loopback card (its device 1) and prints a line for
// each sound that begins after a tenth of a second of silence, so many and no more.
// listen CARD hold: holds the near end until it is killed, and says so.

#include <alsa/asoundlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 48000, SILENCE = RATE / 10, BLOCK = 480 };

static void check(long result, const char *what) {
  if (result >= 0) return;
  fprintf(stderr, "listen: %s: %s\n", what, snd_strerror((int)result));
  exit(1);
}

static snd_pcm_t *open_pcm(const char *card, int device, snd_pcm_stream_t stream) {
  char name[128];
  snprintf(name, sizeof name, "hw:CARD=%s,DEV=%d", card, device);
  snd_pcm_t *pcm;
  check(snd_pcm_open(&pcm, name, stream, 0), name);
  check(snd_pcm_set_params(pcm, SND_PCM_FORMAT_S32_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, RATE, 0,
                           200000),
        "parameters");
  return pcm;
}

static void hold(const char *card) {
  open_pcm(card, 0, SND_PCM_STREAM_PLAYBACK);
  printf("holds\n");
  fflush(stdout);
  pause();
}

static void hear(const char *card, int count) {
  snd_pcm_t *pcm = open_pcm(card, 1, SND_PCM_STREAM_CAPTURE);
  // A read that is shorter than the buffer does not start it.
  check(snd_pcm_start(pcm), "start");
  printf("listens\n");
  fflush(stdout);
  static int32_t block[2 * BLOCK];
  // What sounds already when it begins to listen counts too.
  long long frame = 0, silent = SILENCE;
  while (count > 0) {
    const snd_pcm_sframes_t got = snd_pcm_readi(pcm, block, BLOCK);
    if (got < 0) {
      check(snd_pcm_recover(pcm, (int)got, 1), "read");
      check(snd_pcm_start(pcm), "start");
      continue;
    }
    for (snd_pcm_sframes_t place = 0; place < got; place++, frame++) {
      if (block[2 * place] == 0) {
        silent++;
        continue;
      }
      if (silent >= SILENCE && count-- > 0) {
        printf("onset %lld\n", frame);
        fflush(stdout);
      }
      silent = 0;
    }
  }
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: listen CARD COUNT|hold\n");
    return 64;
  }
  if (strcmp(arguments[2], "hold") == 0) hold(arguments[1]);
  else hear(arguments[1], atoi(arguments[2]));
  return 0;
}
