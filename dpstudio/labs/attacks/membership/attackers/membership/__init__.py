"""Knowing everybody else: was this person counted?"""
