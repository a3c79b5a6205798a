#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Holds conformance/schema to the vectors and to the kit's reader: every vector is valid, and what is
# malformed is refused by both. Ends in `N passed, N failed`. VOXCERT names the program.
"""Tests of the JSON Schemas."""

import copy
import json
import os
import pathlib
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "conformance" / "schema"
PROGRAM = os.environ.get("VOXCERT", str(ROOT / "build" / "voxcert"))

passed = 0
failures = []


def check(good, what):
    """Counts one test."""
    global passed
    if good:
        passed += 1
    else:
        failures.append(what)
        print(f"FAIL {what}")


def load_validators():
    """The validators of a case and of a vector."""
    documents = {name: json.loads((SCHEMAS / name).read_text())
                 for name in ("case.schema.json", "vector.schema.json")}
    validators = []
    for schema in documents.values():
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver.from_schema(schema, store=documents)
        validators.append(jsonschema.Draft202012Validator(schema, resolver=resolver))
    return validators


def reader_accepts(text):
    """Whether `voxcert run` takes the line as a case; what it then answers does not matter."""
    done = subprocess.run([PROGRAM, "run", "--steps", "0", "-"], input=text + "\n", text=True,
                          capture_output=True, check=False)
    if done.returncode not in (0, 2):
        raise SystemExit(f"{PROGRAM}: exit status {done.returncode}: {done.stderr}")
    return done.returncode == 0


# One case that holds every member, and one for each other form.
MESH = {"op": "rasterize", "vertices": [0, 0, 0, 1, 0.5, 0, 0, 0, 1], "indices": [0, 1, 2],
        "areas": [63], "slopeCosine": 0.5, "mergeThreshold": 1}
SPANS = {"op": "addSpans", "spans": [[0, 0, 0, 1, 63]], "mergeThreshold": 2}
HEIGHTS = {"op": "heightGrid", "origin": [0, 0], "spacing": 1, "count": [2, 2],
           "heights": [0, 1, 2, "NaN"], "slopeCosine": -1, "mergeThreshold": 0}
RUNS = {"op": "chunk", "offset": [0, -1, 0], "size": [1, 1, 4], "runs": [[0, 0, 0, 2, 7]],
        "materialAreas": {"7": 12, "0": 1, "-1": 2, "256": 3}}
DENSE = {"op": "chunk", "offset": [0, 0, 0], "size": [1, 1, 2], "dense": [1, 0]}
VOLUME = {"op": "volume", "corners": [[0, 0], [4, 0], [0, 4]], "minY": "-Infinity",
          "maxY": "Infinity", "area": 5}
FILTERS = [{"op": "lowHanging", "climb": 4}, {"op": "ledges", "height": 10, "climb": 4},
           {"op": "lowHeight", "height": 10}]
COMPACT = {"op": "compact", "height": 10, "climb": 4}
ERODE = {"op": "erode", "radius": 2}
FULL = {
    "format": "voxcert/1", "name": "build3d/schema/full", "chapter": "build3d",
    "clauses": ["B2.9"], "note": "A case with every member.", "flags": ["ruling", "fma"],
    "grid": {"origin": [0, 0.5, -1e300], "cellSize": 1, "cellHeight": "NaN", "size": [4, 4, 8]},
    "steps": [MESH, SPANS, HEIGHTS, RUNS, DENSE, *FILTERS, COMPACT, ERODE, VOLUME],
    "expect": {"size": [4, 4, 8], "degenerate": 0, "compact": [[0, 0, 1, 65535, 63, 0, 63, 1, 2]]},
}
GRID_OF_BOUNDS = {"bounds": {"min": [0, 0, 0], "max": [1, "Infinity", 1]}, "cellSize": 0.1,
                  "cellHeight": 0.1}
NUMBER_WORDS = ("NaN", "Infinity", "-Infinity")
SIZE = {"size": [4, 4, 8], "degenerate": 3}
EXPECTS = [
    {"error": "argument", "step": 0}, {"error": ["argument", "out_of_range"], "step": -1},
    {"error": ["out_of_range"], "step": 10}, {**SIZE, "solid": []},
    {**SIZE, "solid": [[0, 0, 0, 1, 63]]}, {**SIZE, "rows": 0, "sha256": "0123456789abcdef" * 4},
]


def changed(case, path, value):
    """A copy of the case with the value at path, a tuple of keys; ... removes."""
    result = copy.deepcopy(case)
    place = result
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def paths(value, path=()):
    """The paths of everything below value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in items:
        yield path + (key,)
        if isinstance(child, (dict, list)):
            yield from paths(child, path + (key,))


def valid_cases():
    """Cases that both must accept, by name."""
    yield "full", FULL
    yield "bounds", changed(FULL, ("grid",), GRID_OF_BOUNDS)
    for index, expect in enumerate(EXPECTS):
        yield f"expect {index}", changed(FULL, ("expect",), expect)
    for member in ("name", "clauses", "note", "flags", "expect"):
        yield f"without {member}", changed(FULL, (member,), ...)
    yield "no steps", changed(FULL, ("steps",), [])
    optional = {"areas", "slopeCosine", "mergeThreshold", "materialAreas", "height", "climb", "radius"}
    for index, step in enumerate(FULL["steps"]):
        for member in sorted(optional & set(step)):
            yield f"{step['op']} without {member}", changed(FULL, ("steps", index, member), ...)
    yield "-0.0", changed(FULL, ("grid", "origin", 0), -0.0)


def retyped(value):
    """Values of other types, or out of bounds, for what stands at a place."""
    yield None
    if isinstance(value, dict):
        yield []
    elif isinstance(value, list):
        yield {}
    elif isinstance(value, str):
        yield "no such word" if value in NUMBER_WORDS else 0.5
    else:
        yield from (True, "nan")


def removable(path, case):
    """Whether a case without the member or element at path is malformed."""
    parent = case
    for key in path[:-1]:
        parent = parent[key]
    if isinstance(parent, dict):
        return path[-1] not in ("name", "clauses", "note", "flags", "expect", "areas",
                                "slopeCosine", "mergeThreshold", "materialAreas", "height",
                                "climb", "radius", "7", "0", "-1", "256")
    fixed = {"origin", "size", "offset", "count", "min", "max"}
    return path[-2] in fixed or (len(path) > 2 and path[-3] in ("spans", "runs", "corners", "compact"))


def malformed_cases():
    """Cases that both must refuse, by name."""
    bounded = changed(FULL, ("grid",), GRID_OF_BOUNDS)
    for base, start in ((FULL, ()), (bounded, ("grid",))):
        for path in paths(base):
            if path[:len(start)] != start:
                continue
            name = "/".join(map(str, path))
            value = base
            for key in path:
                value = value[key]
            for other in retyped(value):
                yield f"{name} = {json.dumps(other)}", changed(base, path, other)
            if removable(path, base):
                yield f"{name} removed", changed(base, path, ...)
            if isinstance(value, dict) and path[-1] != "materialAreas":
                yield f"{name} with a surplus", changed(base, path + ("surplus",), 1)
    yield from malformed_by_hand()


def malformed_by_hand():
    """What the mutations above do not reach."""
    yield "surplus member", changed(FULL, ("surplus",), 1)
    for name, value in (("format", "voxcert/2"), ("chapter", "coverage"), ("name", ""),
                        ("name", "a\u001b[2Jb"), ("name", "a\n"), ("clauses", [""]),
                        ("clauses", ["\u007f"]), ("clauses", [f"c{i}" for i in range(257)]),
                        ("clauses", ["B2.9", "B2.9"]), ("flags", ["new"]),
                        ("flags", ["fma", "fma"])):
        yield f"{name} {value}", changed(FULL, (name,), value)
    for key in ("07", "abc", "", "+7", "-0", "7.0", "1e2", " 7", "7\n"):
        yield f"material {key!r}", changed(FULL, ("steps", 3, "materialAreas", key), 1)
    for value in (2**53 + 1, -2**53 - 1, 2**70, 0.5, "NaN"):
        yield f"radius {value}", changed(FULL, ("steps", 9, "radius"), value)
        yield f"index {value}", changed(FULL, ("steps", 0, "indices", 0), value)
        yield f"size {value}", changed(FULL, ("grid", "size", 0), value)
    yield "both forms of a chunk", changed(FULL, ("steps", 3, "dense"), [1])
    yield "neither form of a chunk", changed(FULL, ("steps", 3, "runs"), ...)
    yield "both forms of a grid", changed(FULL, ("grid", "bounds"), GRID_OF_BOUNDS["bounds"])
    yield "two compact steps", changed(FULL, ("steps",), [COMPACT, COMPACT])
    yield "erode without compact", changed(FULL, ("steps",), [ERODE])
    yield "volume without compact", changed(FULL, ("steps",), [SPANS, VOLUME])
    yield "an unknown op", changed(FULL, ("steps", 0, "op"), "flood")
    yield "a member of another op", changed(FULL, ("steps", 1, "climb"), 4)
    for expect in ({}, {"error": "argument"}, {"step": 0}, {"error": [], "step": 0},
                   {"error": "no_memory", "step": 0}, {"error": "argument", "step": -2},
                   {"error": ["argument", "argument"], "step": 0},
                   {"error": "argument", "step": 0, "solid": []}, SIZE,
                   {**SIZE, "solid": [], "compact": []}, {**SIZE, "solid": [[0, 0, 0, 1]]},
                   {**SIZE, "solid": [[0, 0, 0, 1, 2**31]]}, {**SIZE, "rows": 1},
                   {**SIZE, "sha256": "0" * 64}, {**SIZE, "rows": 1, "sha256": "0" * 63},
                   {**SIZE, "rows": 1, "sha256": "A" * 64},
                   {**SIZE, "rows": 1, "sha256": "0" * 64 + "\n"}, {**SIZE, "rows": -1, "sha256": "0" * 64},
                   {"size": [4, 4], "degenerate": 0, "solid": []},
                   {"size": [4, 4, -8], "degenerate": 0, "solid": []},
                   {"size": [4, 4, 8], "degenerate": -1, "solid": []}):
        yield f"expect {json.dumps(expect)}", changed(FULL, ("expect",), expect)
    for value in (7, "word", None, [], [FULL]):
        yield f"not an object: {json.dumps(value)[:20]}", value


def refused_by_the_reader_alone():
    """Malformed in ways that JSON Schema cannot see, as text."""
    text = json.dumps(FULL)
    yield "a member twice", text.replace('"chapter"', '"note": "again", "chapter"')
    yield "an integer with a fraction", text.replace('"radius": 2', '"radius": 2.0')
    yield "an integer with an exponent", text.replace('"radius": 2', '"radius": 2e0')
    yield "solid step behind compact", json.dumps(changed(FULL, ("steps",), [COMPACT, SPANS]))
    yield "compact step before it", json.dumps(changed(FULL, ("steps",), [ERODE, COMPACT]))
    yield "error at no step", json.dumps(changed(FULL, ("expect",), {"error": "argument", "step": 11}))
    yield "a material beyond 2^53", json.dumps(
        changed(FULL, ("steps", 3, "materialAreas", "9007199254740993"), 1))


def check_vectors(vector_schema):
    """Every vector is valid; a run over none is a failure."""
    count = 0
    for path in sorted((ROOT / "conformance" / "vectors").rglob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            count += 1
            error = jsonschema.exceptions.best_match(vector_schema.iter_errors(json.loads(line)))
            where = f"{path.relative_to(ROOT)}:{number}"
            check(error is None, f"{where}: {error and error.json_path}: {error and error.message[:200]}")
    check(count > 0, "there are no vectors")


def check_vector_members(vector_schema):
    """A vector lacks nothing and says what it shows."""
    check(vector_schema.is_valid(FULL), "vector: full")
    for member in FULL:
        check(not vector_schema.is_valid(changed(FULL, (member,), ...)), f"vector without {member}")
    for member, value in (("name", "Build3d/x"), ("name", "build3d/a b"), ("note", ""), ("clauses", []),
                          ("clauses", ["§2"]), ("clauses", ["B2"]), ("flags", ["digest"])):
        check(not vector_schema.is_valid(changed(FULL, (member,), value)), f"vector: {member} {value}")
    digest = changed(FULL, ("expect",), EXPECTS[-1])
    check(not vector_schema.is_valid(digest), "vector: a digest without its flag")
    check(vector_schema.is_valid(changed(digest, ("flags",), ["digest"])), "vector: a digest")


def main():
    """Runs all tests."""
    case_schema, vector_schema = load_validators()
    for name, case in valid_cases():
        check(case_schema.is_valid(case), f"{name}: the schema must accept it")
        check(reader_accepts(json.dumps(case)), f"{name}: the reader must accept it")
    for name, case in malformed_cases():
        check(not case_schema.is_valid(case), f"{name}: the schema must refuse it")
        check(not reader_accepts(json.dumps(case)), f"{name}: the reader must refuse it")
    for name, text in refused_by_the_reader_alone():
        check(case_schema.is_valid(json.loads(text)), f"{name}: the schema cannot refuse it")
        check(not reader_accepts(text), f"{name}: the reader must refuse it")
    check_vector_members(vector_schema)
    check_vectors(vector_schema)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
