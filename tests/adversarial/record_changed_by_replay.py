"""Replay changes the record that capture stored, before it calls with it."""
import torch_npu

fia = torch_npu.npu_fused_infer_attention_score
RECORDS = {}
OBJECTS = {}
POPPED = {}


class Record:
    def __init__(self, bound):
        self.bound = bound


def capture(q, n):
    RECORDS[n] = [dict(pre_tokens=6)]
    fia.out(q, q, q, pre_tokens=6)


def update(q, n):
    for kwargs in RECORDS[n]:
        kwargs["pre_tokens"] = 8
        fia.out(q, q, q, **kwargs)


def capture_object(q, n):
    OBJECTS[n] = [Record(6)]
    fia.out(q, q, q, pre_tokens=6)


def update_object(q, n):
    for record in OBJECTS[n]:
        record.bound = 9
        fia.out(q, q, q, pre_tokens=record.bound)


def capture_popped(q, n):
    POPPED[n] = [dict(pre_tokens=6, next_tokens=1)]
    fia.out(q, q, q, pre_tokens=6)


def update_popped(q, n):
    for kwargs in POPPED[n]:
        kwargs.pop("next_tokens")
        del kwargs["pre_tokens"]
        fia.out(q, q, q, **kwargs)


def replay(q):
    capture(q, 1)
    update(q, 1)


def replay_object(q):
    capture_object(q, 1)
    update_object(q, 1)


def replay_popped(q):
    capture_popped(q, 1)
    update_popped(q, 1)


# run: replay(0)
# run: replay_object(0)
# run: replay_popped(0)
