"""The scikit-learn face of a tree: checks, prediction and what users expect to read off."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ParameterError, TableError
from clearwood.table.core_table import core_table
from clearwood.table.decoding import require_finite
from clearwood.table.frames import encode_table
from clearwood.table.source import open_source
from clearwood.table.table import Table
from clearwood.tree.predict import columns_beside, core_evaluation
from clearwood.tree.structure import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from clearwood import _core

MOST_THREADS = 256
"""More would only cost memory."""


class FittedTree(ClassifierMixin, BaseEstimator):
    """Prediction and inspection for every classifier that has a `tree_`.

    Attributes
    ----------
    tree_ : Tree
        The tree; it also predicts, explains and prints by itself.
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    n_features_in_ : int
        Number of columns seen by `fit`.
    feature_names_in_ : ndarray of shape (n_columns,)
        Their names, where all of them were texts.
    """

    tree_: Tree
    classes_: AnyArray
    n_features_in_: int
    feature_names_in_: AnyArray

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def predict_proba(self, X: Any) -> FloatArray:
        """Class probabilities of each row.

        Parameters
        ----------
        X : array, list of rows or data frame of shape (n_rows, n_columns)
            Columns as in `fit`. A row with a missing value is split over the branches in
            proportion to the training weight that went there (Quinlan 1993, chapter 3).

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        self._require_fitted()
        if self._is_plain(X):
            result: FloatArray = self._predict_matrix(X)
            return result
        table = self._encoded(X)
        evaluation = self._evaluation(table, X)
        return self.tree_.predictor.predict_proba(core_table(table), evaluation=evaluation)

    def _evaluation(self, table: Table, X: Any) -> _core.Evaluation | None:
        """What the core does with the rows of `X`, of which `table` is what the tree asks."""
        return core_evaluation(self.tree_, table, columns_beside(self.tree_, table, X))

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of each row; of equals the first in `classes_`."""
        self._require_fitted()
        labels: AnyArray = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Natural logarithm of `predict_proba`; minus infinity for probability 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X: Any) -> IntArray:
        """The leaf of each row (a node number); with missing values the one of largest share."""
        self._require_fitted()
        table = self._encoded(X)
        evaluation = self._evaluation(table, X)
        return self.tree_.predictor.apply(core_table(table), evaluation=evaluation)

    def decision_path(self, X: Any) -> csr_matrix:
        """Which nodes each row passes: an indicator matrix of shape (n_rows, n_nodes).

        A row with a missing value passes the nodes of every branch that it is split over.
        """
        from scipy.sparse import csr_matrix

        self._require_fitted()
        table = self._encoded(X)
        indptr, indices = self.tree_.predictor.decision_path(
            core_table(table), evaluation=self._evaluation(table, X)
        )
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(table.n_rows, self.tree_.n_nodes))

    def get_depth(self) -> int:
        """Number of conditions on the longest path."""
        self._require_fitted()
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        self._require_fitted()
        return self.tree_.n_leaves

    def _require_fitted(self) -> None:
        if "tree_" not in self.__dict__:  # asking scikit-learn takes longer than a prediction
            check_is_fitted(self, "tree_")

    def _is_plain(self, X: Any) -> bool:
        """Whether X can go to the core as it is: one float64 array and no names to compare."""
        return (
            type(X) is np.ndarray
            and X.dtype.char == "d"
            and X.dtype.isnative
            and X.ndim == 2
            and X.shape[0] > 0
            and X.shape[1] == self.n_features_in_
            and self._only_numbers
            and self.tree_.evaluation is None
            and "feature_names_in_" not in self.__dict__
        )

    def _predict_matrix(self, X: FloatArray) -> FloatArray:
        try:
            return self.tree_.predictor.predict_proba_matrix(X)
        except ValueError:
            require_finite(X, [feature.name for feature in self.tree_.features])  # names the column
            raise

    def _encoded(self, X: Any) -> Table:
        """X checked against the columns of `fit` and read."""
        if X is None:
            raise TableError("X must be a table, got None")
        source = open_source(X)  # first of all, is it a table?
        names = tuple(self.__dict__.get("feature_names_in_", ()))
        # scikit-learn has the words for names and widths that differ, but knows no mappings.
        if source.names != names and not isinstance(X, Mapping):
            validate_data(self, X, reset=False, skip_check_array=True)
        by: Literal["name", "position"] = "name" if names else "position"
        return encode_table(source, self.tree_.features, by=by)

    def _remember(self, X: Any, tree: Tree) -> None:
        """Sets the fitted attributes."""
        if isinstance(X, Mapping):
            self._remember_names(X)
        elif type(X) is np.ndarray:
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        else:
            validate_data(self, X, skip_check_array=True)  # n_features_in_, feature_names_in_
        self.classes_ = tree.classes
        self.tree_ = tree
        self._only_numbers = all(feature.kind == "numeric" for feature in tree.features)

    def _remember_names(self, columns: Mapping[Any, Any]) -> None:
        """What `validate_data` notes of a data frame."""
        self.n_features_in_ = len(columns)
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(name, str) for name in columns):
            self.feature_names_in_ = np.array(list(columns), dtype=object)


def thread_count(n_jobs: Any) -> int:
    """Threads for scikit-learn's `n_jobs`: None is 1, -1 every processor, -2 all but one."""
    if n_jobs is None:
        return 1
    is_whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if not is_whole or n_jobs == 0:
        raise ParameterError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    count = int(n_jobs)
    return min(count, MOST_THREADS) if count > 0 else max(1, _n_processors() + 1 + count)


def _n_processors() -> int:
    """Processors that this process may use, which a container or a scheduler may limit."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
