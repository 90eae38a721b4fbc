#include "settings.h"

#include <avr/eeprom.h>
#include <string.h>

#define SETTINGS_VERSION 1

/* At address 0 of the EEPROM. */
typedef struct {
    settings_t settings;
    uint16_t starts;
} kept_t;
static kept_t EEMEM kept;

static const settings_t defaults = {SETTINGS_VERSION, EDGES_PER_DETENT, SLOTS, BROKEN_LEVEL, SERIAL_NUMBER};

settings_t settings;

void settings_read(void)
{
    eeprom_read_block(&settings, &kept.settings, sizeof settings);
    const uint8_t edges = settings.edges_per_detent;
    if (settings.version != SETTINGS_VERSION || (edges != 1 && edges != 2 && edges != 4) || settings.slots > 1 ||
        settings.broken_level > 1)
        memcpy(&settings, &defaults, sizeof settings);
}

uint16_t settings_boot_id(void)
{
    const uint16_t boot_id = eeprom_read_word(&kept.starts) + 1;
    eeprom_update_word(&kept.starts, boot_id);
    return boot_id;
}
