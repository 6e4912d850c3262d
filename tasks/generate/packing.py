"""Linear layers whose weights lie as oneDNN multiplies them.

PyTorch re-orders a bfloat16 weight at each call, which for the 16 rows of a decoding step costs as
much as half the product. Re-ordered once, they give the same products to the bit (of contiguous
inputs).
"""

from __future__ import annotations

import torch

_OPERATIONS = ("_reorder_linear_weight", "_linear_pointwise", "_is_mkldnn_bf16_supported")


class PackedLinear(torch.nn.Module):
    """`torch.nn.Linear` on a packed weight; for inference only."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self._weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), None)
        self._bias = None if linear.bias is None else linear.bias.detach()

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Product of [..., in] with the weight, plus the bias: [..., out]."""
        output: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            inputs, self._weight, self._bias, "none", [], ""
        )
        return output


def can_pack(model: torch.nn.Module) -> bool:
    """Whether packing applies: a bfloat16 model on a CPU, and a PyTorch that has the operations."""
    return (
        all(p.device.type == "cpu" and p.dtype == torch.bfloat16 for p in model.parameters())
        and torch.backends.mkldnn.is_available()
        and all(hasattr(torch.ops.mkldnn, name) for name in _OPERATIONS)
        and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    )


def pack_linears(model: torch.nn.Module) -> int:
    """Replace the model's linear layers in place; return how many.

    A replaced weight is freed at once unless something else uses it (tied embeddings), so that no
    more than one is held twice.
    """
    count = 0
    parents = [part for part in model.modules() if not isinstance(part, torch.nn.Linear)]
    for parent in parents:
        for name, child in list(parent.named_children()):
            # accelerate's hooks move weights that are offloaded; those stay as they are.
            if type(child) is torch.nn.Linear and not hasattr(child, "_hf_hook"):
                setattr(parent, name, PackedLinear(child))
                count += 1
    return count
