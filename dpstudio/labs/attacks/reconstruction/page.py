"""The page of the lab Reconstruction."""

from dataclasses import replace

from dpstudio.labs.attacks.attackers.attack_page import ATTACK_PAGE

# The headline says who is best.
PAGE = replace(ATTACK_PAGE, leads=("off", "promised", "left", "lines"))
