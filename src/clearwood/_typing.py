"""Names for the array types that signatures use."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int32]
"""Ids, codes, class indices and branch numbers: 32 bits everywhere, as in the core."""
RowCounts: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
FlagArray: TypeAlias = NDArray[np.uint8]
AnyArray: TypeAlias = NDArray[Any]
