"""Where the corpus' own notes and Quire differ, and why Quire is right; which forms cannot be filled, and why."""

# Form number -> field name -> reason.
ESCAPED = "the file escapes the escape sign itself (#23e5); the notes show the signs, Quire and qpdf the letters they stand for"
FACTS = {
    "017": {"gender1": ESCAPED, "gender2": ESCAPED},
    "028": {"gender1": ESCAPED, "gender2": ESCAPED},
    "038": {"gender1": ESCAPED, "gender2": ESCAPED},
}

# Forms that are refused with a sentence.
REFUSED = {
    "018": "only a signature field",
    "023": "its only field does not say of which kind it is",
    "027": "dynamic XFA: the file has no fields of its own",
    "034": "only signature fields",
}

# Forms that may be filled but not flattened.
NOT_FLATTENED = {}
