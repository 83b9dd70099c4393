"""The else of a try, an inner handler that does not fit, an exception that is raised again."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    mode = 0
    try:
        try:
            if n == 1:
                raise KeyError
            if n == 2:
                raise ValueError
        except KeyError:
            mode += 1
            raise ValueError
        else:
            mode += 10
    except ValueError:
        mode += 100
    fia(q, q, q, pre_tokens=mode)


# run: forward(0, 0)
# run: forward(0, 1)
# run: forward(0, 2)
