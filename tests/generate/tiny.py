"""A tiny random Qwen2 model with a byte tokenizer, built on the spot; real code, no download."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer() -> transformers.PreTrainedTokenizerFast:
    """One token a byte, and the marks of ChatML."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE(vocab={sign: n for n, sign in enumerate(alphabet)}, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=bare,
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=CHAT,
    )


def model(vocabulary: int, *, end: int, layers: int = 2) -> transformers.Qwen2ForCausalLM:
    """Random float32 weights, always the same; grouped-query attention like the real ones."""
    torch.manual_seed(0)
    config = transformers.Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        initializer_range=0.5,  # large, so that greedy text differs from prompt to prompt
        eos_token_id=end,
        pad_token_id=end,
    )
    made = transformers.Qwen2ForCausalLM(config).eval()
    made.generation_config.do_sample = False
    return made


def write(folder: Path) -> Path:
    """Save model and tokenizer as a folder that `from_pretrained` reads.

    A few plain bytes end a reply as well, since random weights seldom find the one end token.
    """
    words = tokenizer()
    made = model(len(words), end=words.eos_token_id)
    made.generation_config.eos_token_id = [words.eos_token_id, *range(3)]
    made.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
