"""Labs of the group Start: what somebody is here for."""
