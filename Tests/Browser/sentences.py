"""A test is a sentence and a function that makes it true."""

known = []


class Skipped(Exception):
    """Why a sentence could not be tried here."""


def holds(sentence):
    def remember(body):
        known.append((sentence, body))
        return body

    return remember


def is_long(sentence):
    """Looks at every page, or goes all the way."""
    return sentence.startswith(("Every page", "The pseudo-locale", "The guide"))
