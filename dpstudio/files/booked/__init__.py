"""What a population was asked, under a cap that was fixed before: one file each."""
