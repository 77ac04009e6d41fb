#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the kernels of one GPU node for `railyard calibrate`.

    python3 collect.py node.json                      # one GPU: kernels and power
    torchrun --standalone --nproc-per-node 8 collect.py node.json   # and the node's links

Writes one JSON document of schema "node-bench/1" (node-bench.schema.json): SI units in
the keys, medians of device-event timings on random data, no host name, no user name.
Needs PyTorch; power and clocks need pynvml (pip name nvidia-ml-py) and are left out
without it.  A part that fails is noted in the document and the rest goes on.
"""
import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import threading
import time

PARTS = ("gemm", "layouts", "experts", "attention", "memory_bound", "fused", "host",
         "power", "overlap", "collectives")
ONE_GPU = PARTS[:8]

# (rows of tokens, widths of the layers): what transformer layers of 1B to 500B ask for.
TOKENS = (1024, 4096, 16384)
WIDTHS = ((2048, 8192), (4096, 14336), (5120, 20480), (8192, 28672), (12288, 49152))
EXPERTS = ((8, 1024, 28672, 4096), (8, 4096, 4096, 14336), (8, 256, 28672, 4096),
           (64, 384, 2816, 2048), (64, 1536, 2048, 1408), (16, 2048, 4096, 7168),
           (32, 512, 4096, 7168), (32, 128, 4096, 7168), (128, 256, 1536, 4096))
HEADS = ((16, 16, 64), (32, 32, 128), (32, 8, 128), (8, 2, 128), (4, 1, 128))
LAYOUT_SHAPES = ((4096, 4096, 4096), (8192, 8192, 8192), (4096, 14336, 4096),
                 (2048, 12288, 12288), (4096, 1024, 8192))


class Clock:
    """Device-event timing: the median of a few batches, each long enough to time."""

    def __init__(self, torch):
        self.torch = torch
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def batch(self, work, calls):
        self.torch.cuda.synchronize()
        self.begin.record()
        for _ in range(calls):
            work()
        self.end.record()
        self.torch.cuda.synchronize()
        return self.begin.elapsed_time(self.end) / 1e3

    def measure(self, work, batch_s=8e-3, batches=3, warm=3, agree=None):
        for _ in range(warm):
            work()
        once = max(self.batch(work, 1), 1e-6)
        calls = min(2000, int(batch_s / once) + 1)
        calls = agree(calls) if agree else calls
        times = [self.batch(work, calls) / calls for _ in range(batches)]
        return {"time_s": statistics.median(times), "min_s": min(times),
                "max_s": max(times)}


class Power:
    """Board power and SM clock about 50 times a second, in a thread."""

    def __init__(self, torch):
        import pynvml
        pynvml.nvmlInit()
        self.nvml = pynvml
        self.board = pynvml.nvmlDeviceGetHandleByIndex(torch.cuda.current_device())

    @contextlib.contextmanager
    def watch(self, into):
        samples, stop = [], threading.Event()

        def loop():
            while not stop.wait(0.02):
                samples.append((time.monotonic(),
                                self.nvml.nvmlDeviceGetPowerUsage(self.board) / 1e3,
                                self.nvml.nvmlDeviceGetClockInfo(
                                    self.board, self.nvml.NVML_CLOCK_SM)))

        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
        late = [s for s in samples if s[0] - samples[0][0] > 0.5] or samples
        into.update(power_w_mean=statistics.mean(s[1] for s in late),
                    power_w_max=max(s[1] for s in late),
                    sm_mhz_mean=statistics.mean(s[2] for s in late), samples=len(late))


class Node:
    """This process's GPU, its rank, and what a measurement needs."""

    def __init__(self):
        import torch
        import torch.distributed as dist
        self.torch, self.dist = torch, dist
        self.rank = int(os.environ.get("RANK", "0"))
        self.ranks = int(os.environ.get("WORLD_SIZE", "1"))
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        self.device = torch.device("cuda", torch.cuda.current_device())
        if self.ranks > 1:
            dist.init_process_group("nccl", device_id=self.device)
        self.clock = Clock(torch)

    def randn(self, *shape, dtype=None, grad=False):
        return self.torch.randn(*shape, device=self.device, requires_grad=grad,
                                dtype=dtype or self.torch.bfloat16)

    def agree(self, calls):
        """The largest count over the ranks: all must issue the same collectives."""
        if self.ranks == 1:
            return calls
        most = self.torch.tensor([calls], device=self.device)
        self.dist.all_reduce(most, self.dist.ReduceOp.MAX)
        return int(most.item())

    def about(self):
        torch = self.torch
        board = torch.cuda.get_device_properties(self.device)
        query = ("driver_version,pcie.link.gen.current,pcie.link.width.current,"
                 "power.limit,clocks.max.sm,clocks.max.memory")
        try:
            limits = subprocess.run(["nvidia-smi", "--query-gpu=" + query,
                                     "--format=csv,noheader"], capture_output=True,
                                    text=True, timeout=20).stdout.splitlines()
        except (OSError, subprocess.TimeoutExpired):
            limits = []
        nccl = torch.cuda.nccl.version()
        return {"schema": "node-bench/1", "date": time.strftime("%Y-%m-%d"),
                "gpu": board.name, "gpus": self.ranks,
                "sm_count": board.multi_processor_count, "hbm_bytes": board.total_memory,
                "torch": torch.__version__, "cuda": torch.version.cuda,
                "nccl": ".".join(map(str, nccl)) if isinstance(nccl, tuple) else str(nccl),
                "driver_pcie_power_clocks": limits[0] if limits else None,
                "nccl_env": {k: v for k, v in os.environ.items()
                             if k.startswith("NCCL_") and "HOST" not in k}}


def gemm_shapes():
    shapes = {(s, s, s) for s in (512, 1024, 2048, 4096, 8192, 16384)}
    for m in TOKENS:
        for h, f in WIDTHS:
            for share in (1, 4, 8):
                shapes |= {(m, 3 * h // share, h), (m, h, h // share),
                           (m, f // share, h), (m, h, f // share)}
        shapes |= {(m, v, 4096) for v in (32000, 50304, 128256)}
    return sorted(s for s in shapes if 2.0 * s[0] * s[1] * s[2] < 2e13)


def gemm(node, progress):
    torch, shapes = node.torch, gemm_shapes()
    one = torch.ones((), device=node.device)
    jobs = [("bf16", s) for s in shapes[::2]] + [("fp8", s) for s in shapes[::6]]
    for i, (dtype, (m, n, k)) in enumerate(jobs):
        progress(i / len(jobs))
        a, b = node.randn(m, k), node.randn(n, k)
        if dtype == "fp8":
            a, b = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn)

            def work():
                torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one,
                                 out_dtype=torch.bfloat16)
        else:
            def work():
                torch.mm(a, b.t())
        row = {"m": m, "n": n, "k": k, "dtype": dtype, **node.clock.measure(work)}
        yield {**row, "flops_per_s": 2.0 * m * n * k / row["time_s"]}


def layouts(node, progress):
    torch = node.torch
    for i, (m, n, k) in enumerate(LAYOUT_SHAPES):
        progress(i / len(LAYOUT_SHAPES))
        a, at, b, bt = node.randn(m, k), node.randn(k, m), node.randn(k, n), node.randn(n, k)
        c32, d32 = a.float(), b.float()
        for kernel, layout, work in (
                ("gemm_layout", "NN", lambda: a @ b),
                ("gemm_layout", "NT (forward of a linear layer)", lambda: a @ bt.t()),
                ("gemm_layout", "TN (weight gradient)", lambda: at.t() @ b),
                ("gemm_fp32_tf32_off", "NN", lambda: c32 @ d32)):
            row = {"kernel": kernel, "layout": layout, "m": m, "n": n, "k": k}
            torch.backends.cuda.matmul.allow_tf32 = False
            yield {**row, **node.clock.measure(work, warm=6), "flops": 2.0 * m * n * k}


def experts(node, progress):
    torch = node.torch
    if not hasattr(torch, "_grouped_mm"):
        yield {"kernel": "grouped_mm", "error": "this PyTorch has no _grouped_mm"}
        return
    for i, (groups, rows, n, k) in enumerate(EXPERTS):
        progress(i / len(EXPERTS))
        total = groups * rows
        x, w = node.randn(total, k), node.randn(groups, n, k).transpose(-2, -1)
        even = torch.arange(1, groups + 1, device=node.device, dtype=torch.int32) * rows
        cuts = torch.sort(torch.randint(1, total, (groups - 1,)))[0]
        uneven = torch.cat((cuts, torch.tensor([total]))).to(torch.int32).to(node.device)
        for kernel, ends in (("grouped_mm", even), ("grouped_mm_uneven", uneven)):
            row = {"kernel": kernel, "groups": groups, "m_per_group": rows, "n": n, "k": k}
            yield {**row, **node.clock.measure(
                lambda: torch._grouped_mm(x, w, offs=ends), warm=6)}


def attention(node, progress):
    functional, torch = node.torch.nn.functional, node.torch
    jobs = [(h, seq, batch) for h in HEADS for seq in (1024, 2048, 4096, 8192, 16384)
            for batch in (1, 4) if batch * seq <= 16384]
    for i, ((heads, kv, dim), seq, batch) in enumerate(jobs):
        progress(i / len(jobs))
        q = node.randn(batch, heads, seq, dim, grad=True)
        k, v = (node.randn(batch, kv, seq, dim, grad=True) for _ in range(2))

        def forward():
            return functional.scaled_dot_product_attention(
                q, k, v, is_causal=True, enable_gqa=heads != kv)

        with torch.no_grad():
            forward_s = node.clock.measure(forward)["time_s"]
        out = forward()
        grad = torch.randn_like(out)
        backward_s = node.clock.measure(lambda: torch.autograd.grad(
            out, (q, k, v), grad, retain_graph=True))["time_s"]
        yield {"heads": heads, "kv_heads": kv, "head_dim": dim, "seq": seq,
               "batch": batch, "dtype": "bf16", "causal": True, "fwd_s": forward_s,
               "bwd_s": backward_s}


def stream_row(node, kernel, moved, work, **about):
    return {"kernel": kernel, "bytes_moved": moved, **node.clock.measure(work), **about}


def memory_bound(node, progress):
    torch, functional = node.torch, node.torch.nn.functional
    for i, size in enumerate((1 << 20, 1 << 26, 1 << 28, 1 << 30)):
        progress(0.4 * i / 4)
        x, z = node.randn(size // 2), node.randn(size // 2)
        y = torch.empty_like(x)
        yield stream_row(node, "copy", 2 * size, lambda: y.copy_(x))
        yield stream_row(node, "add", 3 * size, lambda: torch.add(x, z, out=y))
        if size <= 1 << 28:
            yield stream_row(node, "gelu", 2 * size, lambda: functional.gelu(x))
            yield stream_row(node, "silu_mul", 3 * size, lambda: functional.silu(x) * z)
    for i, (rows, h) in enumerate(((8192, 4096), (8192, 8192), (16384, 12288))):
        progress(0.4 + 0.2 * i / 3)
        x, w = node.randn(rows, h), torch.ones(h, device=node.device, dtype=torch.bfloat16)
        moved = 2 * x.numel() * 2
        yield stream_row(node, "layer_norm", moved,
                         lambda: functional.layer_norm(x, (h,), w, w))
        yield stream_row(node, "rms_norm", moved, lambda: functional.rms_norm(x, (h,), w))
        yield stream_row(node, "softmax", moved, lambda: functional.softmax(x, -1))
        yield stream_row(node, "dropout", moved + x.numel(),
                         lambda: functional.dropout(x, 0.1))
    for i, (rows, vocabulary) in enumerate(((4096, 32000), (4096, 128256))):
        progress(0.6 + 0.2 * i / 2)
        yield from cross_entropy(node, rows, vocabulary)
    progress(0.8)
    yield from optimizer(node)
    pinned = torch.empty(1 << 28, dtype=torch.uint8, pin_memory=True)
    there = torch.empty(1 << 28, dtype=torch.uint8, device=node.device)
    yield stream_row(node, "host_to_device", 1 << 28,
                     lambda: there.copy_(pinned, non_blocking=True))
    yield stream_row(node, "device_to_host", 1 << 28,
                     lambda: pinned.copy_(there, non_blocking=True))


def cross_entropy(node, rows, vocabulary):
    torch, functional = node.torch, node.torch.nn.functional
    logits = node.randn(rows, vocabulary)
    target = torch.randint(0, vocabulary, (rows,), device=node.device)
    with torch.no_grad():
        yield stream_row(node, "cross_entropy_fp32", 6 * logits.numel(),
                         lambda: functional.cross_entropy(logits.float(), target))
    logits.requires_grad_()
    loss = functional.cross_entropy(logits.float(), target)
    yield stream_row(node, "cross_entropy_backward", 22 * logits.numel(),
                     lambda: torch.autograd.grad(loss, logits, retain_graph=True))


def optimizer(node):
    torch = node.torch
    for count in (1 << 24, 1 << 27, 1 << 29):
        if count * 16 > 0.5 * torch.cuda.get_device_properties(node.device).total_memory:
            continue
        weight = torch.nn.Parameter(node.randn(count, dtype=torch.float32))
        weight.grad = torch.randn_like(weight)
        adam = torch.optim.AdamW([weight], lr=1e-5, fused=True)
        yield stream_row(node, "adamw_fused_fp32", 28 * count, adam.step, params=count)


def fused(node, progress):
    torch, functional = node.torch, node.torch.nn.functional

    def compiled(work):
        return torch.compile(work, dynamic=False)

    def quantise_row(x):
        scale = 448.0 / x.abs().amax(-1, keepdim=True).float().clamp(min=1e-6)
        return (x.float() * scale).to(torch.float8_e4m3fn)

    def quantise_block(x):
        y = x.view(x.shape[0], -1, 128).float()
        scale = 448.0 / y.abs().amax(-1, keepdim=True).clamp(min=1e-6)
        return (y * scale).to(torch.float8_e4m3fn), scale

    norm = compiled(lambda x, w: functional.rms_norm(x, (x.shape[-1],), w))
    add_norm = compiled(lambda x, r, w: (x + r, functional.rms_norm(
        x + r, (x.shape[-1],), w)))
    swiglu = compiled(lambda g, u: functional.silu(g) * u)
    bias_gelu = compiled(lambda x, b: functional.gelu(x + b, approximate="tanh"))
    rows_fp8, blocks_fp8 = compiled(quantise_row), compiled(quantise_block)
    tensor_fp8 = compiled(lambda x: (x * (448.0 / x.abs().amax().float())).to(
        torch.float8_e4m3fn))
    turn = compiled(lambda x: x.t().contiguous())
    shapes = ((8192, 8192), (16384, 5120))
    for i, (rows, h) in enumerate(shapes):
        progress(i / len(shapes))
        x, r = node.randn(rows, h), node.randn(rows, h)
        w = torch.ones(h, device=node.device, dtype=torch.bfloat16)
        wide, n = torch.zeros(rows, h, device=node.device), 2 * rows * h
        index = torch.randperm(rows, device=node.device)
        into = torch.zeros_like(x)
        for kernel, moved, work in (
                ("fused_rms_norm", 2 * n, lambda: norm(x, w)),
                ("fused_add_rms_norm", 4 * n, lambda: add_norm(x, r, w)),
                ("fused_swiglu", 3 * n, lambda: swiglu(x, r)),
                ("fused_bias_gelu", 2 * n, lambda: bias_gelu(x, w)),
                ("fp8_quantise_per_tensor", 2 * n + n // 2, lambda: tensor_fp8(x)),
                ("fp8_quantise_per_row", n + n // 2, lambda: rows_fp8(x)),
                ("fp8_quantise_block_128", n + n // 2, lambda: blocks_fp8(x)),
                ("transpose", 2 * n, lambda: turn(x)),
                ("gather_rows", 2 * n, lambda: x[index]),
                ("index_add_rows", 3 * n, lambda: into.index_add_(0, index, x)),
                ("autograd_add_into", 3 * n, lambda: x.add_(r)),
                ("grad_accumulate_fp32", 5 * n, lambda: wide.add_(x))):
            yield stream_row(node, kernel, moved, work, tokens=rows, width=h)


def host(node, progress):
    """Seconds to issue one operation on tensors too small for the device to matter."""
    torch, functional = node.torch, node.torch.nn.functional
    x, w, g = node.randn(16, 64), node.randn(64, 64), node.randn(64)
    q = node.randn(1, 2, 16, 64)
    ops = {"add": lambda a: a + a, "linear": lambda a: functional.linear(a, w),
           "rms_norm": lambda a: functional.rms_norm(a, (64,), g),
           "layer_norm": lambda a: functional.layer_norm(a, (64,), g, g),
           "silu": functional.silu,
           "view_transpose": lambda a: a.view(4, 4, 64).transpose(0, 1),
           "sdpa": lambda a: functional.scaled_dot_product_attention(
               q, q, q, is_causal=True)}
    for i, (name, op) in enumerate(ops.items()):
        progress(i / len(ops))
        for _ in range(50):
            op(x)
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(1000):
            op(x)
        yield {"op": name, "issue_s": (time.perf_counter() - start) / 1000}
        torch.cuda.synchronize()
    for name in ("add", "linear", "rms_norm", "silu"):
        leaf = x.clone().requires_grad_()

        def chain():
            y = leaf
            for _ in range(100):
                y = ops[name](y)
            y.sum().backward()
            leaf.grad = None

        for _ in range(3):
            chain()
        torch.cuda.synchronize()
        start = time.perf_counter()
        chain()
        torch.cuda.synchronize()
        yield {"op": name + " forward+backward in a chain of 100",
               "per_op_s": (time.perf_counter() - start) / 100}


def power(node, progress):
    """Power and clocks of work held for seconds: what a step of minutes will see."""
    torch = node.torch
    meter = Power(torch)
    row = {"load": "idle"}
    with meter.watch(row):
        time.sleep(3)
    yield row
    x = node.randn(1 << 28)
    y = torch.empty_like(x)
    one = torch.ones((), device=node.device)
    loads = [("copy", lambda: y.copy_(x))]
    for size in (4096, 8192, 16384):
        a, b = node.randn(size, size), node.randn(size, size)
        loads.append((f"gemm_bf16_{size}", lambda a=a, b=b: torch.mm(a, b)))
    c = node.randn(8192, 8192).to(torch.float8_e4m3fn)
    loads.append(("gemm_fp8_8192", lambda: torch._scaled_mm(
        c, c.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)))
    q = node.randn(4, 32, 4096, 128, grad=True)
    loads.append(("attention_fwd", lambda: torch.nn.functional.
                  scaled_dot_product_attention(q, q, q, is_causal=True)))
    for i, (name, work) in enumerate(loads):
        progress(i / len(loads))
        row = {"load": name, "seconds": 4.0}
        calls, start = 0, time.monotonic()
        with meter.watch(row):
            while time.monotonic() - start < row["seconds"]:
                for _ in range(10):
                    work()
                torch.cuda.synchronize()
                calls += 10
        yield {**row, "time_s": (time.monotonic() - start) / calls}


def collective(node, op, buffer):
    dist, part = node.dist, buffer[: buffer.numel() // node.ranks].clone()
    other = buffer.clone()
    return {"all_reduce": lambda: dist.all_reduce(buffer),
            "all_gather": lambda: dist.all_gather_into_tensor(buffer, part),
            "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, buffer),
            "all_to_all": lambda: dist.all_to_all_single(other, buffer)}[op]


def overlap(node, progress):
    """Compute alone, a collective alone, both started together."""
    torch, side = node.torch, node.torch.cuda.Stream()
    jobs = [(name, op, size) for name in ("gemm_4096", "gemm_8192", "add")
            for op in ("all_reduce", "all_gather", "reduce_scatter")
            for size in (25 << 20, 256 << 20)]
    for i, (name, op, size) in enumerate(jobs):
        progress(i / len(jobs))
        if name == "add":
            x = node.randn(1 << 28)
            y = torch.empty_like(x)
            compute = lambda: torch.add(x, x, out=y)  # noqa: E731
        else:
            width = int(name.rsplit("_", 1)[1])
            a, b = node.randn(width, width), node.randn(width, width)
            compute = lambda: torch.mm(a, b)  # noqa: E731
        comm = collective(node, op, node.randn(size // 2))
        alone = node.clock.measure(compute, agree=node.agree)["time_s"]
        comm_alone = node.clock.measure(comm, agree=node.agree)["time_s"]
        computes = node.agree(max(1, int(30e-3 / alone)))
        comms = node.agree(max(1, int(computes * alone / comm_alone)))
        ends = [side_by_side(node, side, (compute, computes), (comm, comms))
                for _ in range(6)][1:]
        yield {"compute": name, "comm": op, "bytes": size,
               "compute_alone_s": alone * computes, "comm_alone_s": comm_alone * comms,
               "compute_beside_comm_s": statistics.median(e[0] for e in ends),
               "comm_beside_compute_s": statistics.median(e[1] for e in ends)}


def side_by_side(node, side, compute, comm):
    torch = node.torch
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
    node.dist.barrier()
    torch.cuda.synchronize()
    marks[0].record()
    with torch.cuda.stream(side):
        marks[2].record()
        for _ in range(comm[1]):
            comm[0]()
        marks[3].record()
    for _ in range(compute[1]):
        compute[0]()
    marks[1].record()
    torch.cuda.synchronize()
    return (marks[0].elapsed_time(marks[1]) / 1e3, marks[2].elapsed_time(marks[3]) / 1e3)


def collectives(node, progress):
    """A short curve a collective; nccl-tests gives longer ones (README.md)."""
    factor = {"all_reduce": 2 * (node.ranks - 1) / node.ranks}
    ops = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
    sizes = [1 << e for e in range(12, 31, 2)]
    for i, op in enumerate(ops):
        for j, size in enumerate(sizes):
            progress((i + j / len(sizes)) / len(ops))
            row = node.clock.measure(collective(node, op, node.randn(size // 2)),
                                     agree=node.agree)
            slowest = node.torch.tensor([row["time_s"]], device=node.device,
                                        dtype=node.torch.float64)
            node.dist.all_reduce(slowest, node.dist.ReduceOp.MAX)
            seconds = slowest.item()
            share = factor.get(op, (node.ranks - 1) / node.ranks)
            yield {"op": op, "ranks": node.ranks, "nodes": 1, "bytes": size,
                   "dtype": "bf16", "launch": "eager", **row, "time_s": seconds,
                   "algbw_bytes_per_s": size / seconds,
                   "busbw_bytes_per_s": size / seconds * share}


def run_part(node, name, document, verbose):
    start, rows = time.monotonic(), []

    def progress(share):
        if verbose:
            print(f"\r{name:14s}{100 * share:4.0f} %", end="", file=sys.stderr, flush=True)

    try:
        with node.torch.no_grad() if name in ("gemm", "layouts", "experts", "power") \
                else contextlib.nullcontext():
            for row in globals()[name](node, progress):
                rows.append(row)
    except Exception as problem:  # noqa: BLE001 - a missing feature must not end the run
        document.setdefault("problems", {})[name] = f"{type(problem).__name__}: {problem}"[:300]
    document[name] = rows
    node.torch.cuda.empty_cache()
    if verbose:
        print(f"\r{name:14s}{len(rows):5d} rows in {time.monotonic() - start:5.1f} s"
              f"{'  PROBLEM' if name in document.get('problems', {}) else ''}",
              file=sys.stderr)


def arguments():
    parser = argparse.ArgumentParser(
        description="Measure the kernels of one GPU node for `railyard calibrate`.")
    parser.add_argument("output", help="the JSON file to write; must not exist")
    parser.add_argument("--parts", default="", metavar="LIST",
                        help="comma-separated, of: " + ", ".join(PARTS))
    parser.add_argument("--list", action="store_true",
                        help="print the parts and the number of products, measure nothing")
    return parser.parse_args()


def chosen(text, ranks):
    known = PARTS if ranks > 1 else ONE_GPU
    wanted = [p.strip() for p in text.split(",") if p.strip()] or list(known)
    for part in wanted:
        if part not in PARTS:
            sys.exit(f"collect: no part '{part}'; there are {', '.join(PARTS)}")
        if part not in known:
            sys.exit(f"collect: '{part}' needs two GPUs or more; start it with torchrun")
    return wanted


def main():
    options = arguments()
    if options.list:
        print("\n".join(PARTS), len(gemm_shapes()), sep="\n")
        return
    wanted = chosen(options.parts, int(os.environ.get("WORLD_SIZE", "1")))
    first = os.environ.get("RANK", "0") == "0"
    if os.path.exists(options.output):
        sys.exit(f"collect: {options.output} exists; it is not overwritten")
    node = Node()
    document = node.about()
    for name in wanted:
        # kernels of one GPU are measured on all at once, as a step would run them
        run_part(node, name, document, first)
    if first:
        with open(options.output, "x", encoding="ascii") as out:
            json.dump(document, out, indent=1)
            out.write("\n")
        print(f"wrote {options.output}", file=sys.stderr)
    if node.ranks > 1:
        node.dist.destroy_process_group()


if __name__ == "__main__":
    main()
