#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "TimedCard.h"

_Static_assert(sizeof(struct timed_card) <= TIMED_CARD_CAPTURE, "the sound begins after the card");

struct timed_card *timed_card_make(const char *path, int64_t sound_bytes) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  const int64_t size = TIMED_CARD_CAPTURE + sound_bytes;
  void *memory = MAP_FAILED;
  if (ftruncate(file, size) == 0)
    memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

void timed_card_release(struct timed_card *card, int64_t sound_bytes) {
  munmap(card, (size_t)(TIMED_CARD_CAPTURE + sound_bytes));
}

const int32_t *timed_card_heard(const struct timed_card *card) {
  return (const int32_t *)((const char *)card + TIMED_CARD_CAPTURE);
}

int64_t timed_card_time(const struct timed_card *card, int64_t frame) {
  struct timed_card_run run = card->runs[0];
  for (int64_t place = 1; place < card->run_count && card->runs[place].frame <= frame; place++)
    run = card->runs[place];
  const double rate = (double)card->rate * (1 + (double)card->crystal_ppm * 1e-6);
  return run.start_ns + (int64_t)((double)(frame - run.frame) * 1e9 / rate);
}
