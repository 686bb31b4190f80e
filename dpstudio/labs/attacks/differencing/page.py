"""The page of the lab Differencing."""

from dpstudio.labs.attacks.attack_page import ATTACK_PAGE

PAGE = ATTACK_PAGE
