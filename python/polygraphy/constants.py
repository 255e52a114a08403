"""Values with one meaning all over Polygraphy."""

from polygraphy import config

# Older scripts look for these two here.
AUTOINSTALL_DEPS = config.AUTOINSTALL_DEPS
INTERNAL_CORRECTNESS_CHECKS = config.INTERNAL_CORRECTNESS_CHECKS

DEFAULT_SHAPE_VALUE = 1
"""int: What stands for a dynamic dimension that nobody gave a value"""
DEFAULT_SEED = 1
"""int: Seed of generated inputs"""
TAB = " " * 4
"""str: One level of indentation in messages"""
MARK_ALL = "mark-all"
"""str: In place of a list of output names: every tensor"""

LEGACY_TYPE_MARKER = "polygraphy_serialized_json_type"
"""str: What old JSON files hold under the key that names a type"""
TYPE_MARKER = "polygraphy_class"
"""str: The JSON key whose value names the type of an object"""
