/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"
#include "io/bench_rows.h"

#include <stdint.h>
#include <string.h>

enum {
    RANKS_MOST = 1 << 22,
    HOST_SLOTS = 1 << 14,
    HOSTS_MOST = HOST_SLOTS / 2,
};

/* What a run prints once, before its rows. */
enum frame {
    FRAME_VERSION,
    FRAME_START,
    FRAME_BANNER,
    FRAME_DEVICES,
    FRAME_RANK_0,
    FRAME_HEADER,
    FRAMES
};

struct reader {
    struct ry_bench_draft *draft;
    struct ry_table_rows rows;
    struct ry_draft_run *run;      /* NULL before the first */
    struct ry_draft_run *unclosed; /* the run before, when it had no footer */
    unsigned seen[FRAMES];
    bool closed; /* the footer of the run has been read */
    size_t line;
    const char *command; /* collective of a command line, not yet used by a run */
    double last_bytes, first_bytes;
    size_t drops; /* times that sizes fell to another than the first */
    uint64_t hosts[HOST_SLOTS];
};

static void begin_run(struct reader *reader)
{
    reader->unclosed = reader->run && !reader->closed ? reader->run : NULL;
    reader->run = ry_draft_add_run(reader->draft, "nccl-tests text", reader->line);
    reader->run->text_layout = true;
    reader->closed = false;
    memset(reader->seen, 0, sizeof(reader->seen));
    memset(reader->hosts, 0, sizeof(reader->hosts));
    reader->last_bytes = -1.0;
    reader->first_bytes = -1.0;
    reader->drops = 0;
    reader->run->run.collective = reader->command;
    reader->command = NULL;
}

static void spoil_run(struct ry_draft_run *run, const char *reason)
{
    if (run->run.valid)
        run->run.reason = reason;
    run->run.valid = false;
}

/* A part of the frame: it starts a run, unless it belongs to the one being begun. */
static void enter_frame(struct reader *reader, enum frame frame)
{
    if (!reader->run || reader->closed || reader->run->n_rows > 0)
        begin_run(reader);
    reader->seen[frame]++;
    /* The same part twice and no row between: two programs print into one stream. */
    if (reader->seen[frame] > reader->run->mixed)
        reader->run->mixed = reader->seen[frame];
}

static struct ry_slice first_word(struct ry_slice text)
{
    return ry_slice_until(ry_slice_trim(text), " \t");
}

/* "# nThread 1 nGpus 8 minBytes 8 maxBytes ... iters: 20 ... validation: 1" */
static bool read_banner(struct reader *reader, struct ry_slice line)
{
    if (!ry_slice_find(line, "minBytes") || !ry_slice_find(line, "maxBytes"))
        return false;
    enter_frame(reader, FRAME_BANNER);
    const double threads = ry_slice_number_after(line, "nThread");
    const double gpus = ry_slice_number_after(line, "nGpus");
    if (threads >= 1.0 && gpus >= 1.0)
        reader->run->process_ranks = threads * gpus;
    struct ry_slice iterations = ry_slice_after(line, "warmup iters:");
    if (iterations.at)
        reader->run->run.iterations = ry_slice_number_after(iterations, " iters:");
    return true;
}

/* 22903 is 2.29.3; before 2.9 it was 2408 for 2.4.8. */
static const char *nccl_version(struct reader *reader, double code)
{
    if (!(code >= 1000.0 && code < 1e7))
        return NULL;
    const unsigned n = (unsigned)code;
    return n < 10000
               ? ry_draft_text(reader->draft, "%u.%u.%u", n / 1000, n / 100 % 10, n % 100)
               : ry_draft_text(reader->draft, "%u.%u.%u", n / 10000, n / 100 % 100,
                               n % 100);
}

static bool read_version(struct reader *reader, struct ry_slice line)
{
    const struct ry_slice rest = ry_slice_after(line, "nccl-tests version ");
    if (!rest.at || !ry_slice_find(rest, "nccl-library="))
        return false;
    enter_frame(reader, FRAME_VERSION);
    reader->run->run.version = ry_draft_word(reader->draft, first_word(rest));
    reader->run->run.nccl =
        nccl_version(reader, ry_slice_number_after(rest, "nccl-library="));
    return true;
}

static bool read_start(struct reader *reader, struct ry_slice line)
{
    const struct ry_slice rest = ry_slice_after(line, "Collective test starting:");
    if (!rest.at)
        return false;
    enter_frame(reader, FRAME_START);
    const char *name = ry_bench_collective(first_word(rest));
    if (name)
        reader->run->run.collective = name;
    return true;
}

static uint64_t hash_of(struct ry_slice word)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < word.n; i++)
        hash = (hash ^ (unsigned char)word.at[i]) * 1099511628211u;
    return hash ? hash : 1;
}

static void count_host(struct reader *reader, struct ry_slice host)
{
    const uint64_t hash = hash_of(host);
    size_t slot = hash % HOST_SLOTS;

    if (reader->run->listed_hosts >= HOSTS_MOST)
        return;
    while (reader->hosts[slot] && reader->hosts[slot] != hash)
        slot = (slot + 1) % HOST_SLOTS;
    if (!reader->hosts[slot])
        reader->run->listed_hosts++;
    reader->hosts[slot] = hash;
}

/* "Rank 0 [Group 0] Pid 1 on host device 0 [0000:0f:00] name"; a host may hold blanks. */
static bool read_rank(struct reader *reader, struct ry_slice line)
{
    const struct ry_slice rest = ry_slice_after(line, "Rank ");
    const double rank = rest.at ? ry_slice_number_after(line, "Rank ") : RY_UNKNOWN;
    const struct ry_slice device_part = ry_slice_after(rest, " device ");

    if (!(rank >= 0.0 && rank < RANKS_MOST) || !device_part.at ||
        !ry_slice_find(rest, " on ") ||
        (!ry_slice_find(rest, "Pid ") && !ry_slice_find(rest, "on host device")))
        return false;
    if (rank == 0.0)
        enter_frame(reader, FRAME_RANK_0);
    else if (!reader->run || reader->closed || reader->run->n_rows > 0)
        begin_run(reader);
    struct ry_draft_run *run = reader->run;
    const struct ry_slice named = ry_slice_after(rest, " on ");
    const size_t host_n = (size_t)(device_part.at - named.at);
    if (device_part.at > named.at + strlen(" device "))
        count_host(reader, ry_slice_trim(
                               (struct ry_slice){named.at, host_n - strlen(" device ")}));
    const double device = ry_slice_number_after(line, " device ");
    if (device + 1.0 > run->listed_devices)
        run->listed_devices = device + 1.0;
    if (rank + 1.0 >= run->listed_ranks) {
        run->listed_ranks = rank + 1.0;
        run->last_device_listed = device + 1.0 == run->listed_devices;
    }
    run->listed_lines++;
    const struct ry_slice name = ry_slice_trim(ry_slice_after(device_part, "]"));
    if (!run->run.gpu && name.n > 0 && name.n < 64)
        run->run.gpu = ry_draft_word(reader->draft, name);
    return true;
}

static void close_run(struct reader *reader)
{
    if (reader->closed && reader->unclosed) {
        reader->unclosed->mixed = reader->run->mixed = 2;
        reader->unclosed = NULL;
    }
    reader->closed = true;
}

static bool read_footer(struct reader *reader, struct ry_slice line)
{
    const struct ry_slice bounds = ry_slice_after(line, "Out of bounds values");
    const struct ry_slice average = ry_slice_after(line, "Avg bus bandwidth");

    if (!reader->run || (!bounds.at && !average.at))
        return false;
    if (average.at) {
        reader->run->average_busbw = 1e9 * ry_slice_number_after(average, ":");
        if (ry_slice_find(average, "FAILED"))
            ry_draft_note(reader->draft, reader->line,
                          "average below the bandwidth asked for (NCCL_TESTS_MIN_BW)");
        return true;
    }
    close_run(reader);
    reader->run->run.checks_failed = ry_slice_number_after(bounds, ":");
    if (ry_slice_find(bounds, "FAILED") || reader->run->run.checks_failed > 0.0)
        spoil_run(reader->run,
                  ry_draft_text(reader->draft,
                                "data check FAILED, %.0f values out of bounds",
                                reader->run->run.checks_failed));
    return true;
}

/* A run that stopped with an error; one too large for the memory only stops early. */
static bool read_failure(struct reader *reader, struct ry_slice line)
{
    static const char *const marks[] = {"Test NCCL failure", "Test CUDA failure",
                                        "Test failure", "Test HIP failure"};

    if (!reader->run || reader->closed || !ry_slice_find(line, "failure"))
        return false;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (!ry_slice_find(line, marks[i]))
            continue;
        if (ry_slice_find(line, "out of memory")) {
            ry_draft_note(reader->draft, reader->line, "the run ended: out of memory");
            reader->closed = true;
            return true;
        }
        spoil_run(reader->run,
                  ry_draft_text(reader->draft, "the run failed, line %zu: %s",
                                reader->line, marks[i]));
        reader->closed = true;
        return true;
    }
    return false;
}

static void read_command(struct reader *reader, struct ry_slice line)
{
    const char *name = ry_bench_collective_of_command(line);

    if (!name)
        return;
    if (reader->run && !reader->closed && reader->run->n_rows == 0 &&
        !reader->run->run.collective)
        reader->run->run.collective = name;
    else
        reader->command = name;
}

static void watch_sizes(struct reader *reader, double bytes)
{
    if (reader->first_bytes < 0.0)
        reader->first_bytes = bytes;
    if (bytes < reader->last_bytes && bytes != reader->first_bytes)
        reader->drops++;
    reader->last_bytes = bytes;
    if (reader->drops >= 2)
        reader->run->mixed = reader->run->mixed < 2 ? 2 : reader->run->mixed;
}

static void add_half(struct reader *reader, const struct ry_row_match *match, size_t i,
                     size_t line)
{
    const struct ry_row_half *half = &match->half[i];
    struct ry_draft_row *draft = ry_draft_add_row(reader->draft, reader->run, line);
    struct ry_bench_row *row = &draft->row;

    row->bytes = match->bytes;
    row->count = match->count;
    row->root = match->root;
    row->dtype = ry_draft_word(reader->draft, match->dtype);
    row->redop = ry_draft_word(reader->draft, match->redop);
    row->place = (i == 0) == reader->rows.layouts.header.in_place_first ? RY_PLACE_IN
                                                                        : RY_PLACE_OUT;
    row->iterations = reader->run->run.iterations;
    if (!half->complete) {
        ry_draft_spoil(draft, "torn or truncated: the figures are not whole");
        return;
    }
    row->time_s = half->time.value / 1e6;
    row->algbw_bytes_per_s = half->algbw.value * 1e9;
    row->busbw_bytes_per_s = half->busbw.value * 1e9;
    row->wrong = half->wrong;
    draft->algbw_half = half->algbw.half_ulp * 1e9;
    draft->busbw_half = half->busbw.half_ulp * 1e9;
    draft->unit = half->unit;
    if (half->wrong > 0.0)
        ry_draft_spoil(draft,
                       ry_draft_text(reader->draft, "%.0f wrong elements", half->wrong));
    if (half->flagged)
        ry_draft_spoil(draft, "error over the tool's threshold");
    if (half->not_a_number)
        ry_draft_spoil(draft, "a figure is not a number");
    else if (!half->consistent)
        ry_draft_spoil(draft, "time does not give the printed bandwidth");
}

/* Rows of one half that the tool left empty are no loss; a cut half is one. */
static void add_match(void *to, const struct ry_row_match *match, size_t line)
{
    struct reader *reader = to;

    if (!reader->run || reader->closed)
        begin_run(reader);
    watch_sizes(reader, match->bytes);
    const size_t n = match->n_halves ? match->n_halves : 1;
    for (size_t i = 0; i < n; i++)
        add_half(reader, match, i, line);
}

/* Header lines tell which half comes first, the columns, and the unit. */
static bool read_header(struct reader *reader, struct ry_slice line)
{
    const char *out = ry_slice_find(line, "out-of-place");

    if (out) {
        const char *in = ry_slice_find(line, "in-place");
        reader->rows.layouts.header.in_place_first = in && in < out;
        return true;
    }
    struct ry_layout found = reader->rows.layouts.header;
    if (!ry_layout_parse(line, &found))
        return false;
    ry_rows_flush(&reader->rows); /* its columns are those of the header before */
    reader->rows.layouts.header = found;
    enter_frame(reader, FRAME_HEADER);
    return true;
}

static bool is_frame(struct ry_slice line)
{
    return ry_slice_find(line, "Out of bounds values") ||
           ry_slice_find(line, "minBytes") || ry_slice_find(line, "nccl-tests version");
}

static bool read_frame(struct reader *reader, struct ry_slice line)
{
    return read_header(reader, line) || read_banner(reader, line) ||
           read_version(reader, line) || read_start(reader, line) ||
           read_rank(reader, line) || read_footer(reader, line) ||
           read_failure(reader, line);
}

/* Most lines of a long log are NCCL's: only what stands before its mark can be ours,
 * apart from a row, which may follow on the same line. */
static void read_line(struct reader *reader, struct ry_slice line)
{
    const char *info = ry_slice_find(line, "NCCL INFO");
    const struct ry_slice ours = {line.at, info ? (size_t)(info - line.at) : line.n};

    if (reader->rows.pending.n && is_frame(ours))
        ry_rows_flush(&reader->rows);
    if (read_frame(reader, ours))
        return;
    if (ry_slice_find(ours, "# Using devices"))
        enter_frame(reader, FRAME_DEVICES);
    else if (!ry_rows_read(&reader->rows, line, reader->line))
        read_command(reader, ours);
}

bool ry_bench_read_nccl_text(struct ry_bench_draft *draft, struct ry_slice text)
{
    struct reader *reader = RY_NEW(draft->arena, struct reader, 1);
    struct ry_lines *lines = RY_NEW(draft->arena, struct ry_lines, 1);
    struct ry_slice line = {NULL, 0};

    if (!reader || !lines) {
        draft->out_of_memory = true;
        return false;
    }
    reader->draft = draft;
    ry_layouts_init(&reader->rows.layouts);
    reader->rows.add = add_match;
    reader->rows.to = reader;
    lines->at = text.at;
    lines->end = text.at + text.n;
    while (ry_lines_next(lines, &line) && !draft->too_many_rows) {
        reader->line = lines->number;
        read_line(reader, line);
    }
    ry_rows_flush(&reader->rows);
    if (lines->torn && line.n > 0 && line.at[line.n - 1] >= '0' &&
        line.at[line.n - 1] <= '9')
        ry_draft_note(draft, reader->line, "the text ends here, perhaps inside a row");
    bool any = false;
    for (const struct ry_draft_run *run = draft->first; run; run = run->next)
        any |= run->n_rows > 0;
    return any;
}
