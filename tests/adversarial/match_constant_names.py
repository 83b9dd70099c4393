"""A dotted name in a pattern is compared, a bare one captures; True is matched by identity, 1 by equality."""
from types import SimpleNamespace

from torch_npu import npu_fused_infer_attention_score as fia

Mode = SimpleNamespace(BAND=4, CAUSAL=3)
OTHER = 4


def forward(q, n):
    match n:
        case True:
            mode = 1
        case 1:
            mode = 2
        case Mode.BAND:
            mode = 4
        case OTHER:
            mode = OTHER + 10
    fia(q, q, q, sparse_mode=mode)


# run: forward(0, True)
# run: forward(0, 1)
# run: forward(0, 4)
# run: forward(0, 6)
