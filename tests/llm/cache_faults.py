"""Faults of KV caches that decoders.py plants. Each one is wrong only where its `needs` says:

    past      some calls continue a cache; a prefill alone is right
    steps     a call continues a cache with several tokens
    padding   rows are padded on the left, and a call continues a cache
    rows      several rows with a cache
    prefill   in a prefill, too
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Fault:
    summary: str
    needs: str = "past"
    # Of the attention that the graph writes out; GroupQueryAttention computes positions and mask itself.
    written_out: bool = True


FAULTS = {
    "position-off-by-one": Fault("positions are one too high when there is a past"),
    "position-clamped": Fault("positions are at most 4 when there is a past"),
    "position-ids-ignored": Fault("positions behind a past count its padding, whatever position_ids say", "padding"),
    "key-not-rotated": Fault("the new key has no rotary position when there is a past"),
    "causal-top-left": Fault("the causal mask begins at the first key, not at the first new one", "past"),
    "mask-sees-future": Fault("each token sees one token of its future", "prefill"),
    "padding-attended": Fault("attention_mask is ignored: tokens see the padding", "prefill"),
    "past-truncated": Fault("the first token of the past is not seen"),
    "past-window": Fault("of the past only the last three tokens are seen"),
    "keys-prepended": Fault("new keys come before those of the past, in every layer"),
    "past-zeroed": Fault("the last layer reads zeros in place of its past", written_out=False),
    "last-missing": Fault("the last layer reads zeros in place of the last token of its past", written_out=False),
    "keys-and-values-swapped": Fault("the last layer takes its keys for values", written_out=False),
    "layers-crossed": Fault("the last layer reads the past of the first", written_out=False),
    "heads-crossed": Fault("the last layer reads the past of another head", written_out=False),
    "rows-crossed": Fault("the last layer reads the past of another row", "rows", written_out=False),
    "present-not-updated": Fault("the last layer returns zeros (shared: the old buffer) for its new keys and values",
                                 written_out=False),
}


def check(fault, spec):
    """Raises ValueError where the decoder of `spec` cannot have the fault."""
    if not fault:
        return
    if fault not in FAULTS:
        raise ValueError(f"'{fault}' is no fault; there are {', '.join(FAULTS)}")
    if spec.form == "nocache" and fault != "mask-sees-future":
        raise ValueError(f"A decoder without a cache cannot have '{fault}'")
    if spec.form == "window":
        raise ValueError(f"Layers of this form have caches of two kinds, for which '{fault}' is not written")
    if spec.form in ("genai", "shared") and FAULTS[fault].written_out:
        raise ValueError(f"GroupQueryAttention computes positions and mask: '{fault}' needs another form")
    if fault == "layers-crossed" and spec.layers < 2 or fault == "heads-crossed" and spec.kv_heads < 2:
        raise ValueError(f"'{fault}' needs two of them")
