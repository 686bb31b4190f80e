"""The catalogue of composition bounds, in the order in which they are shown, and what they are
asked about."""

from dpstudio.privacy.accounting.accountant import K_CLOSED, K_NUMERIC, Accountant, WithDeltaPrime
from dpstudio.privacy.accounting.adding import Parallel, Sequential
from dpstudio.privacy.accounting.advanced import KOV33, KOV35, Advanced, AdvancedTanh, crossover
from dpstudio.privacy.accounting.concentrated import ZCDP, ZCDPTight
from dpstudio.privacy.accounting.gdp import GaussianDP, GaussianLimit
from dpstudio.privacy.accounting.groups import (
    GroupPrivacy,
    GroupPromise,
    group_privacy,
    group_promise,
)
from dpstudio.privacy.accounting.numeric import Numeric
from dpstudio.privacy.accounting.optimal import Optimal
from dpstudio.privacy.accounting.renyi import Renyi
from dpstudio.privacy.accounting.shortcut import Shortcut, Zones, pays_from, shortcut_zones
from dpstudio.privacy.accounting.spend import ADD_REMOVE, REPLACE, Ledger, Spend

ACCOUNTANTS: list[type[Accountant]] = [
    Sequential,
    Parallel,
    GroupPrivacy,
    Advanced,
    AdvancedTanh,
    KOV35,
    KOV33,
    Optimal,
    ZCDP,
    ZCDPTight,
    Renyi,
    GaussianDP,
    GaussianLimit,
    Numeric,
    Shortcut,
]
EXPLORED: list[type[WithDeltaPrime]] = [Sequential, Advanced, AdvancedTanh, Optimal]

__all__ = [
    "ACCOUNTANTS",
    "ADD_REMOVE",
    "EXPLORED",
    "KOV33",
    "KOV35",
    "K_CLOSED",
    "K_NUMERIC",
    "REPLACE",
    "ZCDP",
    "Accountant",
    "Advanced",
    "AdvancedTanh",
    "GaussianDP",
    "GaussianLimit",
    "GroupPrivacy",
    "GroupPromise",
    "Ledger",
    "Numeric",
    "Optimal",
    "Parallel",
    "Renyi",
    "Sequential",
    "Shortcut",
    "Spend",
    "WithDeltaPrime",
    "ZCDPTight",
    "Zones",
    "crossover",
    "group_privacy",
    "group_promise",
    "pays_from",
    "shortcut_zones",
]
