"""Words that texts for users avoid, each with the reason that a check prints.

`WORDS` are for every text, `BEGINNINGS` for the first words of a help text. `found(text)` and
`found_in_help(text)` list the (words, reason) of a text; check_messages.py reads the strings of C++ with them,
and check_docs.py the documents.
"""

import re

WORDS = [
    (r"nobody|no one|somebody|someone|anybody|anyone|whoever|who asks?", "name the actor: the user, a node"),
    (r"tells?|told", "a program reads, reports, prints or selects"),
    (r"(?:is|are|was|were|be|been) (?:asked|said|spoken|called for)|asked of", "say who requests it, or what is set"),
    (r"(?:is|are|was|were|be) (?-i:none)", "'none' is a value only: say what is missing"),
    (r"none of (?:its|their)", "'none' is a value only: say what is missing"),
    (r"on trial", "a preview, or experimental"),
    (r"(?:so|that|as) many times|so (?:many|much)(?! (?:as|that))", "say which number"),
    (r"of (?:its|their|one's|his|our|your|my) own", "its own X, a separate X, or a custom X"),
    (r"shall", "must, or an imperative"),
    (r"by chance", "at random"),
    (r"at (?:its|their|the) worst", "the largest, or the maximum"),
    (r"(?:fall|falls|fell) (?:apart|into parts)", "is decomposed, or split"),
    (r"(?:is|are|was|were) no (?:such )?(?:output|input|tensor|node|file|model|name|number|option|runner)s?"
     r"(?! (?:of|named|called|that|in|with|for|to|left|at|on))", "is not a ..."),
]

BEGINNINGS = [
    (r"(?:What|Which|Who|Where|When|How|Why)", "begin with an imperative or a noun of the field"),
    (r"(?:Such|That|Those|Also|So|Then|None)", "begin with an imperative or a noun of the field"),
]


def _compiled(table, form):
    return [(re.compile(form % words, re.IGNORECASE), reason) for words, reason in table]


_WORDS = _compiled(WORDS, r"\b(?:%s)\b")
_BEGINNINGS = [(re.compile(r"%s\b" % words), reason) for words, reason in BEGINNINGS]


def found(text):
    """The (words, reason) of each place of `text` that is not plain."""
    return [(match.group(), reason) for pattern, reason in _WORDS for match in pattern.finditer(text)]


def found_in_help(text):
    """found(), and the beginning: a help text is an imperative, or a noun of the field."""
    begins = [(match.group(), reason) for pattern, reason in _BEGINNINGS for match in [pattern.match(text)] if match]
    return begins + found(text)
