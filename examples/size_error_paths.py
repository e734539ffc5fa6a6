"""
Which pruner, and how far
=========================

Every pruning method offers a path of trees, from the whole tree to a single leaf. Here one tree of
C4.5 is grown on two thirds of the patients, and all methods prune it; the other patients measure
the error rate of every tree. A ring marks the tree that these patients choose for a method: the
smallest that is within one standard error of its best.
"""

# sphinx_gallery_thumbnail_path = 'images/size_error_paths.svg'

from sklearn.model_selection import train_test_split

import clearwood as cw
from clearwood.report.charts import chart_svg, size_error_chart
from clearwood.table import load_heart_disease

heart = load_heart_disease()
X, X_other, y, y_other = train_test_split(
    heart.X, heart.y, test_size=1 / 3, random_state=0, stratify=heart.y
)
grown = cw.C45Classifier(pruning=None).fit(X, y)
methods = (
    "error_based", "tree_size", "cost_complexity", "reduced_error",
    "pessimistic_error", "minimum_error", "critical_value", "optimal_size",
)  # fmt: skip
paths = {
    method.replace("_", " "): cw.pruning_path(
        grown, method, X_other, y_other, training=(X, y), rule="1-SE"
    )
    for method in methods
}
for name, path in paths.items():
    error = path.errors[path.chosen]
    print(f"{name:18} {path.n_leaves[path.chosen]:3} leaves, {error:.1%} wrong")

# %%
# The paths, each with its chosen tree:

chart = size_error_chart(paths)
picture = chart_svg(chart)

# %%
# .. image:: /images/size_error_paths.svg
#    :alt: Error rate against number of leaves for eight pruning methods.
