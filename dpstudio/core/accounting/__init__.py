"""The catalogue of composition bounds."""

from dpstudio.core.accounting.accountant import Accountant, Advanced, AdvancedTanh, Optimal, Sequential, crossover

ACCOUNTANTS: list[type[Accountant]] = [Sequential, Advanced, AdvancedTanh, Optimal]

__all__ = ["ACCOUNTANTS", "Accountant", "Advanced", "AdvancedTanh", "Optimal", "Sequential", "crossover"]
