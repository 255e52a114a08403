"""Values with one meaning all over Polygraphy."""

from polygraphy import config

# Older scripts look for these two here.
AUTOINSTALL_DEPS = config.AUTOINSTALL_DEPS
INTERNAL_CORRECTNESS_CHECKS = config.INTERNAL_CORRECTNESS_CHECKS

DEFAULT_SHAPE_VALUE = 1
"""int: Stands for a dynamic dimension without a given value"""
DEFAULT_SEED = 1
"""int: Seed of generated inputs"""
TAB = " " * 4
"""str: One level of indentation in messages"""
MARK_ALL = "mark-all"
"""str: In place of a list of output names: every tensor"""

LEGACY_TYPE_MARKER = "polygraphy_serialized_json_type"
"""str: The value in old JSON files under the key for a type"""
TYPE_MARKER = "polygraphy_class"
"""str: The JSON key whose value names the type of an object"""
