"""
The compiled core of clearwood; private, use the package's public names.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class InfiniteValueError(ValueError):
    """A value is infinite; args are its row and its column."""

class Table:
    """Columns in place; the arrays live as long as the table."""

    @staticmethod
    def from_columns(columns: Sequence, n_levels: Sequence[int]) -> Table:
        """
        Of one-dimensional arrays: float64 holds numbers, int32 codes of n_levels levels.

        NaN and negative codes are missing values. n_levels is not looked at for numbers.
        """

    @staticmethod
    def from_matrix(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> Table:
        """
        Of numbers (n_rows, n_columns), float64 with any strides; NaN is a missing value.
        """

    @property
    def n_rows(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

class Noise:
    """
    Where the true values of a column may lie: P(true <= t | measured x) is
    F((axis(t) - axis(x) - shift) / scale). Scale 0 reads the value as exact.
    """

    def __init__(self, axis: str, shift: float, scale: object, cdf: str, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None = None) -> None:
        """
        axis is 'identity' or 'log'; scale one number, or an array with one a row, which
        is viewed and kept; cdf 'step', 'normal', 'uniform' (on -1 to 1), 'table' (quantiles
        equally spaced in logit(p), from p = 1e-9 to 1 - 1e-9) or 'points' (of equal mass).
        """

    @property
    def per_row(self) -> bool: ...

class Evaluation:
    """What becomes of a row at a cut when it is predicted; none: hard."""

    @staticmethod
    def soft(noise: object | None, coupling: str = 'independent', eta: float = 1e-06) -> Evaluation:
        """
        By measurement error: a sequence of Noise or None, one a column of the
        table. coupling is 'independent' or 'joint'; shares below eta become 0.
        """

    @staticmethod
    def ramps(lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], as_release_8: bool = False) -> Evaluation:
        """
        By C4.5's probabilistic thresholds, one limit of each kind a node, NaN where
        it has none. as_release_8 adds 0.001 to widths and drops shares up to 0.01.
        """

    @staticmethod
    def witnesses(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], level: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], is_reversed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], conflict: str = 'paper') -> Evaluation:
        """
        By the vote of witnesses; conflict is 'paper', 'main' or 'probability'.
        """

class Predictor:
    """A packed copy of a tree, for tables of n_columns columns."""

    def __init__(self, arrays: Mapping[str, object], n_columns: int) -> None:
        """
        Of the arrays of a tree by name; InvalidTreeError if they contradict each other.
        """

    def predict_proba(self, table: Table, n_threads: int = 1, evaluation: Evaluation | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """Class probabilities (n_rows, n_classes)."""

    def predict_proba_matrix(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        The same for numbers alone (n_rows, n_columns), float64 with any strides.

        InfiniteValueError, with row and column as its args, if a value is infinite.
        """

    def apply(self, table: Table, n_threads: int = 1, evaluation: Evaluation | None = None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """
        The leaf with the largest share of each row; among equals the first in pre-order.
        """

    def decision_path(self, table: Table, n_threads: int = 1, evaluation: Evaluation | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]]:
        """
        (indptr, indices): the nodes that a positive share of each row reaches, in pre-order.
        """

    def leaf_weights(self, table: Table, n_threads: int = 1, evaluation: Evaluation | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]]:
        """
        (indptr, indices, shares): the leaves of each row and its shares there, which sum to 1.
        """

    def shares(self, table: Table, evaluation: Evaluation | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        (n_rows, n_nodes): which part of a row in a node's parent goes on to the node, be
        it reached or not; 1 at the root.
        """

class Plan:
    """How to grow: see clearwood.growing.Plan."""

    def __init__(self, *, criterion: str, chooser: str, nominal: str, cut_at: str, penalty: bool, c45_levels: bool, c45_minimum: bool, empty_leaf_label: bool, collapse: bool, min_samples_leaf: float, min_samples_split: float, max_depth: int, max_leaf_nodes: int, single_precision: bool, minimum_leak: bool, cost: Sequence[float], n_threads: int) -> None: ...

    def set_noise(self, *, search_noise: object | None, propagation_noise: object | None, window: float, step: float, one_grid: bool, sampled_bounds: str, joint_gates: bool, eta: float) -> None:
        """
        Noise of each column, in the search of thresholds and for training weight.
        """

    def set_divergence(self, *, alpha: float, reference: str, smoothing: float) -> None:
        """Splits by alpha-divergence: see clearwood.growing.AlphaDivergence."""

    def set_verification(self, *, n_verifiers: int, agreement: float, mirrored: bool, disagreement: str, max_nodes: int, max_dup_fraction: float, min_purity: float) -> None:
        """RS-V: strict cuts, each with up to n_verifiers witnesses (0: RS-C)."""

def grow(table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, plan: Plan) -> tuple:
    """
    The arrays of a grown tree, thresholds that could have been tried under noise, those that were, and the witnesses of a verified tree: see clearwood.growing.grow.
    """

class ErrorBased:
    """How to prune: see clearwood.pruning.error_based."""

    def __init__(self, *, confidence: float = 0.25, tails: int = 1, bound: str = 'c45', laplace: bool = False, slack: float = 0.1, raising: str = 'heaviest', empty_leaf: str = 'parent', label_tie: str = 'current', single_precision: bool = False, noise: object | None = None, joint: bool = False, eta: float = 1e-06) -> None: ...

def error_based(tree: object, table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: ErrorBased) -> dict:
    """
    What error-based pruning makes of a tree: see clearwood.pruning.error_based.
    """

def tree_size(tree: object, table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, *, c: float, log_columns: float, raising: str = 'heaviest') -> dict:
    """
    What pruning by tree size makes of a tree: see clearwood.pruning.tree_size.
    """

def added_errors(n: float, e: float, confidence: float = 0.25, bound: str = 'c45', single_precision: bool = False) -> float:
    """U(n, e): errors to expect beyond the e made, of n."""

def fit_many(table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_sets: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], fits: Sequence[tuple[int, Plan, ErrorBased | None, int, Evaluation | None]], held_out: Sequence[tuple[object, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None]], keep: str, n_threads: int) -> tuple:
    """
    Leaves, accuracy and log loss of each fit, and what was kept of it: see
    clearwood.estimators.fit_many.
    """

def optimal_depth_two(table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_threads: int = 1) -> tuple[tuple[int, float, int], list[tuple[int, float, int]], float]:
    """
    (root, branches, errors) of the tree of depth two with the fewest errors.

    A condition is (column, threshold, branch of missing values): column -1 is a leaf,
    threshold NaN a branch for each level, branch -1 that no value was missing.
    """

def carve(table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, plan: Plan, *, event: int, velocity: float, start_alpha: float | None, max_length: int, stops_without_root: bool, orders_risks: bool, is_falling: bool) -> tuple:
    """
    The arrays of a decision chain, and those of its steps: see clearwood.growing.carve.
    """

def carving_alpha(velocity: float, larger_share: float) -> float | None:
    """
    The alpha that a velocity asks for at a share of the larger class; None if none.
    """

def steepest_alpha(larger_share: float) -> float:
    """The alpha at which the velocity is highest."""

def carving_velocity(alpha: float, larger_share: float) -> float:
    """
    How fast the alpha-zooming factor rises with the share of the larger class.
    """

def fit_ramps(tree: object, table: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, single_precision: bool = False) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]]:
    """
    (lower, upper) limits of C4.5's probabilistic thresholds, one of each a node; NaN except
    at cuts.
    """
