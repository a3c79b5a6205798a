// SPDX-License-Identifier: MIT
// The port: speaks the protocol of docs/PROTOCOL.md and takes a case through its steps (B10).
import { once } from 'node:events';
import * as field from './solid.js';
import { rasterize, rasterizeHeights } from './rasterize.js';
import { Compact, erode, applyVolume } from './compact.js';

const DEFAULTS = { slopeCosine: 0.70710677, mergeThreshold: 4, height: 10, climb: 4, radius: 2 };

// Floating-point numbers as a case writes them: Number also reads "NaN" and "-Infinity".
const floats = (list) => list.map(Number);
const float32 = (value) => Math.fround(Number(value)); // B0.4

// The steps. `at` is where a case has got to: { solid, compact, degenerate }.
const OPS = {
    rasterize: (at, s) => {
        at.degenerate += rasterize(at.solid, floats(s.vertices), s.indices, s.areas,
            float32(s.slopeCosine), s.mergeThreshold);
    },
    addSpans: (at, s) => field.addSpans(at.solid, s.spans, s.mergeThreshold),
    heightGrid: (at, s) => {
        at.degenerate += rasterizeHeights(at.solid, floats(s.origin), Number(s.spacing), s.count,
            floats(s.heights), float32(s.slopeCosine), s.mergeThreshold);
    },
    chunk: (at, s) => {
        const areas = Object.entries(s.materialAreas ?? {}).map(([key, area]) => [+key, area]);
        field.addChunk(at.solid, s.offset, s.size, s.runs, s.dense, new Map(areas));
    },
    lowHanging: (at, s) => field.filterLowHanging(at.solid, s.climb),
    ledges: (at, s) => field.filterLedges(at.solid, s.height, s.climb),
    lowHeight: (at, s) => field.filterLowHeight(at.solid, s.height),
    compact: (at, s) => {
        at.compact = new Compact(at.solid, s.height, s.climb);
    },
    erode: (at, s) => erode(at.compact, s.radius),
    volume: (at, s) => applyVolume(at.compact, s.corners.map(floats), Number(s.minY),
        Number(s.maxY), s.area),
};

function makeFrame({ origin, cellSize, cellHeight, size, bounds }) {
    const units = [float32(cellSize), float32(cellHeight)];
    return bounds === undefined ? new field.Frame(floats(origin), ...units, size)
        : field.Frame.fromBounds(floats(bounds.min), floats(bounds.max), ...units);
}

function compute({ grid, steps }) {
    let step = -1;
    try {
        const frame = makeFrame(grid);
        const at = { solid: new field.Solid(frame), compact: undefined, degenerate: 0 };
        for (step = 0; step < steps.length; step++) {
            OPS[steps[step].op](at, { ...DEFAULTS, ...steps[step] });
        }
        const rows = at.compact ? { compact: at.compact.rows() } : { solid: at.solid.rows() };
        const size = [frame.width, frame.depth, frame.height];
        return { size, degenerate: at.degenerate, ...rows };
    } catch (error) {
        if (error.kind === undefined) {
            throw error; // not one of SPEC.md's errors
        }
        process.stderr.write(`step ${step}: ${error.message}\n`); // B0.11
        return { error: error.kind, step };
    }
}

function run(job) {
    if (job.format !== 'voxcert/1' || job.chapter !== 'build3d') {
        return { skip: `unknown chapter: ${job.format}, ${job.chapter}` };
    }
    const unknown = job.steps.find(({ op }) => !Object.hasOwn(OPS, op));
    return unknown === undefined ? { out: compute(job) } : { skip: `unknown op: ${unknown.op}` };
}

const MESSAGES = { __proto__: null,
    hello: ({ id, echo = [] }) => {
        const about = '"protocol":1,"name":"voxcert-javascript","version":"1.0",'
            + '"language":"JavaScript","chapters":["build3d"]';
        // A template writes numbers as JSON.stringify does, and -0 as 0 too: the echo needs it.
        const numbers = echo.map((n) => (Object.is(n, -0) ? '-0' : n));
        return `{"id":${JSON.stringify(id)},${about},"echo":[${numbers}]}`;
    },
    run: (message) => JSON.stringify({ id: message.id, ...run(message.case) }),
    bye: () => undefined,
};

// The answer to a line, or undefined for bye. Whatever goes wrong becomes a fault.
function answer(line) {
    let id; // of the question, if it has one
    try {
        const message = JSON.parse(line);
        id = message.id;
        if (!Number.isInteger(id)) { throw new TypeError('an integer id is needed'); }
        return MESSAGES[message.op](message);
    } catch (error) {
        return JSON.stringify({ id, fault: String(error.stack) });
    }
}

// Joins the chunks of a line once, at its end: adding each to what is there would be quadratic.
async function* readLines(stream) {
    let chunks = [];
    for await (const chunk of stream) {
        let start = 0;
        for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
            yield Buffer.concat([...chunks, chunk.subarray(start, end)]).toString();
            chunks = [];
            start = end + 1;
        }
        chunks.push(chunk.subarray(start));
    }
    const rest = Buffer.concat(chunks).toString(); // a last line without LF
    if (rest !== '') { yield rest; }
}

for await (const line of readLines(process.stdin)) {
    const text = answer(line);
    if (text === undefined) {
        break; // bye; without process.exit, which could cut off output
    }
    if (!process.stdout.write(`${text}\n`)) {
        await once(process.stdout, 'drain'); // wait until the reader has taken a large answer
    }
}
