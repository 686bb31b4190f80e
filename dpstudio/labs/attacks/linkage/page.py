"""The page of the lab Linkage."""

from dataclasses import replace

from dpstudio.labs.attacks.attackers.attack_page import ATTACK_PAGE

# The headline says who is found.
PAGE = replace(
    ATTACK_PAGE,
    row_by_row=True,
    leads=("best",),
    second=lambda lab, data, second: lab.attacker.beside_it(data, second),
)
