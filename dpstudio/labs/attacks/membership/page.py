"""The page of the lab Membership."""

from dpstudio.labs.attacks.attackers.attack_page import ATTACK_PAGE

PAGE = ATTACK_PAGE
