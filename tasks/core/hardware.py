"""What the processor gains from."""

from __future__ import annotations

from pathlib import Path


def auto_dtype() -> str:
    """`bfloat16` where it is native (CUDA from Ampere, AVX512-BF16, AMX), else `float32`."""
    import torch

    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    return "bfloat16" if native_bf16() else "float32"


def native_bf16() -> bool:
    """Whether this CPU multiplies bfloat16 in hardware."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        import platform

        return platform.system() == "Darwin" and platform.machine() == "arm64"
    return "avx512_bf16" in flags or "amx_bf16" in flags or " bf16" in flags
