"""
A chain of rules, drawn as a pyramid
====================================

A decision chain asks one question after another. Each rule carves away the patients at the least
risk among those who are left, so that risk rises from rule to rule and the last are at the highest.
This one is carved from the patients of one hospital, where 36 % had the disease.
"""

# sphinx_gallery_thumbnail_path = 'images/decision_chain.svg'

import clearwood as cw
from clearwood.table import load_heart_disease

heart = load_heart_disease()
here = heart.groups == "Hungary"
model = cw.DecisionChainClassifier(event="disease", columns=dict(heart.columns))
chain = model.fit(heart.X[here], heart.y[here]).tree_
picture = chain.to_pyramid(title="Heart disease in Hungary, by a chain of three rules")
print(chain)

# %%
# .. image:: /images/decision_chain.svg
#    :alt: Pyramid of four bands, each narrower than the one above; the risk rises downwards.
#
# A band is as wide as the patients who come to its rule. What sticks out on both sides is carved
# there, the darker the higher its risk; the middle goes on to the next rule.
