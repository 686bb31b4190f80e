"""The page of the lab Differencing."""

from dataclasses import replace

from dpstudio.labs.attacks.attackers.attack_page import ATTACK_PAGE

PAGE = replace(ATTACK_PAGE, row_by_row=True)
