/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/topo_m.h"

#include "io/text.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *word;
    enum ry_topo_path path;
} paths[] = {
    {"X", RY_TOPO_SELF},    {"NV", RY_TOPO_NV},   {"C2C", RY_TOPO_C2C},
    {"PIX", RY_TOPO_PIX},   {"PXB", RY_TOPO_PXB}, {"PHB", RY_TOPO_PHB},
    {"NODE", RY_TOPO_NODE}, {"SYS", RY_TOPO_SYS}, {"N/A", RY_TOPO_NONE},
    {"SOC", RY_TOPO_SYS}, /* name of SYS before 2017 */
};

const char *ry_topo_path_text(enum ry_topo_path path)
{
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (paths[i].path == path)
            return paths[i].word;
    return "N/A";
}

static bool read_cell(struct ry_slice word, struct ry_topo_cell *cell)
{
    double links = 0.0;

    if (ry_slice_starts(word, "NV") &&
        ry_slice_is_number((struct ry_slice){word.at + 2, word.n - 2}, &links) &&
        links >= 1.0 && links <= 1000.0) {
        *cell = (struct ry_topo_cell){RY_TOPO_NV, (size_t)links};
        return true;
    }
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        if (paths[i].path != RY_TOPO_NV && ry_slice_eq(word, paths[i].word)) {
            *cell = (struct ry_topo_cell){paths[i].path, 0};
            return true;
        }
    }
    return false;
}

/* "GPU0": the word and a number. */
static bool is_numbered(struct ry_slice word, const char *start)
{
    double number = 0.0;

    return ry_slice_starts(word, start) &&
           ry_slice_is_number(
               (struct ry_slice){word.at + strlen(start), word.n - strlen(start)},
               &number);
}

/* Headers name GPUs, then NICs, then affinities that begin with CPU, NUMA or GPU NUMA. */
static size_t header_devices(const struct ry_slice *words, size_t n, size_t *first)
{
    size_t begin = 0;

    while (begin < n && !is_numbered(words[begin], "GPU"))
        begin++;
    size_t end = begin;
    while (end < n && !ry_slice_eq(words[end], "CPU") &&
           !ry_slice_eq(words[end], "NUMA") && !ry_slice_eq(words[end], "GPU") &&
           words[end].n < 64) {
        struct ry_topo_cell cell;
        if (read_cell(words[end], &cell))
            return 0; /* a row, not the header */
        end++;
    }
    *first = begin;
    return end - begin;
}

static bool allocate(struct ry_arena *arena, struct ry_topo_m *topo, size_t n)
{
    topo->names = RY_NEW(arena, const char *, n);
    topo->devices = RY_NEW(arena, const char *, n);
    topo->cells = RY_NEW(arena, struct ry_topo_cell, n * n);
    topo->cpus = RY_NEW(arena, const char *, n);
    topo->numa = RY_NEW(arena, double, n);
    for (size_t i = 0; topo->cells && i < n * n; i++)
        topo->cells[i].path = RY_TOPO_NONE;
    for (size_t i = 0; topo->numa && i < n; i++)
        topo->numa[i] = (double)NAN;
    return topo->names && topo->devices && topo->cells && topo->cpus && topo->numa;
}

/* Words without the limit of ry_words(): 256 devices make 256 columns. */
struct row {
    size_t n;
    struct ry_slice words[RY_TOPO_DEVICES_MOST + 8];
};

static void split(struct ry_slice line, struct row *row)
{
    const size_t most = sizeof(row->words) / sizeof(row->words[0]);

    row->n = 0;
    for (size_t i = 0; i < line.n && row->n < most;) {
        while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
            i++;
        const size_t begin = i;
        while (i < line.n && line.at[i] != ' ' && line.at[i] != '\t')
            i++;
        if (i > begin)
            row->words[row->n++] = (struct ry_slice){line.at + begin, i - begin};
    }
}

static enum ry_err read_header(struct ry_arena *arena, const char *path,
                               const struct row *row, struct ry_topo_m *topo,
                               struct ry_diag *diag)
{
    size_t first = 0;
    const size_t n = header_devices(row->words, row->n, &first);

    if (n > RY_TOPO_DEVICES_MOST)
        return ry_fail(diag, RY_ERR_RANGE, path, "over %d devices", RY_TOPO_DEVICES_MOST);
    if (!allocate(arena, topo, n))
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for %zu devices", n);
    for (size_t i = 0; i < n; i++) {
        const struct ry_slice word = row->words[first + i];
        const bool gpu = is_numbered(word, "GPU") && topo->nics == 0;
        topo->names[i] = ry_slice_dup(arena, word);
        if (!topo->names[i])
            return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for %zu devices", n);
        if (gpu)
            topo->gpus++;
        else
            topo->devices[topo->nics++] = topo->names[i];
    }
    return RY_OK;
}

static size_t find_name(const struct ry_topo_m *topo, struct ry_slice word)
{
    for (size_t i = 0; i < topo->gpus + topo->nics; i++)
        if (ry_slice_eq(word, topo->names[i]))
            return i;
    return topo->gpus + topo->nics;
}

/* A name and as many cells as there are devices; a GPU's affinities follow. */
/* Its place is returned, or the number of devices when the line is no row. */
static size_t read_row(struct ry_arena *arena, struct ry_topo_m *topo,
                       const struct row *row)
{
    const size_t n = topo->gpus + topo->nics;

    for (size_t i = 0; i + n < row->n; i++) {
        const size_t device = find_name(topo, row->words[i]);
        struct ry_topo_cell cell;
        size_t k = 0;
        if (device == n)
            continue;
        while (k < n && read_cell(row->words[i + 1 + k], &cell))
            topo->cells[device * n + k++] = cell;
        if (k < n)
            return n;
        const size_t next = i + 1 + n;
        if (device < topo->gpus && next < row->n)
            topo->cpus[device] = ry_slice_dup(arena, row->words[next]);
        if (device < topo->gpus && next + 1 < row->n)
            (void)ry_slice_is_number(row->words[next + 1], &topo->numa[device]);
        return device;
    }
    return n;
}

/* "  NIC0: mlx5_0" of the NIC legend. */
static void read_legend(struct ry_arena *arena, struct ry_topo_m *topo,
                        const struct row *row)
{
    if (row->n < 2 || row->words[row->n - 2].n < 2)
        return;
    struct ry_slice name = row->words[row->n - 2];
    if (name.at[name.n - 1] != ':')
        return;
    name.n--;
    const size_t device = find_name(topo, name);
    if (device < topo->gpus || device == topo->gpus + topo->nics)
        return;
    const char *word = ry_slice_dup(arena, row->words[row->n - 1]);
    if (word)
        topo->devices[device - topo->gpus] = word;
}

enum ry_err ry_topo_m_parse(struct ry_arena *arena, const char *path, const char *text,
                            size_t bytes, struct ry_topo_m *topo, struct ry_diag *diag)
{
    struct ry_lines *lines = RY_NEW(arena, struct ry_lines, 1);
    struct row *row = RY_NEW(arena, struct row, 1);
    struct ry_topo_m found = {.gpus = 0};
    struct ry_slice line;
    size_t rows = 0, gpu_rows = 0;

    if (!lines || !row)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    lines->at = text;
    lines->end = text + bytes;
    while (ry_lines_next(lines, &line)) {
        size_t first = 0;
        split(line, row);
        if (found.gpus > 0) {
            const size_t device = read_row(arena, &found, row);
            rows += device < found.gpus + found.nics;
            gpu_rows += device < found.gpus;
            if (device == found.gpus + found.nics)
                read_legend(arena, &found, row);
        } else if (header_devices(row->words, row->n, &first) > 0) {
            RY_TRY(read_header(arena, path, row, &found, diag));
            found.line = lines->number;
        }
    }
    if (found.gpus == 0 || rows == 0)
        return ry_fail(diag, RY_ERR_SYNTAX, path, "no matrix of nvidia-smi topo -m");
    const size_t n = found.gpus + found.nics;
    found.rows_missing = rows < n ? n - rows : 0;
    found.gpu_rows_missing = gpu_rows < found.gpus ? found.gpus - gpu_rows : 0;
    *topo = found;
    return RY_OK;
}

struct ry_topo_cell ry_topo_m_cell(const struct ry_topo_m *topo, size_t a, size_t b)
{
    const size_t n = topo->gpus + topo->nics;
    const struct ry_topo_cell cell = topo->cells[a * n + b];

    /* A cut matrix: the other half says the same. */
    return cell.path == RY_TOPO_NONE ? topo->cells[b * n + a] : cell;
}

size_t ry_topo_m_nearest_nic(const struct ry_topo_m *topo, size_t gpu)
{
    size_t best = topo->nics;
    enum ry_topo_path nearest = RY_TOPO_NONE;

    for (size_t i = 0; i < topo->nics; i++) {
        const enum ry_topo_path path = ry_topo_m_cell(topo, gpu, topo->gpus + i).path;
        if (path < nearest) {
            nearest = path;
            best = i;
        }
    }
    return best;
}
