"""How well a model does: pure functions of labels and probabilities, none of which refits."""

from clearwood.metrics.agreement import accuracy, balanced_accuracy, balanced_accuracy_interval
from clearwood.metrics.alpha_divergence import alpha_divergence
from clearwood.metrics.brier import brier_score, brier_score_all_classes, brier_score_interval
from clearwood.metrics.calibration import LeafCalibration, calibration_by_leaf
from clearwood.metrics.cross_validation import Fold, cross_validate, group_folds, repeated_folds
from clearwood.metrics.curves import (
    Curve,
    Vertex,
    average_precision,
    calibration_points,
    gains_curve,
    lift_curve,
    precision_recall_curve,
    roc_curve,
)
from clearwood.metrics.decision_curve import DecisionCurve, decision_curve
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.evaluation import Evaluation, evaluate
from clearwood.metrics.performance import Performance, measure, summarize
from clearwood.metrics.proportion import wilson
from clearwood.metrics.resampling import corrected_resampled_t
from clearwood.metrics.risk_table import RiskTable, risk_table
from clearwood.metrics.roc import auc, auc_all_classes, delong
from clearwood.metrics.strata import Flagged, Stratum

__all__ = [
    "Curve",
    "DecisionCurve",
    "Estimate",
    "Evaluation",
    "Flagged",
    "Fold",
    "LeafCalibration",
    "Performance",
    "RiskTable",
    "Stratum",
    "Vertex",
    "accuracy",
    "alpha_divergence",
    "auc",
    "auc_all_classes",
    "average_precision",
    "balanced_accuracy",
    "balanced_accuracy_interval",
    "brier_score",
    "brier_score_all_classes",
    "brier_score_interval",
    "calibration_by_leaf",
    "calibration_points",
    "corrected_resampled_t",
    "cross_validate",
    "decision_curve",
    "delong",
    "evaluate",
    "gains_curve",
    "group_folds",
    "lift_curve",
    "measure",
    "precision_recall_curve",
    "repeated_folds",
    "risk_table",
    "roc_curve",
    "summarize",
    "wilson",
]
