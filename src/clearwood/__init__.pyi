from clearwood.estimators import AlphaTreeClassifier as AlphaTreeClassifier
from clearwood.estimators import C45Classifier as C45Classifier
from clearwood.estimators import CARTClassifier as CARTClassifier
from clearwood.estimators import DecisionChainClassifier as DecisionChainClassifier
from clearwood.estimators import DepthTwoClassifier as DepthTwoClassifier
from clearwood.estimators import ID3Classifier as ID3Classifier
from clearwood.estimators import SoftTreeClassifier as SoftTreeClassifier
from clearwood.estimators import TreeClassifier as TreeClassifier
from clearwood.estimators import UDTClassifier as UDTClassifier
from clearwood.estimators import VerifiedTreeClassifier as VerifiedTreeClassifier
from clearwood.estimators.fit_many import Fit as Fit
from clearwood.estimators.fit_many import fit_many as fit_many
from clearwood.estimators.selection import choose_alpha as choose_alpha
from clearwood.estimators.tuning import tune as tune
from clearwood.growing import AlphaDivergence as AlphaDivergence
from clearwood.growing import SampledSearch as SampledSearch
from clearwood.growing import SoftSearch as SoftSearch
from clearwood.metrics import RiskTable as RiskTable
from clearwood.metrics import risk_table as risk_table
from clearwood.pruning import prune as prune
from clearwood.pruning import pruning_path as pruning_path
from clearwood.table import Column as Column
from clearwood.tree import Tree as Tree
from clearwood.tree import load as load

from . import errors as errors
from . import noise as noise
from . import pruning as pruning

__version__: str
