/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What failures and checkpoints leave of a long run.
 *
 * Interruptions come at random at a constant rate; each loses half a checkpoint interval
 * of work on average, and the time to detect, restart and load.  The best interval is
 * Daly's (J. T. Daly, "A higher order estimate of the optimum checkpoint interval for
 * restart dumps", FGCS 22, 2006), Young's (CACM 17, 1974) to first order.
 */
#ifndef RY_SIM_GOODPUT_H
#define RY_SIM_GOODPUT_H

struct ry_goodput_inputs {
    double mtbf_s;              /**< of the whole job, between interruptions */
    double checkpoint_s;        /**< that training stands still for one checkpoint */
    double detect_s, restart_s; /**< from failure to the first new step */
    double interval_s;          /**< between checkpoints; 0: the best one */
};

struct ry_goodput {
    double interval_s;
    double effective_frac;  /**< useful training time / wall time */
    double checkpoint_frac; /**< lost to writing */
    double rework_frac;     /**< lost to repeated steps */
    double restart_frac;    /**< lost to detection and restart */
    double loss_s;          /**< mean loss an interruption */
};

/** Mean time between failures of a job of @p gpus when one GPU's share fails every
 * @p gpu_mtbf_s: failures add up. */
double ry_job_mtbf_s(double gpu_mtbf_s, double gpus);

/** Best time between checkpoints (Daly 2006, equation 37). */
double ry_checkpoint_interval_s(double mtbf_s, double checkpoint_s);

/** Shares of wall time. */
struct ry_goodput ry_goodput(const struct ry_goodput_inputs *in);

/**
 * The most that an interruption may cost, on average, for @p effective_frac of the wall
 * time to be useful: (1 - f) / f * mtbf, checkpoints included.
 */
double ry_goodput_loss_allowed_s(double mtbf_s, double effective_frac);

#endif
