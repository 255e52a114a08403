"""Words that texts for users avoid, each with the reason that a check prints.

`WORDS` are for every text, `COMMENT_WORDS` for the sources, `MESSAGE_WORDS` for help and messages, `BEGINNINGS` for
the first words of a help text. `found(text)`, `found_in_comment(text)`, `found_in_message(text)` and
`found_in_help(text)` list the (words, reason) of a text; check_messages.py reads the strings of C++ with them,
check_comments.py comments, and check_docs.py the documents.
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
    (r"whose", "with a ..., or a second sentence"),
    (r"by chance", "at random"),
    (r"at (?:its|their|the) worst", "the largest, or the maximum"),
    (r"(?:fall|falls|fell) (?:apart|into parts)", "is decomposed, or split"),
    (r"(?<!there )(?:is|are|was|were) no (?:such )?(?:output|input|tensor|node|file|model|name|number|option|runner)s?"
     r"(?! (?:of|named|called|that|in|with|for|to|left|at|on))", "is not a ..."),
]

# Of the sources; the change log is older.
COMMENT_WORDS = [
    (r"(?<!there )(?:is|are|was|were) no (?!longer|more)\w+", "is not a ..., or invalid"),
    (r"in parts of", "as a multiple of, or a formula: norm(difference) / norm(reference)"),
]

# Documents have time for a story; a message is read in a hurry.
MESSAGE_WORDS = [
    (r"the one\b[^.;:]*\bthe other", "name both"),
    (r"that of", "name the thing, or the owner's: 'the model's'"),
    (r"times the noise", "3× the noise"),
    (r"anew", "again"),
    (r"any ?more", "no longer"),
    (r"at fault", "guilty, or the cause"),
    (r"cut (?:short|off)", "truncated"),
    (r"go(?:es|ing)? on", "continue"),
    (r"(?:is|are|was|were) not there", "is missing"),
    (r"what (?:is|was|are|can|has|the|it|they|he)|(?:for|of|takes?|shows?|than|keeps?) what", "a noun of the field"),
    (r"(?:take|takes|took) no(?! value)", "does not support"),
    (r"tried out|taken (?:apart|back|out)", "tested, separated, reverted or removed"),
]

BEGINNINGS = [
    (r"(?:Which|Who|Where|When|How|Why)", "begin with an imperative or a noun of the field"),
    (r"(?:Such|That|Those|So|Then|None)", "begin with an imperative or a noun of the field"),
]


def _compiled(table, form):
    return [(re.compile(form % words, re.IGNORECASE), reason) for words, reason in table]


# "What changed: ..." has no actor; "What is wrong?" is a question.
_CLAUSE = re.compile(r"(?:^|(?<=[.:;] )|(?<=\\n))What\b(?![^.;:]*\?)")

_WORDS = _compiled(WORDS, r"\b(?:%s)\b")
_COMMENT_WORDS = _compiled(COMMENT_WORDS, r"\b(?:%s)\b")
_MESSAGE_WORDS = _compiled(MESSAGE_WORDS, r"\b(?:%s)\b")
_BEGINNINGS = [(re.compile(r"%s\b" % words), reason) for words, reason in BEGINNINGS]


def _found(table, text):
    return [(match.group(), reason) for pattern, reason in table for match in pattern.finditer(text)]


def found(text):
    """The (words, reason) of each place of `text` that is not plain."""
    return _found(_WORDS, text)


def found_in_comment(text):
    """found(), clauses in place of a subject, and more words."""
    clauses = [(match.group(), "begin with an actor or a noun of the field") for match in _CLAUSE.finditer(text)]
    return clauses + _found(_WORDS + _COMMENT_WORDS, text)


def found_in_message(text):
    """found_in_comment(), and the words of stories."""
    return found_in_comment(text) + _found(_MESSAGE_WORDS, text)


def found_in_help(text):
    """found(), and the beginning: a help text is an imperative, or a noun of the field."""
    begins = [(match.group(), reason) for pattern, reason in _BEGINNINGS for match in [pattern.match(text)] if match]
    return begins + found_in_message(text)
