/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/launch.h"

#include "base/names.h"
#include "io/data.h"
#include "io/file.h"
#include "io/outfile.h"
#include "report/launch_options.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MOST = 253, TEMPLATE_BYTES_MOST = 64 << 10 };

bool ry_launch_plain(const char *name)
{
    const size_t bytes = strlen(name);

    return bytes > 0 && bytes <= NAME_MOST && name[0] != '-' &&
           strspn(
               name,
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/") ==
               bytes;
}

const char *ry_launch_nic(const struct ry_launch_plan *launch, const struct ry_rank *rank)
{
    const struct ry_topo_m *topo = launch->job.topo;

    if (rank->nics == 0)
        return "";
    const size_t nearest = topo ? ry_topo_m_nearest_nic(topo, rank->gpu) : 0;
    if (topo && nearest < topo->nics)
        return topo->devices[nearest];
    if (rank->nic < launch->nics.n)
        return launch->nics.at[rank->nic];
    const char *name = ry_strfmt(launch->arena, "nic%zu", rank->nic);
    return name ? name : "";
}

/* One line of a comment: what could end it is a question mark. */
static void put_comment(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        (void)fputc(*c < 0x20 || *c == 0x7f ? '?' : *c, out);
}

static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc((unsigned char)*c < 0x20 ? '?' : *c, out);
    }
    (void)fputc('\'', out);
}

/* "prefix|VARIABLE|message": the value is asked for where the job starts. */
static void put_asked(FILE *out, const struct ry_setting *setting)
{
    const size_t prefix = strcspn(setting->value, "|");
    const char *variable = setting->value + prefix + (setting->value[prefix] != '\0');
    const size_t name = strcspn(variable, "|");
    const char *message = variable + name + (variable[name] != '\0');

    (void)fprintf(out, "export %s=\"%.*s${%.*s:?", setting->name, (int)prefix,
                  setting->value, (int)name, variable);
    for (const char *c = message; *c; c++)
        if (!strchr("\"$`\\}", *c) && (unsigned char)*c >= 0x20)
            (void)fputc(*c, out);
    (void)fputs("}\"\n", out);
}

static enum ry_err put_env(const struct ry_launch_plan *launch, FILE *out,
                           struct ry_diag *diag)
{
    (void)diag;
    (void)fputs("# shellcheck shell=sh\n# Environment of ", out);
    put_comment(out, launch->title);
    (void)fputs("\n# What is not here is left to NCCL: see left-alone.txt.\n", out);
    for (size_t i = 0; i < launch->nccl.n; i++) {
        const struct ry_setting *setting = &launch->nccl.at[i];
        if (strcmp(setting->target, "unset") == 0)
            continue;
        (void)fputs("\n# ", out);
        put_comment(out, setting->reason);
        (void)fputs("\n# Source: ", out);
        put_comment(out, setting->source);
        (void)fputs("\n", out);
        if (strcmp(setting->target, "ask") == 0) {
            put_asked(out, setting);
            continue;
        }
        (void)fprintf(out, "export %s=", setting->name);
        put_quoted(out, setting->value);
        (void)fputs("\n", out);
    }
    return RY_OK;
}

static enum ry_err put_left_alone(const struct ry_launch_plan *launch, FILE *out,
                                  struct ry_diag *diag)
{
    (void)diag;
    for (size_t i = 0; i < launch->nccl.n; i++) {
        const struct ry_setting *setting = &launch->nccl.at[i];
        if (strcmp(setting->target, "unset") == 0)
            (void)fprintf(out, "%s: %s\n  (%s)\n", setting->name, setting->reason,
                          setting->source);
    }
    return RY_OK;
}

static enum ry_err put_roce(const struct ry_launch_plan *launch, FILE *out,
                            struct ry_diag *diag)
{
    (void)diag;
    for (size_t i = 0; i < launch->roce.n; i++) {
        const struct ry_setting *setting = &launch->roce.at[i];
        (void)fprintf(out, "%s: %s = %s\n  %s\n  (%s)\n", setting->target, setting->name,
                      setting->value, setting->reason, setting->source);
    }
    return RY_OK;
}

static enum ry_err put_ranks(const struct ry_launch_plan *launch, FILE *out,
                             struct ry_diag *diag)
{
    const size_t ranks = ry_rank_count(launch->job.strategy);
    const bool moe = launch->job.workload->arch.experts > 0;

    (void)diag;
    (void)fprintf(out, "rank,host,gpu,nic,tp,cp,dp,pp%s\n", moe ? ",etp,ep,edp" : "");
    for (size_t i = 0; i < ranks; i++) {
        const struct ry_rank at = ry_rank_at(launch->job.design, launch->job.strategy, i);
        (void)fprintf(out, "%zu,%s,%zu,%s,%zu,%zu,%zu,%zu", i, launch->hosts.at[at.host],
                      at.gpu, ry_launch_nic(launch, &at), at.tp, at.cp, at.dp, at.pp);
        if (moe)
            (void)fprintf(out, ",%zu,%zu,%zu", at.etp, at.ep, at.edp);
        (void)fputs("\n", out);
    }
    return RY_OK;
}

/* GPUs of a host that run ranks: the last one may have less work. */
static size_t gpus_at_work(const struct ry_launch_plan *launch, size_t host)
{
    const size_t per_host = launch->job.design->gpus_per_host;
    const size_t left = ry_rank_count(launch->job.strategy) - host * per_host;

    return left < per_host ? left : per_host;
}

static enum ry_err put_hostfile(const struct ry_launch_plan *launch, FILE *out,
                                struct ry_diag *diag)
{
    (void)diag;
    for (size_t i = 0; i < launch->hosts.n; i++)
        (void)fprintf(out, "%s slots=%zu\n", launch->hosts.at[i],
                      gpus_at_work(launch, i));
    return RY_OK;
}

static enum ry_err put_topology(const struct ry_launch_plan *launch, FILE *out,
                                struct ry_diag *diag)
{
    (void)diag;
    for (size_t i = 0; i < launch->topology.n; i++)
        (void)fprintf(out, "%s\n", launch->topology.at[i]);
    return RY_OK;
}

/* A job name that sbatch takes: what is not a plain character is "_". */
static void put_job(FILE *out, const char *name)
{
    for (const char *c = name; *c && c - name < 64; c++)
        (void)fputc(isalnum((unsigned char)*c) || strchr("._-", *c) ? *c : '_', out);
}

static bool is_mark(const char *mark, size_t bytes, const char *name)
{
    return strlen(name) == bytes && memcmp(mark, name, bytes) == 0;
}

static void put_mark(const struct ry_launch_plan *launch, FILE *out, const char *mark,
                     size_t bytes)
{
    if (is_mark(mark, bytes, "title"))
        put_comment(out, launch->title);
    else if (is_mark(mark, bytes, "job"))
        put_job(out, launch->job.workload->name);
    else if (is_mark(mark, bytes, "hosts"))
        (void)fprintf(out, "%zu", launch->hosts.n);
    else if (is_mark(mark, bytes, "gpus_per_host"))
        (void)fprintf(out, "%zu", gpus_at_work(launch, 0));
    else if (is_mark(mark, bytes, "last_gpus"))
        (void)fprintf(out, "%zu", gpus_at_work(launch, launch->hosts.n - 1));
    else if (is_mark(mark, bytes, "nodelist") && launch->hosts_given)
        (void)fprintf(
            out, "#SBATCH --nodelist=%s",
            ry_hostlist_fold(launch->arena, launch->hosts.at, launch->hosts.n, false));
}

/* A template with its marks, "@hosts@", put in. */
static enum ry_err put_template(const struct ry_launch_plan *launch, const char *name,
                                FILE *out, struct ry_diag *diag)
{
    const char *path =
        ry_data_path(launch->arena, ry_strfmt(launch->arena, "share/launch/%s.in", name));
    struct ry_text text;

    if (!path)
        return ry_fail(diag, RY_ERR_NOMEM, name, "out of memory");
    RY_TRY(ry_file_read(launch->arena, path, TEMPLATE_BYTES_MOST, &text, diag));
    for (const char *at = text.data; *at;) {
        const size_t word =
            *at == '@' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
        if (word > 0 && at[word + 1] == '@') {
            put_mark(launch, out, at + 1, word);
            at += word + 2;
        } else {
            (void)fputc(*at++, out);
        }
    }
    return RY_OK;
}

static enum ry_err put_torchrun(const struct ry_launch_plan *launch, FILE *out,
                                struct ry_diag *diag)
{
    return put_template(launch, "torchrun.sh", out, diag);
}

static enum ry_err put_sbatch(const struct ry_launch_plan *launch, FILE *out,
                              struct ry_diag *diag)
{
    return put_template(launch, "job.sbatch", out, diag);
}

static enum ry_err put_pin(const struct ry_launch_plan *launch, FILE *out,
                           struct ry_diag *diag)
{
    return put_template(launch, "pin.sh", out, diag);
}

static const struct ry_launch_file {
    const char *name;
    enum ry_err (*put)(const struct ry_launch_plan *launch, FILE *out,
                       struct ry_diag *diag);
    bool runs; /* is a program */
} files[] = {
    {"env.sh", put_env, false},
    {"left-alone.txt", put_left_alone, false},
    {"ranks.csv", put_ranks, false},
    {"hostfile", put_hostfile, false},
    {"topology.conf", put_topology, false},
    {"roce.txt", put_roce, false},
    {"torchrun.sh", put_torchrun, true},
    {"job.sbatch", put_sbatch, true},
    {"pin.sh", put_pin, true},
};

static bool has_content(const struct ry_launch_plan *launch,
                        const struct ry_launch_file *file)
{
    if (file->put == put_roce)
        return launch->roce.n > 0;
    return file->put != put_topology || launch->topology.n > 0;
}

static enum ry_err commit(struct ry_outfile *out, const char *path, bool runs,
                          enum ry_err written, struct ry_diag *diag)
{
    if (written != RY_OK) {
        ry_outfile_abort(out);
        return written;
    }
    if (runs && fchmod(fileno(out->file), 0755) != 0) {
        ry_outfile_abort(out);
        return ry_fail(diag, RY_ERR_IO, path, "cannot make it a program: %s",
                       strerror(errno));
    }
    return ry_outfile_commit(out, diag);
}

/* Of an earlier plan, which is not this one's. */
static enum ry_err remove_file(const char *path, struct ry_diag *diag)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return ry_fail(diag, RY_ERR_IO, path,
                       "cannot remove what an earlier plan had: %s", strerror(errno));
    return RY_OK;
}

static enum ry_err write_framework(const struct ry_launch_plan *launch,
                                   const char *folder, const char *framework,
                                   struct ry_diag *diag)
{
    const char *path = ry_strfmt(launch->arena, "%s/%s%s", folder, framework,
                                 ry_launch_suffix(framework));
    struct ry_outfile out;

    if (!path)
        return ry_fail(diag, RY_ERR_NOMEM, folder, "out of memory");
    if (ry_launch_refusal(launch, framework))
        return remove_file(path, diag);
    RY_TRY(ry_outfile_open(&out, path, diag));
    return commit(&out, path, false, ry_launch_options(launch, framework, out.file, diag),
                  diag);
}

static enum ry_err write_files(const struct ry_launch_plan *launch, const char *folder,
                               struct ry_diag *diag)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const char *path = ry_strfmt(launch->arena, "%s/%s", folder, files[i].name);
        struct ry_outfile out;
        if (!path)
            return ry_fail(diag, RY_ERR_NOMEM, folder, "out of memory");
        if (!has_content(launch, &files[i])) {
            RY_TRY(remove_file(path, diag));
            continue;
        }
        RY_TRY(ry_outfile_open(&out, path, diag));
        RY_TRY(commit(&out, path, files[i].runs, files[i].put(launch, out.file, diag),
                      diag));
    }
    for (size_t i = 0; ry_launch_framework(i); i++)
        RY_TRY(write_framework(launch, folder, ry_launch_framework(i), diag));
    return RY_OK;
}

enum ry_err ry_launch_write(const struct ry_launch_plan *launch, const char *folder,
                            struct ry_diag *diag)
{
    const bool made = mkdir(folder, 0777) == 0;

    if (!made && errno != EEXIST)
        return ry_fail(diag, RY_ERR_IO, folder, "cannot make the folder: %s",
                       strerror(errno));
    const enum ry_err err = write_files(launch, folder, diag);
    if (err != RY_OK && made)
        (void)rmdir(folder); /* when nothing is in it */
    return err;
}
