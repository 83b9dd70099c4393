"""Positional arguments of a method, a static method, a class method and an unbound method count differently."""
from torch_npu import npu_fused_infer_attention_score as fia


class Runner:
    def bound(self, q, behind, ahead=1):
        return fia(q, q, q, pre_tokens=behind, next_tokens=ahead)

    @staticmethod
    def static(q, behind, ahead=2):
        return fia(q, q, q, pre_tokens=behind, next_tokens=ahead)

    @classmethod
    def of_class(cls, q, behind, ahead=3):
        return fia(q, q, q, pre_tokens=behind, next_tokens=ahead)

    def forward(self, q):
        self.bound(q, 10)  # must-know: pre_tokens, next_tokens
        self.static(q, 11)  # must-know: pre_tokens, next_tokens
        self.of_class(q, 12)  # must-know: pre_tokens, next_tokens
        Runner.bound(self, q, 13, 5)
        Runner.static(q, 14, 6)  # must-know: pre_tokens, next_tokens
        Runner.of_class(q, 15, 7)  # must-know: pre_tokens, next_tokens


# run: Runner().forward(0)
