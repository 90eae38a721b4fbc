#include "settings.h"

#include <avr/eeprom.h>
#include <string.h>

#define SETTINGS_VERSION 1

static const settings_t defaults = {SETTINGS_VERSION, 4, 0, 0, "unnamed"};

/* At address 0. What the macros say goes to a file of its own: one program fits all boards. */
static settings_t EEMEM stored = {SETTINGS_VERSION, EDGES_PER_DETENT, SLOTS, BROKEN_LEVEL, SERIAL_NUMBER};
static uint16_t EEMEM starts = 0;

settings_t settings;

void settings_read(void)
{
    eeprom_read_block(&settings, &stored, sizeof settings);
    const uint8_t edges = settings.edges_per_detent;
    if (settings.version != SETTINGS_VERSION || (edges != 1 && edges != 2 && edges != 4) || settings.slots > 1 ||
        settings.broken_level > 1)
        memcpy(&settings, &defaults, sizeof settings);
}

uint16_t settings_boot_id(void)
{
    const uint16_t boot_id = eeprom_read_word(&starts) + 1;
    eeprom_update_word(&starts, boot_id);
    return boot_id;
}
