"""Arrays that cannot be written to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from clearwood._typing import AnyArray


def frozen(values: Any, dtype: DTypeLike | None) -> AnyArray:
    """`values` as a read-only contiguous array of `dtype`; shared only if already read-only."""
    array = np.asarray(values)
    if dtype is not None and not np.can_cast(array.dtype, dtype, "same_kind"):
        array = _whole(array, np.dtype(dtype))
    array = np.ascontiguousarray(array, dtype)
    if array.flags.writeable:
        array = array.copy() if array is values or array.base is not None else array
        array.flags.writeable = False
    return array


def same(left: AnyArray, right: AnyArray) -> bool:
    """Whether two arrays are equal; NaN equals NaN."""
    return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")


def _whole(array: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    """`array` as `dtype` where no value changes; an empty list counts as any dtype."""
    changed: AnyArray = array.astype(dtype)
    if not np.array_equal(changed, array):
        raise TypeError(f"expected an array of {dtype}, got {array.dtype} values that do not fit")
    return changed
