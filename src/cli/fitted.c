/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/fitted.h"

#include "base/names.h"

#include <math.h>

void ry_fitted_note(struct ry_fitted *fitted, const char *text)
{
    if (text && fitted->notes < RY_FITTED_NOTES_MOST)
        fitted->note[fitted->notes++] = text;
}

void ry_fitted_check(struct ry_fitted *fitted, const struct ry_coll_fit *fit)
{
    const struct ry_link_fit *link = &fit->fit;
    const struct ry_link_piece *last = &link->piece[link->pieces - 1];
    const char *name = ry_coll_name(fit->coll);

    if (!link->alpha_known)
        ry_fitted_note(fitted,
                       ry_strfmt(fitted->arena,
                                 "%s, %zu ranks: start-up not identifiable, the smallest "
                                 "size is over 64 KiB; it is at most %.3g us",
                                 name, fit->ranks, link->alpha0_s * 1e6));
    else if (fabs(log(link->piece[0].alpha_s.value / link->alpha0_s)) > log(1.3))
        ry_fitted_note(
            fitted, ry_strfmt(fitted->arena,
                              "%s, %zu ranks: alpha of the first piece is %.3g us, the "
                              "median of the small sizes %.3g us",
                              name, fit->ranks, link->piece[0].alpha_s.value * 1e6,
                              link->alpha0_s * 1e6));
    if (!link->rate_known)
        ry_fitted_note(fitted,
                       ry_strfmt(fitted->arena,
                                 "%s, %zu ranks: bandwidth not identifiable, the largest "
                                 "size is still start-up; it is at least %.3g GB/s busbw",
                                 name, fit->ranks,
                                 link->rate_inf_bytes_per_s * fit->bus_factor / 1e9));
    else if (fabs(log(last->bytes_per_s.value / link->rate_inf_bytes_per_s)) > log(1.1))
        ry_fitted_note(
            fitted,
            ry_strfmt(fitted->arena,
                      "%s, %zu ranks: bandwidth of the last piece is %.4g GB/s, "
                      "of the largest sizes %.4g GB/s (busbw)",
                      name, fit->ranks, last->bytes_per_s.value * fit->bus_factor / 1e9,
                      link->rate_inf_bytes_per_s * fit->bus_factor / 1e9));
    if (link->dropped > 0)
        ry_fitted_note(fitted,
                       ry_strfmt(fitted->arena,
                                 "%s, %zu ranks: %zu of %zu sizes are over 50 %% off and "
                                 "count for nothing",
                                 name, fit->ranks, link->dropped, link->points));
}

static void set(struct ry_fitted *fitted, const char *key, struct ry_estimate value,
                size_t points, bool known, const char *from)
{
    if (ry_json_has(ry_json_get(fitted->facts, "parameters"), key) ||
        fitted->parameters == RY_FITTED_PARAMETERS_MOST)
        return;
    fitted->parameter[fitted->parameters++] = (struct ry_model_parameter){
        .key = key, .value = value, .points = points, .known = known, .from = from};
}

static struct ry_estimate exactly(double value)
{
    return (struct ry_estimate){value, value, value};
}

/* busbw of the fastest size of a fitted run. */
static double fastest_point(const struct ry_collective_input *input,
                            const struct ry_coll_fit *fit)
{
    double fastest = 0.0;

    for (size_t i = 0; i < input->runs; i++) {
        const struct ry_coll_run *run = &input->run[i];
        for (size_t k = 0;
             k < run->n && run->coll == fit->coll && run->ranks == fit->ranks; k++)
            fastest = fmax(fastest, run->points[k].bytes / run->points[k].time_s);
    }
    return fastest * fit->bus_factor;
}

void ry_fitted_domain(struct ry_fitted *fitted, const struct ry_coll_fits *fits,
                      const struct ry_collective_input *input)
{
    struct ry_alpha_steps steps = {0};
    const size_t gpus = ry_json_count(fitted->facts, "domain_gpus",
                                      (struct ry_json_bounds){1, 1 << 20}, 1);
    double fastest = 0.0;

    for (size_t i = 0; i < fits->n; i++) {
        const struct ry_coll_fit *fit = &fits->at[i];
        if (fit->nodes == 0 && fit->ranks > 8)
            ry_fitted_note(fitted, ry_strfmt(fitted->arena,
                                             "%s over %zu ranks: the file does not say "
                                             "how many nodes; give --nodes",
                                             ry_coll_name(fit->coll), fit->ranks));
        if (fit->nodes > 1 && fit->ranks > gpus)
            ry_fitted_note(
                fitted, ry_strfmt(fitted->arena,
                                  "%s over %zu ranks on %zu nodes: the curve is of this "
                                  "very group; give --gpu, --nics and --nic-rate (or "
                                  "--design) to fit what joins the nodes",
                                  ry_coll_name(fit->coll), fit->ranks, fit->nodes));
        fastest = fmax(fastest, fit->fit.rate_inf_bytes_per_s * fit->bus_factor);
        fastest = fmax(fastest, fastest_point(input, fit));
    }
    set(fitted, "wire_bytes_per_s", exactly(1.05 * fastest), fits->n, false,
        "not given: 1.05 times the fastest busbw measured stands for the physical limit");
    set(fitted, "ring_bytes_per_s", exactly(fastest), fits->n, true,
        "fastest busbw measured");
    set(fitted, "pcie_bytes_per_s", exactly(48e9), fits->n, false,
        "not given: PCIe gen5 x16");
    set(fitted, "rel_sigma", exactly(fits->rel_sigma), fits->n, true,
        "1.48 times the median error of the fits");
    if (ry_alpha_steps_fit(fits, RY_COLL_ALL_REDUCE, &steps, NULL) == RY_OK &&
        steps.intra_known)
        set(fitted, "step_s", steps.intra_step_s, fits->n, true,
            "start-up of all_reduce over rank counts");
    else
        set(fitted, "step_s", exactly(1e-6), fits->n, false,
            "not identifiable from one rank count; NCCL has 0.6 (LL) to 3.4 us (Simple)");
}

static void override(struct ry_fitted *fitted, const struct ry_fabric_fit *fit,
                     const char *key, enum ry_fabric_parameter parameter)
{
    fitted->parameter[fitted->parameters++] = (struct ry_model_parameter){
        .key = key,
        .value = fit->parameter[parameter],
        .points = fit->points,
        .known = fit->known[parameter],
        .from =
            fit->known[parameter]
                ? "fit of the runs below around the base model"
                : "the runs do not tell it: near the base model, whose interval holds",
    };
}

static void scaled(struct ry_fitted *fitted, const struct ry_fabric_fit *fit,
                   const char *key, enum ry_fabric_parameter parameter, double value)
{
    const struct ry_estimate times = fit->parameter[parameter];

    override(fitted, fit, key, parameter);
    fitted->parameter[fitted->parameters - 1].value = (struct ry_estimate){
        value, value / times.value * times.lo90, value / times.value * times.hi90};
}

void ry_fitted_fabric(struct ry_fitted *fitted, const struct ry_fabric_job *job)
{
    const struct ry_net_fabric *fabric = &job->fabric;

    override(fitted, &job->fit, "nic_frac", RY_FABRIC_NIC);
    override(fitted, &job->fit, "tree_frac", RY_FABRIC_TREE);
    override(fitted, &job->fit, "loss_per_doubling", RY_FABRIC_LOSS);
    scaled(fitted, &job->fit, "send_s", RY_FABRIC_STEP, fabric->send_s);
    scaled(fitted, &job->fit, "message_s", RY_FABRIC_MESSAGE, fabric->message_s);
    fitted->parameter[fitted->parameters++] = (struct ry_model_parameter){
        .key = "rel_sigma",
        .value = exactly(fabric->rel_sigma),
        .points = job->fit.points,
        .known = true,
        .from =
            "the larger of the base model's and 1.48 times the median error of the fit",
    };
    if (ry_json_has(fitted->facts, "parameters"))
        return;
    set(fitted, "line_bytes_per_s", exactly(fabric->nic_line_bytes_per_s), 0, false,
        "given");
    set(fitted, "usable_frac",
        exactly(fabric->nic_bytes_per_s / fabric->nic_line_bytes_per_s), 0, false,
        "base model");
    set(fitted, "sigma_per_doubling", exactly(fabric->sigma_per_doubling), 0, false,
        "base model");
    set(fitted, "alpha_sigma", exactly(fabric->alpha_sigma), 0, false, "base model");
    if (fabric->gpu_bytes_per_s > 0.0)
        set(fitted, "gpu_bytes_per_s", exactly(fabric->gpu_bytes_per_s), 0, false,
            "base model");
}
