"""Integer arrays that the modules of `eval` exchange: any object with Python's buffer protocol, such as a memoryview or
a NumPy array. Playing needs no NumPy, which takes longer to load than everything else."""
import math
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union

from engine.errors import UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = Union[memoryview, "NDArray[Any]"]

# The type codes of the module struct, by NumPy's names.
FORMATS: dict[str, Literal["b", "h", "i", "I", "Q"]] = {
    "int8": "b", "int16": "h", "int32": "i", "uint32": "I", "uint64": "Q",
}
_KINDS = {"int": "bhilq", "uint": "BHILQ", "float": "efd"}


def zeros(dtype: str, shape: Sequence[int]) -> memoryview:
    """A new writable array of zeros, with a type of FORMATS.

    Raises UserError for an empty array of several dimensions, which a memoryview cannot represent."""
    if len(shape) != 1 and not all(shape):
        raise UserError("an array without elements has one dimension, and this has the shape {shape}",
                        shape=tuple(shape))
    made = memoryview(bytearray(math.prod(shape) * struct.calcsize(FORMATS[dtype])))
    return made.cast(FORMATS[dtype], tuple(shape)) if len(shape) != 1 else made.cast(FORMATS[dtype])


def view_of(array: Array) -> memoryview:
    return memoryview(array)    # type: ignore[arg-type]    # NumPy says that it has buffers only from Python 3.12 on


def dtype_of(array: Array) -> str:
    """The NumPy name of an array's type, such as "int16".

    >>> dtype_of(zeros("uint32", (2, 3)))
    'uint32'
    """
    view = view_of(array)
    kind = next((kind for kind, letters in _KINDS.items() if view.format in letters), None)
    return f"{kind}{8 * view.itemsize}" if kind else view.format


def checked(name: str, array: Array, dtype: str, shape: tuple[int, ...]) -> memoryview:
    """The array, contiguous. Raises UserError with its name unless it has this type and shape."""
    view = view_of(array)
    if dtype_of(view) != dtype or view.shape != shape:
        raise UserError("{name} is {found} of shape {shape}; it has to be {dtype} of shape {wanted}", name=name,
                        found=dtype_of(view), shape=view.shape, dtype=dtype, wanted=shape)
    return view if view.c_contiguous else memoryview(view.tobytes()).cast(FORMATS[dtype], shape)


def flat(array: memoryview) -> memoryview:
    """A one-dimensional view of a contiguous array."""
    return array if array.ndim == 1 else array.cast("B").cast(FORMATS[dtype_of(array)])
