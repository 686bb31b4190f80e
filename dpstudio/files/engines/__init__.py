"""Tables that stay where they are: databases and folders of files, asked for aggregates by SQL."""
