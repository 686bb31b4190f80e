"""What the scripts of several labs are written of: questions, noise, errors, features."""
