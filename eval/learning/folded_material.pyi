from typing import Any

from eval.network import Form

def with_material(parameters: Any, form: Form = ...) -> Any:
    """The parameters (a record of PARAMETERS) of a network whose output includes the material, made from a network to
    which the material is added, within the limits of this form."""
