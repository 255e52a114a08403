"""Names of the inputs and outputs of decoders, as the exporters give them."""


def logits_name(form):
    return "linear_14" if form == "torch" else "logits"


def in_order(form, pairs):
    """Names of keys and values in the order of inputs and outputs: some exporters write all keys first."""
    if form in ("genai", "shared", "window", "torch"):
        return [pair[side] for side in (0, 1) for pair in pairs]
    return [name for pair in pairs for name in pair]


def cache_names(form, layer):
    """Names of past keys and values, and of present keys and values."""
    if form == "torch":
        return ((f"past_key_values_key_cache_{layer}", f"past_key_values_value_cache_{layer}"),
                (f"cat_{17 + 2 * layer}", f"cat_{18 + 2 * layer}"))
    if form == "hf":
        return tuple(tuple(f"{side}.cache.layers.{layer}.{part}" for part in ("keys", "values"))
                     for side in ("input", "output"))
    return tuple(tuple(f"{side}.{layer}.{part}" for part in ("key", "value"))
                 for side in ("past_key_values", "present"))
