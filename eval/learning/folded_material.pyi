from typing import Any

from eval.network import Form

def with_material(parameters: Any, form: Form = ...) -> Any:
    """A record of PARAMETERS of a network to which material is added, changed to one whose output includes it, in the
    limits of this form."""
