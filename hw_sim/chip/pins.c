#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_ioport.h>

#define LAMP_ROW 3
#define LAMP_LEAST_US 1000 /* shorter flashes are the matrix being read */

typedef struct {
    const char *name;
    char port;
    int pin;
    int inverted; /* a closed contact pulls its pin down */
} line_t;

static const line_t LINES[] = {
    {"knob_a", 'D', 2, 1}, {"knob_b", 'D', 3, 1},
    {"entry1", 'D', 4, 0}, {"entry2", 'D', 5, 0}, {"entry3", 'D', 6, 0}, {"entry4", 'D', 7, 0},
    {"exit1", 'C', 0, 0}, {"exit2", 'C', 1, 0}, {"exit3", 'C', 2, 0}, {"exit4", 'C', 3, 0},
};
#define LINE_COUNT (int)(sizeof LINES / sizeof *LINES)
static const line_t ROWS[4] = {{"", 'B', 2, 0}, {"", 'B', 3, 0}, {"", 'B', 4, 0}, {"", 'B', 5, 0}};
static const line_t COLUMNS[4] = {{"", 'B', 0, 0}, {"", 'B', 1, 0}, {"", 'C', 4, 0}, {"", 'C', 5, 0}};

typedef struct {
    uint64_t at_us;
    int line; /* below LINE_COUNT, or LINE_COUNT + 4 x (channel - 1) + (slot - 1) */
    int level;
} change_t;

static int levels[LINE_COUNT + 16];
static int row_high[4];
static uint64_t lamp_since_us;
static int lamp_told, lamp_now;
static change_t *changes;
static size_t change_count, change_first, change_room;

static avr_irq_t *pin_irq(const line_t *line)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(line->port), line->pin);
}

/* The port is told, too: it would put a pull-up's level on the pin when the firmware switches that on. */
static void drive(const line_t *line, int level)
{
    static uint8_t driven[3], high[3];
    const int port = line->port - 'B', bit = 1 << line->pin;
    driven[port] |= bit;
    high[port] = level ^ line->inverted ? high[port] | bit : high[port] & ~bit;
    avr_ioport_external_t pulled = {.name = line->port, .mask = driven[port], .value = high[port]};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(line->port), &pulled);
    avr_raise_irq(pin_irq(line), level ^ line->inverted);
}

static void drive_columns(void)
{
    for (int slot = 0; slot < 4; slot++) {
        int high = 0;
        for (int channel = 0; channel < 4; channel++)
            high |= row_high[channel] && levels[LINE_COUNT + 4 * channel + slot];
        drive(&COLUMNS[slot], high);
    }
}

static void row_changed(avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    const int channel = (int)(intptr_t)which;
    row_high[channel] = value & 1;
    if (channel == LAMP_ROW) {
        lamp_now = value & 1;
        lamp_since_us = now_us();
    }
    drive_columns();
}

static avr_cycle_count_t apply_changes(avr_t *chip, avr_cycle_count_t when, void *unused)
{
    (void)unused;
    for (; change_first < change_count; change_first++) {
        const change_t *change = &changes[change_first];
        const uint64_t due = change->at_us * CYCLES_PER_US;
        if (due > base_cycles + chip->cycle)
            return when + (due - base_cycles - chip->cycle);
        levels[change->line] = change->level;
        if (change->line < LINE_COUNT)
            drive(&LINES[change->line], change->level);
        else
            drive_columns();
    }
    change_first = change_count = 0;
    return 0;
}

static void register_next(void)
{
    avr_cycle_timer_cancel(avr, apply_changes, NULL);
    if (change_first < change_count && powered) {
        const uint64_t due = changes[change_first].at_us * CYCLES_PER_US, now = base_cycles + avr->cycle;
        avr_cycle_timer_register(avr, due > now ? due - now : 1, apply_changes, NULL);
    }
}

/* A reset clears the pins' registers, while the simulator remembers their levels and drops what is no change. */
void pins_after_reset(void)
{
    lamp_now = 0;
    for (int line = 0; line < LINE_COUNT; line++) {
        drive(&LINES[line], !levels[line]);
        drive(&LINES[line], levels[line]);
    }
    memset(row_high, 0, sizeof row_high);
    for (int slot = 0; slot < 4; slot++)
        drive(&COLUMNS[slot], 1);
    drive_columns();
    register_next();
}

int pins_line(const char *name)
{
    int channel, slot;
    for (int line = 0; line < LINE_COUNT; line++)
        if (!strcmp(LINES[line].name, name))
            return line;
    if (sscanf(name, "slot%d.%d", &channel, &slot) == 2 && channel >= 1 && channel <= 4 && slot >= 1 && slot <= 4)
        return LINE_COUNT + 4 * (channel - 1) + slot - 1;
    fail("there is no line %s", name);
}

void pins_plan(uint64_t at_us, int line, int level)
{
    if (change_count == change_room) {
        change_room = change_room ? 2 * change_room : 1024;
        changes = realloc(changes, change_room * sizeof *changes);
        if (!changes)
            fail("out of memory");
    }
    changes[change_count++] = (change_t){at_us, line, level & 1};
    if (change_count == change_first + 1)
        register_next();
}

/* A chip without power: its lines go on changing all the same. */
void pins_pass_unpowered(void)
{
    for (; change_first < change_count && changes[change_first].at_us <= now_us(); change_first++)
        levels[changes[change_first].line] = changes[change_first].level;
    if (change_first == change_count)
        change_first = change_count = 0;
}

void pins_tell_lamp(void)
{
    const int lit = lamp_now && powered;
    if (lit == lamp_told || (powered && now_us() - lamp_since_us < LAMP_LEAST_US))
        return;
    lamp_told = lit;
    printf("lamp %llu %d\n", (unsigned long long)now_us(), lamp_told);
}

void pins_connect(void)
{
    for (int row = 0; row < 4; row++)
        avr_irq_register_notify(pin_irq(&ROWS[row]), row_changed, (void *)(intptr_t)row);
    for (int line = 2; line < LINE_COUNT; line++)
        levels[line] = 1; /* beams are clear */
}
