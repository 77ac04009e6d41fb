/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strategies a second, the same answer as one at a time, cost and memory by size.
 * Times are of the processor, so a busy machine does not change them; walls are printed
 * beside.  usage: bench_search FOLDER (of the bench's plans) */
#include "bench_plan.h"

#include "par/par_search.h"

#include <math.h>
#include <string.h>

static struct bench bench;

/* All strategies a second of processor time, and those that fit. */
static void print_rate(const char *name, const struct ry_space *space,
                       const struct ry_search_tally *t, double cpu_s, double seconds)
{
    printf("%-34s %10.0f %9.0f %9.0f %9.0f %7.3f %7.3f %10.3g %9.3g\n", name,
           (double)space->n, (double)t->evaluated, (double)t->too_large,
           (double)t->indivisible, cpu_s, seconds, (double)space->n / cpu_s,
           (double)t->evaluated / cpu_s);
}

static bool timed_search(const char *name, const struct ry_search_problem *problem,
                         size_t threads, struct ry_search_tally *tally)
{
    const struct ry_par_search options = {.threads = threads};

    *tally = (struct ry_search_tally){0};
    const double cpu = processor_s();
    const double wall = wall_s();
    if (ry_par_search_run(problem, &options, tally, NULL) != RY_OK)
        return false;
    print_rate(name, problem->space, tally, processor_s() - cpu, wall_s() - wall);
    return true;
}

/* Each strategy from scratch; false: another answer. */
static bool naive(const struct ry_search_problem *problem,
                  const struct ry_search_tally *fast)
{
    struct ry_search_tally slow = {0};
    uint64_t best = 0;
    double best_s = INFINITY;
    const double cpu = processor_s();
    const double wall = wall_s();

    for (uint64_t i = 0; i < problem->space->n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        if (ry_search_step(problem, i, &strategy, &step, NULL) != RY_OK)
            slow.indivisible++;
        else if (!step.fits)
            slow.too_large++;
        else if (slow.evaluated++ == 0 || step.step_time_s < best_s * (1 - 1e-12)) {
            best = i;
            best_s = step.step_time_s;
        }
    }
    print_rate("  each from scratch", problem->space, &slow, processor_s() - cpu,
               wall_s() - wall);
    const bool same = best == fast->best[0].index && slow.evaluated == fast->evaluated &&
                      slow.too_large == fast->too_large &&
                      slow.indivisible == fast->indivisible &&
                      fabs(best_s / fast->best[0].step_time_s - 1) < 1e-12;
    printf("  the same best and counts: %s\n", same ? "yes" : "NO");
    return same;
}

static bool spaces(const char *folder)
{
    static const struct {
        const char *file;
        bool check, two;
    } plans[] = {
        {"bench/gpt3-1024-batch32.json", true, false},
        {"examples/search-gpt3-175b.json", false, false},
        {"bench/gpt3-1024-offload.json", false, true},
    };
    bool good = true;

    printf("%-34s %10s %9s %9s %9s %7s %7s %10s %9s\n", "space", "strategies", "timed",
           "too large", "uncut", "cpu s", "wall s", "all/s", "timed/s");
    for (size_t p = 0; p < sizeof(plans) / sizeof(plans[0]); p++) {
        char path[512];
        struct ry_plan_files files;
        (void)snprintf(path, sizeof(path), "%s/%s", folder, plans[p].file);
        if (!bench_read(&bench, path, &files))
            return false;
        for (size_t d = 0; d < files.designs_n; d++) {
            struct ry_case c;
            struct ry_space space;
            struct ry_search_tally one, two;
            char name[64];
            if (!bench_case(&bench, files.designs[d].design, files.workloads[0], &c,
                            &space))
                return false;
            const struct ry_search_problem problem = bench_problem(&c, &space);
            (void)snprintf(name, sizeof(name), "%zu GPUs, batch %u",
                           ry_design_gpus(c.design), c.workload->base.global_batch);
            good = timed_search(name, &problem, 1, &one) && good;
            if (plans[p].check)
                good = naive(&problem, &one) && good;
            if (plans[p].two)
                good = timed_search("  on 2 threads", &problem, 2, &two) &&
                       memcmp(&one, &two, sizeof(one)) == 0 && good;
        }
    }
    return good;
}

/* Nanoseconds of one evaluation of a strategy whose costs are known. */
static double evaluation_ns(const struct ry_case *c, const struct ry_strategy *strategy)
{
    enum { TIMES = 200000 };
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    struct ry_stages_cost stages;
    struct ry_step_inputs in = {.machine = &c->site->built.machine,
                                .arch = &c->workload->arch,
                                .traits = &c->workload->traits,
                                .strategy = strategy,
                                .shape = &shape,
                                .layout = &layout};
    volatile double sum = 0;

    ry_shape_cost(in.machine, in.arch, in.traits, strategy, &shape);
    const double start = processor_s();
    for (int i = 0; i < TIMES / 100; i++) { /* all that is not shared between shapes */
        ry_layout_sizes(in.arch, in.traits, strategy, &shape, &layout);
        ry_layout_times(in.machine, in.arch, in.traits, strategy, &shape, &layout);
        ry_stages_cost(&in, &stages);
        in.stages = &stages;
        sum += ry_step_time_s(&in);
    }
    const double middle = processor_s();
    for (int i = 0; i < TIMES; i++)
        sum += ry_step_time_s(&in);
    const double end = processor_s();
    printf("%8.0f %8u %13.0f %12.0f %10.1f\n", ry_strategy_gpus(strategy), strategy->pp,
           ry_strategy_micro_batches(strategy), 1e9 * (middle - start) / (TIMES / 100),
           1e9 * (end - middle) / TIMES);
    return 1e9 * (end - middle) / TIMES;
}

/* A strategy of a million GPUs costs as much as one of eight. */
static bool evaluations(const char *folder)
{
    static const unsigned of[][3] = {{1, 1, 1},      {1, 1, 100},  {1, 1, 100000},
                                     {8, 1, 100},    {96, 1, 100}, {8, 128, 100},
                                     {8, 16384, 100}};
    char path[512];
    struct ry_plan_files files;
    struct ry_case c;
    struct ry_space space;
    double least = INFINITY;
    double most = 0;

    (void)snprintf(path, sizeof(path), "%s/bench/gpt3-1024-batch32.json", folder);
    if (!bench_read(&bench, path, &files) ||
        !bench_case(&bench, files.designs[0].design, files.workloads[0], &c, &space))
        return false;
    printf("\n%8s %8s %13s %12s %10s\n", "GPUs", "pp", "micro-batches", "shape, ns",
           "option, ns");
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct ry_strategy s = space.base;
        s.tp = 8;
        s.pp = of[i][0];
        s.dp = of[i][1];
        s.vpp = s.cp = s.micro_batch = 1;
        s.global_batch = s.dp * of[i][2];
        s.dp_overlap = s.pp_overlap = true;
        const double ns = evaluation_ns(&c, &s);
        least = fmin(least, ns);
        most = fmax(most, ns);
    }
    printf("most over least of an option: %.2f\n", most / least);
    return most < 3 * least;
}

static void fill(struct ry_fractions *shares, unsigned n)
{
    shares->n = n;
    for (unsigned i = 0; i < n; i++)
        shares->at[i] = i / 64.0;
}

static bool one_size(const struct ry_design *design, const struct ry_workload *workload)
{
    const struct ry_par_search options = {.threads = 1};
    struct ry_arena *kept = bench.arena;
    struct ry_search_tally tally = {0};
    struct ry_case c;
    struct ry_space space;

    bench.arena = ry_arena_create(0);
    bool good = bench.arena && bench_case(&bench, design, workload, &c, &space);
    if (good) {
        const struct ry_search_problem problem = bench_problem(&c, &space);
        const double start = processor_s();
        good = ry_par_search_run(&problem, &options, &tally, NULL) == RY_OK;
        const double took = processor_s() - start;
        printf("%12.0f %9.3f %14.1f %14.1f\n", (double)space.n, took,
               1e9 * took / (double)space.n, resident_mib());
    }
    ry_arena_destroy(bench.arena);
    bench.arena = kept;
    return good;
}

/* Time grows with the space, memory does not. */
static bool sizes(const char *folder)
{
    static const unsigned shares[][2] = {{1, 1}, {8, 1}, {64, 1}, {64, 8}};
    char path[512];
    struct ry_plan_files files;

    (void)snprintf(path, sizeof(path), "%s/bench/gpt3-1024-batch32.json", folder);
    if (!bench_read(&bench, path, &files))
        return false;
    printf("\n%12s %9s %14s %14s\n", "strategies", "cpu s", "ns a strategy",
           "resident, MiB");
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        struct ry_workload w = *files.workloads[0];
        fill(&w.bounds.offload_optimizer, shares[i][0]);
        fill(&w.bounds.offload_activations, shares[i][1]);
        if (!one_size(files.designs[0].design, &w))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 2 || !bench_open(&bench)) {
        (void)fprintf(stderr, "usage: bench_search FOLDER, with RAILYARD_DATA set\n");
        return 2;
    }
    const bool sized = sizes(argv[1]); /* first: the most memory so far is its own */
    printf("\n");
    const bool searched = spaces(argv[1]);
    const bool good = evaluations(argv[1]) && searched && sized;
    ry_arena_destroy(bench.arena);
    return good ? 0 : 1;
}
