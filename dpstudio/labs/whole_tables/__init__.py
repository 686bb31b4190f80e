"""Labs of the group Whole tables: may a table be handed on."""
