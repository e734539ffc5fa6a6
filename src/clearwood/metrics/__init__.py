"""How well a model does: pure functions of labels and probabilities, none of which refits."""

from clearwood.metrics.agreement import accuracy, balanced_accuracy, balanced_accuracy_interval
from clearwood.metrics.brier import brier_score, brier_score_all_classes, brier_score_interval
from clearwood.metrics.calibration import LeafCalibration, calibration_by_leaf
from clearwood.metrics.cross_validation import Fold, cross_validate, group_folds, repeated_folds
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.evaluation import Evaluation, evaluate
from clearwood.metrics.performance import Performance, measure, summarize
from clearwood.metrics.proportion import wilson
from clearwood.metrics.resampling import corrected_resampled_t
from clearwood.metrics.risk_table import RiskTable, risk_table
from clearwood.metrics.roc import auc, auc_all_classes, delong
from clearwood.metrics.strata import Flagged, Stratum

__all__ = [
    "Estimate",
    "Evaluation",
    "Flagged",
    "Fold",
    "LeafCalibration",
    "Performance",
    "RiskTable",
    "Stratum",
    "accuracy",
    "auc",
    "auc_all_classes",
    "balanced_accuracy",
    "balanced_accuracy_interval",
    "brier_score",
    "brier_score_all_classes",
    "brier_score_interval",
    "calibration_by_leaf",
    "corrected_resampled_t",
    "cross_validate",
    "delong",
    "evaluate",
    "group_folds",
    "measure",
    "repeated_folds",
    "risk_table",
    "summarize",
    "wilson",
]
