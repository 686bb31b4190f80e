"""The page of the lab Reconstruction."""

from dataclasses import replace

from dpstudio.labs.attacks.attackers.attack_page import ATTACK_PAGE

PAGE = replace(ATTACK_PAGE, leads=(*ATTACK_PAGE.leads, "left", "lines"))
