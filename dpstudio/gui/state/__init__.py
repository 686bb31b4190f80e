"""What the window holds: state, history, jobs."""
