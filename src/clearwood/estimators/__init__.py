"""scikit-learn classifiers: each a set of defaults over one way to grow and prune."""

from clearwood.estimators.decision_chain import DecisionChainClassifier
from clearwood.estimators.depth_two import DepthTwoClassifier
from clearwood.estimators.presets import (
    AlphaTreeClassifier,
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
)
from clearwood.estimators.soft_classifiers import SoftTreeClassifier, UDTClassifier
from clearwood.estimators.tree_classifier import TreeClassifier
from clearwood.estimators.verified import VerifiedTreeClassifier

__all__ = [
    "AlphaTreeClassifier",
    "C45Classifier",
    "CARTClassifier",
    "DecisionChainClassifier",
    "DepthTwoClassifier",
    "ID3Classifier",
    "SoftTreeClassifier",
    "TreeClassifier",
    "UDTClassifier",
    "VerifiedTreeClassifier",
]
