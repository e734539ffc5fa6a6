"""scikit-learn classifiers: each a set of defaults over one way to grow and prune."""

from clearwood.estimators.tree_classifier import (
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
    TreeClassifier,
)

__all__ = ["C45Classifier", "CARTClassifier", "ID3Classifier", "TreeClassifier"]
