// play FOLDER: plays hands on the lines of a gpio-sim chip.
//
// FOLDER is the chip's own in sysfs. Each line of standard input is `MICROSECONDS OFFSET LEVEL`, in
// order of time: so long after the start, the line of that offset is at 1 (pulled up) or at 0. A
// change that comes late moves all later ones, for a machine that stands still now and then must
// not make a hand faster.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES_MAX = 64 };

static const char *folder;
static int pulls[LINES_MAX];

static void fail(const char *what) {
  fprintf(stderr, "play: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int pull_of(unsigned offset) {
  if (pulls[offset] < 0) {
    char path[512];
    snprintf(path, sizeof path, "%s/sim_gpio%u/pull", folder, offset);
    pulls[offset] = open(path, O_WRONLY | O_CLOEXEC);
    if (pulls[offset] < 0) fail(path);
  }
  return pulls[offset];
}

// Sleeps from the last change on, whenever that was.
static void wait_for(long long microseconds) {
  struct timespec span = {microseconds / 1000000, microseconds % 1000000 * 1000};
  while (nanosleep(&span, &span) < 0 && errno == EINTR) continue;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: play FOLDER <TIMELINE\n");
    return 64;
  }
  folder = arguments[1];
  for (int offset = 0; offset < LINES_MAX; offset++) pulls[offset] = -1;

  long long last = 0, microseconds;
  unsigned offset, level;
  int fields;
  while ((fields = scanf("%lld %u %u", &microseconds, &offset, &level)) == 3) {
    if (microseconds < last || offset >= LINES_MAX || level > 1) break;
    wait_for(microseconds - last);
    last = microseconds;
    const char *pull = level ? "pull-up" : "pull-down";
    if (write(pull_of(offset), pull, strlen(pull)) < 0) fail("write");
  }
  if (fields != EOF) {
    fprintf(stderr, "play: expected MICROSECONDS OFFSET LEVEL\n");
    return 65;
  }
  return 0;
}
