"""What scripts/bench.py is made of: clocks, peers, a history, the tables of the page, and a module for each subject."""
