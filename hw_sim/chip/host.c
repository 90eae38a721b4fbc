/* The board's chip: the firmware's own ELF on libsimavr, its pins driven by lines on stdin, its serial line on a pty.
 *
 *   host ELF [PATH]         PATH becomes a link to the pty; without it, what is sent is told on stdout
 *
 * Times are microseconds of simulated time since the start, which passes only as `until` and `pace` allow.
 *
 *   pin T LINE LEVEL        a line of the board has this level from T on (entry1.., exit1.., knob_a, knob_b, slot1.1..)
 *   until T                 run to T; answers `at T`
 *   let T                   may run to T; answers nothing
 *   pace SPEED              go on by itself, SPEED simulated seconds in a real one; 0 stops
 *   say HEX                 bytes come in on the serial line
 *   eeprom HEX              before the start only: what the EEPROM holds from address 0 on
 *   reset                   the reset button
 *   unplug, cut, plug       the cable with the power; without it, as where the board has its own; both back
 *   deaf                    the chip's clock interrupt stops: only the watchdog helps
 *   figures                 answers `figures` and what was measured since the start
 *   quit                    as does the end of stdin
 *
 * It tells: `tx T HEX` (without PATH), `lamp T LEVEL`, `crashed T`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <avr_eeprom.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>

#define CYCLES_PER_US 16
#define SLICE_US 2000    /* looked at commands and bytes this often: two turns of the firmware's clock */
#define VECTORS 26
#define RAM_START 0x100
#define PAINT 0xC5

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
#define LAMP_ROW 3
#define LAMP_LEAST_US 1000 /* shorter flashes are the matrix being read */

typedef struct {
    uint64_t at_us;
    int line; /* below LINE_COUNT, or LINE_COUNT + 4 x (channel - 1) + (slot - 1) */
    int level;
} change_t;

static avr_t *avr;
static elf_firmware_t firmware;
static uint64_t base_cycles; /* simulated time at the chip's cycle 0 */
static uint64_t last_cycle;
static uint64_t limit_us;
static double speed;
static struct timespec paced_from;
static uint64_t paced_from_us;
static int until_asked, powered = 1, quitting;

static int levels[LINE_COUNT + 16];
static int row_high[4];
static uint64_t lamp_since_us;
static int lamp_told, lamp_now;
static change_t *changes;
static size_t change_count, change_first, change_room;

static const char *port_path;
static int pty = -1, pty_host = -1;
static uint8_t incoming[4096];
static size_t incoming_first, incoming_count;
static int line_full;

static uint64_t entered[VECTORS], waiting[VECTORS];
static uint64_t longest_cycles[VECTORS], longest_wait_cycles[VECTORS];
static uint32_t entries[VECTORS];

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "chip: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

static uint64_t now_us(void)
{
    return (base_cycles + avr->cycle) / CYCLES_PER_US;
}

static void silent(avr_t *chip, const int level, const char *format, va_list arguments)
{
    (void)chip;
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

/* The simulator would sleep in real time where the chip sleeps. */
static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip;
    (void)cycles;
}

/* --- pins --- */

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

/* A reset clears the pins' registers, while the simulator remembers their levels and drops what is no change. */
static void drive_all(void)
{
    for (int line = 0; line < LINE_COUNT; line++) {
        drive(&LINES[line], !levels[line]);
        drive(&LINES[line], levels[line]);
    }
    memset(row_high, 0, sizeof row_high);
    for (int slot = 0; slot < 4; slot++)
        drive(&COLUMNS[slot], 1);
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

static void plan_changes(void)
{
    avr_cycle_timer_cancel(avr, apply_changes, NULL);
    if (change_first < change_count && powered) {
        const uint64_t due = changes[change_first].at_us * CYCLES_PER_US, now = base_cycles + avr->cycle;
        avr_cycle_timer_register(avr, due > now ? due - now : 1, apply_changes, NULL);
    }
}

static int line_named(const char *name)
{
    int channel, slot;
    for (int line = 0; line < LINE_COUNT; line++)
        if (!strcmp(LINES[line].name, name))
            return line;
    if (sscanf(name, "slot%d.%d", &channel, &slot) == 2 && channel >= 1 && channel <= 4 && slot >= 1 && slot <= 4)
        return LINE_COUNT + 4 * (channel - 1) + slot - 1;
    fail("there is no line %s", name);
    return -1;
}

static void add_change(uint64_t at_us, int line, int level)
{
    if (change_count == change_room) {
        change_room = change_room ? 2 * change_room : 1024;
        changes = realloc(changes, change_room * sizeof *changes);
        if (!changes)
            fail("out of memory");
    }
    changes[change_count++] = (change_t){at_us, line, level};
    if (change_count == change_first + 1)
        plan_changes();
}

/* A chip without power: its lines go on changing all the same. */
static void pass_changes(void)
{
    for (; change_first < change_count && changes[change_first].at_us <= now_us(); change_first++)
        levels[changes[change_first].line] = changes[change_first].level;
    if (change_first == change_count)
        change_first = change_count = 0;
}

/* --- serial line --- */

static void plug_pty(void)
{
    if (!port_path)
        return;
    if (openpty(&pty, &pty_host, NULL, NULL, NULL))
        fail("no pty: %s", strerror(errno));
    struct termios raw;
    tcgetattr(pty_host, &raw);
    cfmakeraw(&raw);
    tcsetattr(pty_host, TCSANOW, &raw);
    fcntl(pty, F_SETFL, O_NONBLOCK);
    unlink(port_path);
    if (symlink(ttyname(pty_host), port_path))
        fail("%s: %s", port_path, strerror(errno));
}

static void unplug_pty(void)
{
    if (pty < 0)
        return;
    unlink(port_path);
    close(pty);
    close(pty_host);
    pty = pty_host = -1;
}

static void sent(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    const uint8_t byte = value;
    if (!port_path)
        printf("tx %llu %02x\n", (unsigned long long)now_us(), byte);
    else if (pty >= 0 && write(pty, &byte, 1) < 0 && errno != EAGAIN)
        fail("the pty: %s", strerror(errno));
}

static void may_send(avr_irq_t *irq, uint32_t value, void *full)
{
    (void)irq;
    (void)value;
    line_full = (int)(intptr_t)full;
}

static void hear(void)
{
    if (pty >= 0 && incoming_count == 0) {
        const ssize_t size = read(pty, incoming, sizeof incoming);
        incoming_first = 0;
        incoming_count = size > 0 ? size : 0;
    }
    avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    while (incoming_count && !line_full && powered) {
        incoming_count--;
        avr_raise_irq(input, incoming[incoming_first++]);
    }
}

/* --- measuring --- */

static void running(avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    const int vector = (int)(intptr_t)which;
    if (value) {
        entered[vector] = avr->cycle;
        entries[vector]++;
        if (waiting[vector] && avr->cycle - waiting[vector] > longest_wait_cycles[vector])
            longest_wait_cycles[vector] = avr->cycle - waiting[vector];
        waiting[vector] = 0;
    } else if (entered[vector] && avr->cycle - entered[vector] > longest_cycles[vector]) {
        longest_cycles[vector] = avr->cycle - entered[vector];
    }
}

static void pending(avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    const int vector = (int)(intptr_t)which;
    if (!value)
        waiting[vector] = 0;
    else if (!waiting[vector])
        waiting[vector] = avr->cycle;
}

static unsigned ram_used(void)
{
    return firmware.datasize + firmware.bsssize;
}

/* Bytes of the stack that were ever written to. */
static unsigned stack_used(void)
{
    unsigned at = RAM_START + ram_used();
    while (at <= avr->ramend && avr->data[at] == PAINT)
        at++;
    return avr->ramend + 1 - at;
}

static void tell_figures(void)
{
    printf("figures flash=%u ram=%u stack=%u", (unsigned)firmware.flashsize, ram_used(), stack_used());
    for (int vector = 0; vector < VECTORS; vector++)
        if (entries[vector])
            printf(" %d=%u/%llu/%llu", vector, entries[vector], (unsigned long long)longest_cycles[vector],
                   (unsigned long long)longest_wait_cycles[vector]);
    printf("\n");
}

/* --- starting --- */

#define A_CENTURY ((avr_cycle_count_t)100 * 365 * 24 * 3600 * 1000000 * CYCLES_PER_US)

/* A timer that is due at the end of a slice, where the simulator would sleep on. */
static avr_cycle_count_t pause_here(avr_t *chip, avr_cycle_count_t when, void *unused)
{
    (void)chip;
    (void)when;
    (void)unused;
    return 0;
}

/* A timer that is never due: when it is gone, the chip was reset. */
static avr_cycle_count_t stay(avr_t *chip, avr_cycle_count_t when, void *unused)
{
    (void)chip;
    (void)unused;
    return when + A_CENTURY;
}

/* After every reset, whoever did it: the simulator forgot its timers, and the flags of its serial line. */
static void after_reset(void)
{
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    if (avr->cycle < last_cycle)
        base_cycles += last_cycle - avr->cycle;
    last_cycle = avr->cycle;
    memset(waiting, 0, sizeof waiting);
    memset(entered, 0, sizeof entered);
    line_full = 0;
    lamp_now = 0;
    avr->state = cpu_Running;
    /* or a low pin before the firmware has said what it wants of it raises interrupts for ever */
    avr_extint_set_strict_lvl_trig(avr, EXTINT_IRQ_OUT_INT0, 0);
    avr_extint_set_strict_lvl_trig(avr, EXTINT_IRQ_OUT_INT1, 0);
    drive_all();
    avr_cycle_timer_register(avr, A_CENTURY, stay, NULL);
    plan_changes();
}

static void reset(void)
{
    last_cycle = avr->cycle;
    avr_reset(avr);
    after_reset();
}

static void power_on(void)
{
    reset();
    memset(avr->data + RAM_START, PAINT, avr->ramend + 1 - RAM_START);
}

static void make_chip(const char *path)
{
    avr_global_logger_set(silent);
    if (elf_read_firmware(path, &firmware))
        fail("%s is no firmware", path);
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = CYCLES_PER_US * 1000000;
    avr = avr_make_mcu_by_name(firmware.mmcu);
    if (!avr)
        fail("libsimavr knows no %s", firmware.mmcu);
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), may_send, (void *)0);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), may_send, (void *)1);
    for (int row = 0; row < 4; row++)
        avr_irq_register_notify(pin_irq(&ROWS[row]), row_changed, (void *)(intptr_t)row);
    for (int vector = 1; vector < VECTORS; vector++) {
        avr_irq_t *irq = avr_get_interrupt_irq(avr, vector);
        if (!irq)
            continue;
        avr_irq_register_notify(irq + AVR_INT_IRQ_RUNNING, running, (void *)(intptr_t)vector);
        avr_irq_register_notify(irq + AVR_INT_IRQ_PENDING, pending, (void *)(intptr_t)vector);
    }
    for (int line = 2; line < LINE_COUNT; line++)
        levels[line] = 1; /* beams are clear */
    power_on();
}

/* --- commands --- */

static double real_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - paced_from.tv_sec + (now.tv_nsec - paced_from.tv_nsec) / 1e9;
}

static size_t unhex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    unsigned byte;
    for (; size < room && sscanf(text, "%2x", &byte) == 1; text += 2)
        bytes[size++] = byte;
    return size;
}

static void obey(char *command)
{
    char name[16];
    unsigned long long at_us;
    int level;
    if (sscanf(command, "pin %llu %15s %d", &at_us, name, &level) == 3) {
        add_change(at_us, line_named(name), level & 1);
    } else if (sscanf(command, "until %llu", &at_us) == 1) {
        limit_us = at_us;
        until_asked = 1;
    } else if (sscanf(command, "let %llu", &at_us) == 1) {
        limit_us = at_us;
    } else if (sscanf(command, "pace %lf", &speed) == 1) {
        clock_gettime(CLOCK_MONOTONIC, &paced_from);
        limit_us = paced_from_us = now_us();
    } else if (!strncmp(command, "say ", 4)) {
        if (incoming_first + incoming_count > sizeof incoming / 2) {
            memmove(incoming, incoming + incoming_first, incoming_count);
            incoming_first = 0;
        }
        const size_t end = incoming_first + incoming_count;
        incoming_count += unhex(command + 4, incoming + end, sizeof incoming - end);
    } else if (!strncmp(command, "eeprom ", 7)) {
        uint8_t bytes[1024];
        avr_eeprom_desc_t content = {bytes, 0, unhex(command + 7, bytes, sizeof bytes)};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &content);
    } else if (!strcmp(command, "reset")) {
        reset();
    } else if (!strcmp(command, "unplug")) {
        powered = 0;
        incoming_count = 0;
        unplug_pty();
    } else if (!strcmp(command, "cut")) {
        incoming_count = 0;
        unplug_pty();
    } else if (!strcmp(command, "plug")) {
        if (pty < 0)
            plug_pty();
        if (!powered) {
            powered = 1;
            power_on();
        }
    } else if (!strcmp(command, "deaf")) {
        avr->data[0x6E] = 0; /* TIMSK0 */
    } else if (!strcmp(command, "figures")) {
        tell_figures();
    } else if (!strcmp(command, "quit")) {
        quitting = 1;
    } else {
        fail("what is: %s", command);
    }
}

/* Obey what has come, up to an `until`; where nothing has, wait for the first for `wait_ms`. */
static void listen_to_commands(int wait_ms)
{
    static char text[1 << 16];
    static size_t size;
    struct pollfd ends[2] = {{STDIN_FILENO, POLLIN, 0}, {pty, POLLIN, 0}};
    if (!memchr(text, '\n', size)) {
        fflush(stdout);
        if (poll(ends, pty >= 0 && wait_ms ? 2 : 1, wait_ms) <= 0 || !(ends[0].revents & (POLLIN | POLLHUP)))
            return;
        const ssize_t got = read(STDIN_FILENO, text + size, sizeof text - size);
        if (got <= 0) {
            quitting = 1;
            return;
        }
        size += got;
    }
    char *from = text;
    for (char *end; !until_asked && !quitting && (end = memchr(from, '\n', text + size - from)); from = end + 1) {
        *end = 0;
        obey(from);
    }
    size -= from - text;
    memmove(text, from, size);
}

static void run_slice(uint64_t until_us)
{
    if (!powered) {
        base_cycles += (until_us - now_us()) * CYCLES_PER_US;
        pass_changes();
        return;
    }
    while (now_us() < until_us) {
        last_cycle = avr->cycle;
        const uint64_t left = until_us * CYCLES_PER_US - base_cycles - avr->cycle;
        avr->run_cycle_limit = left;
        avr_cycle_timer_register(avr, left, pause_here, NULL);
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed %llu\n", (unsigned long long)now_us());
            quitting = 1;
            return;
        }
        if (!avr_cycle_timer_status(avr, stay, NULL))
            after_reset();
        if (incoming_count && !line_full)
            hear();
    }
    if (lamp_now != lamp_told && now_us() - lamp_since_us >= LAMP_LEAST_US) {
        lamp_told = lamp_now;
        printf("lamp %llu %d\n", (unsigned long long)lamp_since_us, lamp_told);
    }
}

int main(int count, char **arguments)
{
    if (count < 2 || count > 3)
        fail("usage: host ELF [PATH]");
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    make_chip(arguments[1]);
    port_path = count == 3 ? arguments[2] : NULL;
    plug_pty();
    printf("ready\n");
    while (!quitting) {
        if (speed > 0)
            limit_us = paced_from_us + (uint64_t)(real_s() * speed * 1e6);
        const uint64_t now = now_us();
        if (now >= limit_us) {
            if (until_asked) {
                until_asked = 0;
                printf("at %llu\n", (unsigned long long)now);
            }
            listen_to_commands(speed > 0 ? 1 : -1);
            hear();
            continue;
        }
        hear();
        run_slice(limit_us - now > SLICE_US ? now + SLICE_US : limit_us);
        if (!until_asked)
            listen_to_commands(0);
    }
    unplug_pty();
    return 0;
}
