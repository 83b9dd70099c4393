"""A coroutine and a generator that reach the operator when they are driven, with what was sent to them."""
from torch_npu import npu_fused_infer_attention_score as fia


def worker(q):
    ahead = 0
    while ahead is not None:
        ahead = yield
        if ahead is not None:
            fia(q, q, q, next_tokens=ahead)


async def compute(q, n):
    fia(q, q, q, pre_tokens=n)


def main(q):
    running = worker(q)
    next(running)
    running.send(5)
    running.send(6)
    try:
        compute(q, 7).send(None)
    except StopIteration:
        pass


# run: main(0)
