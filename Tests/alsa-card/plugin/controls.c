// `ctl.NAME { type timed controls "NAME VOLUME SWITCH FIXED DECIBELS RIGHT, …" }`: the controls
// of a card that is not there. In NAME a `_` is a blank. VOLUME is 0 to 100 or -1 for none, SWITCH
// is 0, 1 or -1 for none, and with FIXED a switch stays as it is. VOLUME 0 is so many DECIBELS and
// 100 is none; where DECIBELS is 0 or missing, the card does not say. RIGHT is the volume of a
// second channel. As those of a card, they keep what they are set to for as long as the process
// runs.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <pthread.h>

enum { CONTROLS_MAX = 16 };

struct control {
  char name[64];
  int is_switch;
  int is_fixed;
  int decibels;
  unsigned channels;
  long values[2];
};

// A card without a number; the list of all outlives every handle.
struct controls {
  struct controls *next;
  char name[64];
  struct control all[CONTROLS_MAX];
  unsigned count;
};

static struct controls *every;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct controls *controls_of(snd_ctl_ext_t *ext) { return ext->private_data; }

static struct control *control_of(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key) {
  return &controls_of(ext)->all[key];
}

static void close_controls(snd_ctl_ext_t *ext) { free(ext); }

static int count_of(snd_ctl_ext_t *ext) { return (int)controls_of(ext)->count; }

static int list(snd_ctl_ext_t *ext, unsigned place, snd_ctl_elem_id_t *id) {
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, control_of(ext, place)->name);
  return 0;
}

static snd_ctl_ext_key_t find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  const struct controls *controls = ext->private_data;
  for (unsigned place = 0; place < controls->count; place++)
    if (strcmp(controls->all[place].name, snd_ctl_elem_id_get_name(id)) == 0) return place;
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access,
                     unsigned *count) {
  *type = control_of(ext, key)->is_switch ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  if (control_of(ext, key)->decibels)
    *access |= SND_CTL_EXT_ACCESS_TLV_READ | SND_CTL_EXT_ACCESS_TLV_CALLBACK;
  *count = control_of(ext, key)->channels;
  return 0;
}

static int scale(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int operation, unsigned numid,
                 unsigned *tlv, unsigned size) {
  (void)numid;
  if (operation != 0 || size < 4 * sizeof *tlv) return -EINVAL;
  tlv[0] = SND_CTL_TLVT_DB_MINMAX;
  tlv[1] = 2 * sizeof *tlv;
  tlv[2] = (unsigned)(control_of(ext, key)->decibels * 100);
  tlv[3] = 0;
  return 0;
}

static int range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
  *least = 0;
  *most = control_of(ext, key)->is_switch ? 1 : 100;
  *step = 1;
  return 0;
}

static int get(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  const struct control *control = control_of(ext, key);
  for (unsigned channel = 0; channel < control->channels; channel++)
    value[channel] = control->values[channel];
  return 0;
}

static int set(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct control *control = control_of(ext, key);
  if (control->is_fixed) return -EPERM;
  int changes = 0;
  for (unsigned channel = 0; channel < control->channels; channel++) {
    changes |= control->values[channel] != value[channel];
    control->values[channel] = value[channel];
  }
  return changes;
}

static int no_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
  (void)ext, (void)id, (void)mask;
  return -EAGAIN;
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_controls,
    .elem_count = count_of,
    .elem_list = list,
    .find_elem = find,
    .get_attribute = attribute,
    .get_integer_info = range,
    .read_integer = get,
    .write_integer = set,
    .read_event = no_event,
};

static struct control *add(struct controls *controls, const char *name, const char *what,
                           int value, int right) {
  static struct control none;
  if (value < 0 || controls->count == CONTROLS_MAX) return &none;
  struct control *control = &controls->all[controls->count++];
  // A name that says more than what it is of is whole.
  snprintf(control->name, sizeof control->name, strstr(name, "Playback") ? "%s" : "%s Playback %s",
           name, what);
  control->is_switch = strcmp(what, "Switch") == 0;
  control->channels = right < 0 ? 1 : 2;
  control->values[0] = value;
  control->values[1] = right;
  return control;
}

static void parse(struct controls *controls, char *text) {
  for (char *save, *part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
    char name[32];
    int volume, is_on, is_fixed = 0, decibels = 0, right = -1;
    if (sscanf(part, " %31s %d %d %d %d %d", name, &volume, &is_on, &is_fixed, &decibels,
               &right) < 3)
      continue;
    for (char *letter = name; *letter; letter++)
      if (*letter == '_') *letter = ' ';
    add(controls, name, "Volume", volume, right)->decibels = decibels;
    add(controls, name, "Switch", is_on, -1)->is_fixed = is_fixed;
  }
}

static struct controls *find_controls(const char *name, const char *text) {
  for (struct controls *known = every; known; known = known->next)
    if (strcmp(known->name, name) == 0) return known;
  struct controls *controls = calloc(1, sizeof *controls);
  char *copy = strdup(text);
  if (controls == NULL || copy == NULL) return NULL;
  parse(controls, copy);
  free(copy);
  snprintf(controls->name, sizeof controls->name, "%s", name);
  controls->next = every;
  every = controls;
  return controls;
}

SND_CTL_PLUGIN_DEFINE_FUNC(timed) {
  (void)root;
  snd_config_iterator_t place, next;
  const char *text = "";
  snd_config_for_each(place, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(place);
    const char *id;
    if (snd_config_get_id(entry, &id) >= 0 && strcmp(id, "controls") == 0)
      snd_config_get_string(entry, &text);
  }
  pthread_mutex_lock(&lock);
  struct controls *controls = find_controls(name, text);
  pthread_mutex_unlock(&lock);
  snd_ctl_ext_t *ext = calloc(1, sizeof *ext);
  if (controls == NULL || ext == NULL) return -ENOMEM;
  *ext = (snd_ctl_ext_t){
      .version = SND_CTL_EXT_VERSION,
      .card_idx = 0,
      .id = "timed",
      .driver = "timed",
      .name = "timed",
      .longname = "controls of no card",
      .mixername = "timed",
      .poll_fd = -1,
      .callback = &callbacks,
      .tlv.c = scale,
      .private_data = controls,
  };
  const int error = snd_ctl_ext_create(ext, name, mode);
  if (error < 0) {
    free(ext);
    return error;
  }
  *handlep = ext->handle;
  return 0;
}
SND_CTL_PLUGIN_SYMBOL(timed);
