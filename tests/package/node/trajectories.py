"""Holds trajectories against harbor's own model: `trajectories.py FILES…`; prints the steps of each."""

import json
import sys

from harbor.models.trajectories.trajectory import Trajectory

for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        told = json.load(file)
    made = Trajectory.model_validate(told)
    # Nothing of it is unknown to the model: what it reads is what was written.
    kept = json.loads(made.model_dump_json(exclude_unset=True))
    assert kept == told, (name, kept)
    print(len(made.steps))
