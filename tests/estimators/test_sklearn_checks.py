"""scikit-learn accepts the classifiers: every check of its own, none left out."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import clearwood as cw
from clearwood.pruning import CostComplexity, ErrorBased
from estimators.classifiers import CLASSIFIERS

EXPECTED_FAILED_CHECKS = {}
"""Name of a check and why it cannot pass: none."""


def expected(estimator):
    return EXPECTED_FAILED_CHECKS


OTHER_SETTINGS = [
    cw.TreeClassifier(n_jobs=2, max_leaf_nodes=8),
    cw.TreeClassifier(criterion="gain_ratio", cut_at="upper", penalty=True),
    cw.TreeClassifier(criterion="gini", pruning=CostComplexity(0.01)),
    cw.C45Classifier(compatibility="c45", n_jobs=2),
    cw.C45Classifier(nominal="grouped", pruning=ErrorBased(confidence=0.1, bound="exact")),
    cw.AlphaTreeClassifier(),
    cw.DecisionChainClassifier(),
    cw.DecisionChainClassifier(start_alpha=2, direction="falling", min_samples_leaf=2, n_jobs=2),
    cw.AlphaTreeClassifier(alpha=0, smoothing=1, reference="uniform", n_jobs=2),
    cw.CARTClassifier(n_jobs=2, max_depth=4, min_samples_leaf=2.5),
    cw.TreeClassifier(criterion="discernibility"),
    cw.VerifiedTreeClassifier(),
    cw.VerifiedTreeClassifier(n_verifiers=0),
    cw.VerifiedTreeClassifier(
        agreement=0.5, conflict="probability", disagreement="all", pruning="tree_size", n_jobs=2
    ),
]

UNCERTAIN = [
    cw.DecisionChainClassifier(search_noise=0.1, propagation_noise=0.1, evaluation_noise=0.1),
    cw.SoftTreeClassifier(),
    cw.SoftTreeClassifier(noise=0.1, evaluation_noise=0.05),
    cw.UDTClassifier(points=20),
    cw.TreeClassifier(evaluation="ramps"),
]


def expected_of_uncertain(estimator):
    if estimator.get_params().get("evaluation") != "ramps":
        return {}
    return {
        "check_sample_weight_equivalence_on_dense_data": (
            "C4.5 fits probabilistic thresholds by the number of rows, whatever their weights"
        )
    }


@pytest.mark.filterwarnings(
    "ignore:column .* a fraction of the mean:clearwood.errors.ClearwoodWarning"
)
@parametrize_with_checks(UNCERTAIN, expected_failed_checks=expected_of_uncertain)
def test_uncertain_settings_pass_every_check_of_scikit_learn(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [cls() for cls in CLASSIFIERS] + [cls(n_jobs=2) for cls in CLASSIFIERS],
    expected_failed_checks=expected,
)
def test_classifier_passes_every_check_of_scikit_learn(estimator, check):
    check(estimator)


@parametrize_with_checks(OTHER_SETTINGS, expected_failed_checks=expected)
def test_other_settings_pass_every_check_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::clearwood.errors.UnseenLevelWarning")
@parametrize_with_checks(
    [cls(categorical_features=[0]) for cls in CLASSIFIERS]
    + [cw.C45Classifier(categorical_features=[0], nominal="grouped")],
    expected_failed_checks=expected,
)
def test_tables_with_a_nominal_column_pass_every_check_of_scikit_learn(estimator, check):
    check(estimator)
