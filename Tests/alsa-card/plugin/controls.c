// `ctl.NAME { type timed controls "NAME VOLUME SWITCH FIXED, …" }`: the controls of a card that
// is not there. VOLUME is 0 to 100 or -1 for none, SWITCH is 0, 1 or -1 for none, and with FIXED a
// switch stays as it is.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>

enum { CONTROLS_MAX = 16 };

struct control {
  char name[64];
  int is_switch;
  int is_fixed;
  long value;
};

struct controls {
  snd_ctl_ext_t ext;
  struct control all[CONTROLS_MAX];
  unsigned count;
};

static struct control *control_of(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key) {
  return &((struct controls *)ext->private_data)->all[key];
}

static void close_controls(snd_ctl_ext_t *ext) { free(ext->private_data); }

static int count_of(snd_ctl_ext_t *ext) {
  return (int)((struct controls *)ext->private_data)->count;
}

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
  *count = 1;
  return 0;
}

static int range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
  *least = 0;
  *most = control_of(ext, key)->is_switch ? 1 : 100;
  *step = 1;
  return 0;
}

static int get(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  *value = control_of(ext, key)->value;
  return 0;
}

static int set(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct control *control = control_of(ext, key);
  if (control->is_fixed) return -EPERM;
  const int changes = control->value != *value;
  control->value = *value;
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

static void add(struct controls *controls, const char *name, const char *what, int is_fixed,
                int value) {
  if (value < 0 || controls->count == CONTROLS_MAX) return;
  struct control *control = &controls->all[controls->count++];
  snprintf(control->name, sizeof control->name, "%s Playback %s", name, what);
  control->is_switch = strcmp(what, "Switch") == 0;
  control->is_fixed = is_fixed;
  control->value = value;
}

static void parse(struct controls *controls, char *text) {
  for (char *save, *part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
    char name[32];
    int volume, is_on, is_fixed = 0;
    if (sscanf(part, " %31s %d %d %d", name, &volume, &is_on, &is_fixed) < 3) continue;
    add(controls, name, "Volume", 0, volume);
    add(controls, name, "Switch", is_fixed, is_on);
  }
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
  struct controls *controls = calloc(1, sizeof *controls);
  char *copy = strdup(text);
  if (controls == NULL || copy == NULL) return -ENOMEM;
  parse(controls, copy);
  free(copy);
  controls->ext = (snd_ctl_ext_t){
      .version = SND_CTL_EXT_VERSION,
      .card_idx = 0,
      .id = "timed",
      .driver = "timed",
      .name = "timed",
      .longname = "controls of no card",
      .mixername = "timed",
      .poll_fd = -1,
      .callback = &callbacks,
      .private_data = controls,
  };
  const int error = snd_ctl_ext_create(&controls->ext, name, mode);
  if (error < 0) {
    free(controls);
    return error;
  }
  *handlep = controls->ext.handle;
  return 0;
}
SND_CTL_PLUGIN_SYMBOL(timed);
