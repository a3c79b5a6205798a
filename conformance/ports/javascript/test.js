// SPDX-License-Identifier: MIT
// Tests of the port as a process: the protocol of docs/PROTOCOL.md, and cases computed by hand.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PORT = fileURLToPath(new URL('port.js', import.meta.url));

// A port that runs until the end of the test. Answers are taken in order.
class Port {
    constructor(t) {
        const stdio = ['pipe', 'pipe', 'ignore'];
        this.process = spawn(process.execPath, [PORT], { stdio, timeout: 120_000 });
        t.after(() => this.process.kill()); // a test that fails does not get to end()
        this.exit = once(this.process, 'exit').then(([code]) => code);
        this.lines = Port.readLines(this.process.stdout);
    }

    static async* readLines(stream) {
        let rest = '';
        for await (const chunk of stream.setEncoding('utf8')) {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop();
            yield* lines;
        }
        assert.equal(rest, '', 'the last answer ends with LF');
    }

    send(...messages) {
        messages.forEach((message) => this.process.stdin.write(`${JSON.stringify(message)}\n`));
    }

    async answer() {
        const { value, done } = await this.lines.next();
        assert.ok(!done, 'the port ended without an answer');
        return JSON.parse(value);
    }

    // Ends the input, and fails unless no answer is left and the exit status is 0.
    async end() {
        this.process.stdin.end();
        assert.ok((await this.lines.next()).done, 'there are more answers than messages');
        assert.equal(await this.exit, 0);
    }
}

// A case on a grid with cells of size 1.
function makeCase(size, ...steps) {
    const grid = { origin: [0, 0, 0], cellSize: 1, cellHeight: 1, size };
    return { format: 'voxcert/1', chapter: 'build3d', grid, steps };
}

const runMessage = (id, job) => ({ id, op: 'run', case: job });

const SPAN = { op: 'addSpans', spans: [[0, 0, 0, 1, 63]] };
const SPAN_CASE = makeCase([1, 1, 8], SPAN);
const SPAN_OUT = { size: [1, 1, 8], degenerate: 0, solid: [[0, 0, 0, 1, 63]] };

test('hello says who it is and echoes every number', async (t) => {
    const port = new Port(t);
    const echo = '[0.1,-0,5e-324,2.2250738585072014e-308,1.7976931348623157e+308,16777217,'
        + '9007199254740993,0.30000001192092896,-2097152.0000000005]';
    port.process.stdin.write(`{"id":7,"op":"hello","protocol":1,"echo":${echo}}\n`);
    const { id, protocol, name, version, language, chapters, echo: back } = await port.answer();
    assert.deepEqual([id, protocol, language, chapters], [7, 1, 'JavaScript', ['build3d']]);
    assert.ok(name.length > 0 && version.length > 0);
    assert.deepEqual(back, JSON.parse(echo)); // strict: tells -0 from 0
    await port.end();
});

test('bye ends the port at once, also with input left', async (t) => {
    const port = new Port(t);
    port.process.stdin.on('error', () => {}); // the port need not read what follows bye
    port.send(runMessage(1, SPAN_CASE), { id: 2, op: 'bye' }, runMessage(3, SPAN_CASE));
    assert.deepEqual(await port.answer(), { id: 1, out: SPAN_OUT });
    assert.ok((await port.lines.next()).done);
    assert.equal(await port.exit, 0);
});

test('the end of the input without bye, and without a last LF', async (t) => {
    const port = new Port(t);
    port.process.stdin.write(JSON.stringify(runMessage(1, SPAN_CASE)));
    port.process.stdin.end();
    assert.deepEqual(await port.answer(), { id: 1, out: SPAN_OUT });
    await port.end();
});

test('unknown chapters and ops are skipped', async (t) => {
    const port = new Port(t);
    const cases = [
        { ...SPAN_CASE, chapter: 'weave2d' }, { ...SPAN_CASE, format: 'voxcert/2' },
        makeCase([1, 1, 8], SPAN, { op: 'polish' }), makeCase([1, 1, 8], { op: 'constructor' }),
    ];
    for (const [i, job] of cases.entries()) {
        port.send(runMessage(i, job));
        const { id, skip, ...rest } = await port.answer();
        assert.deepEqual([id, typeof skip, rest], [i, 'string', {}]);
    }
    await port.end();
});

test('a fault is reported and survived', async (t) => {
    const port = new Port(t);
    const broken = [
        { ...SPAN_CASE, grid: undefined }, makeCase([1, 1, 8], { op: 'addSpans' }),
        makeCase([1, 1, 8], { op: 'erode' }), undefined,
    ];
    for (const [i, job] of broken.entries()) {
        port.send(runMessage(i, job));
        const { id, fault, ...rest } = await port.answer();
        assert.deepEqual([id, typeof fault, rest], [i, 'string', {}]);
    }
    port.process.stdin.write('{"id": 9, "op"\n');
    assert.equal(typeof (await port.answer()).fault, 'string');
    for (const line of ['{"op":"hello"}', 'null', '[]', '{"id":"x","op":"hello"}']) {
        port.process.stdin.write(`${line}\n`);
        assert.equal(typeof (await port.answer()).fault, 'string', line);
    }
    port.send({ id: 10, op: 'toString' });
    assert.equal(typeof (await port.answer()).fault, 'string');
    port.send({ id: 10, op: 'sing' });
    assert.equal((await port.answer()).id, 10);
    port.send(runMessage(11, SPAN_CASE));
    assert.deepEqual(await port.answer(), { id: 11, out: SPAN_OUT });
    await port.end();
});

test('unknown members are ignored at every level', async (t) => {
    const port = new Port(t);
    const job = {
        ...makeCase([1, 1, 8], { ...SPAN, colour: 'red' }), name: 'x', expect: 1, weather: {},
    };
    job.grid.tilt = 5;
    port.send({ ...runMessage(1, job), mood: null });
    assert.deepEqual(await port.answer(), { id: 1, out: SPAN_OUT });
    await port.end();
});

test('nothing is carried from one case to the next', async (t) => {
    const port = new Port(t);
    const failing = makeCase([1, 1, 8], SPAN, { op: 'lowHeight', height: 0 });
    port.send(runMessage(1, failing), runMessage(2, makeCase([1, 1, 8])));
    assert.deepEqual((await port.answer()).out, { error: 'out_of_range', step: 1 });
    assert.deepEqual((await port.answer()).out, { ...SPAN_OUT, solid: [] });
    await port.end();
});

test('a line of 18 MB in pieces that cut characters in two', async (t) => {
    const port = new Port(t);
    const vertices = new Array(1_800_000).fill(1048576.5);
    const step = { op: 'rasterize', note: 'höhe', vertices, indices: [0, 1, 2] };
    const bytes = Buffer.from(`${JSON.stringify(runMessage(1, makeCase([1, 1, 8], step)))}\n`);
    const cut = bytes.indexOf('ö') + 1;
    port.process.stdin.write(bytes.subarray(0, cut));
    await sleep(50); // so that the port gets the two bytes of the ö in two chunks
    for (let start = cut; start < bytes.length; start += 99_991) {
        port.process.stdin.write(bytes.subarray(start, start + 99_991));
    }
    const { out } = await port.answer();
    assert.deepEqual(out, { size: [1, 1, 8], degenerate: 1, solid: [] });
    await port.end();
});

test('a large answer reaches a reader who takes his time', async (t) => {
    const port = new Port(t);
    const spans = Array.from({ length: 90_000 }, (_, i) => [i % 300, Math.floor(i / 300), 0, 1, 0]);
    const job = makeCase([300, 300, 8], { op: 'addSpans', spans });
    port.send(runMessage(1, job), runMessage(2, job), { id: 3, op: 'bye' });
    port.process.stdin.end();
    await sleep(500);
    for (let i = 0; i < 2; i++) {
        assert.equal(JSON.stringify((await port.answer()).out.solid), JSON.stringify(spans));
    }
    await port.end();
});

const WALL = [3, 0, 0, 3, 4, 0, 3, 0, 4];
const FLOOR = [0, 5, 0, 0, 5, 2, 2, 5, 2]; // faces up and covers u <= w of 2 x 2 cells
const addSpans = (mergeThreshold, ...spans) => ({ op: 'addSpans', spans, mergeThreshold });
const mesh = (vertices, indices, members) => ({ op: 'rasterize', vertices, indices, ...members });
const column = (...spans) => spans.map((span) => [0, 0, ...span]);

// A column of 3 x 3 with its top at row 6 and its four neighbours with theirs at the floor.
const tower = (floor) => addSpans(4, [1, 1, 0, 6, 63],
    ...[[1, 0], [0, 1], [2, 1], [1, 2]].map(([x, z]) => [x, z, 0, floor, 63]));

const square = (n) => Array.from({ length: n * n }, (_, i) => [i % n, Math.floor(i / n)]);
const inner = (x, z) => x > 0 && x < 4 && z > 0 && z < 4;

// The rows that the case leaves, or its error.
const BY_HAND = [
    ['B2.21: a wall that faces +x', makeCase([4, 4, 8], mesh(WALL, [0, 1, 2])),
        [[2, 0, 0, 4, 0], [2, 1, 0, 3, 0], [2, 2, 0, 2, 0], [2, 3, 0, 1, 0]]],
    ['B2.21: a wall that faces -x', makeCase([4, 4, 8], mesh(WALL, [0, 2, 1])),
        [[3, 0, 0, 4, 0], [3, 1, 0, 3, 0], [3, 2, 0, 2, 0], [3, 3, 0, 1, 0]]],
    ['B2.25: facing up, the solid is below', makeCase([2, 2, 8], mesh(FLOOR, [0, 1, 2])),
        [[0, 0, 4, 5, 63], [0, 1, 4, 5, 63], [1, 1, 4, 5, 63]]],
    ['B2.25: facing down, the solid is above', makeCase([2, 2, 8], mesh(FLOOR, [0, 2, 1])),
        [[0, 0, 5, 6, 0], [0, 1, 5, 6, 0], [1, 1, 5, 6, 0]]],
    ['B2.26: facing up at the bottom of the grid',
        makeCase([2, 2, 8], mesh(FLOOR.map((v) => (v === 5 ? 0 : v)), [0, 1, 2])), []],
    ['B2.5: the index is looked at first', makeCase([1, 1, 8],
        mesh(['NaN', 0, 0], [0, 0, 1])), { error: 'out_of_range', step: 0 }],
    ['B2.4: a referenced NaN', makeCase([1, 1, 8], SPAN,
        mesh([0, 'NaN', 0], [0, 0, 0])), { error: 'argument', step: 1 }],
    ['B3.4: the higher top wins', makeCase([1, 1, 30],
        addSpans(4, [0, 0, 0, 20, 0], [0, 0, 0, 1, 63])), column([0, 20, 0])],
    ['B3.4: one order', makeCase([1, 1, 700], addSpans(1, ...column([685, 686, 63], [685, 687, 0],
        [686, 688, 0]))), column([685, 688, 63])],
    ['B3.4: another order', makeCase([1, 1, 700], addSpans(1, ...column([686, 688, 0],
        [685, 687, 0], [685, 686, 63]))), column([685, 688, 0])],
    ['B4.3: both triangles face up', makeCase([1, 1, 8], { op: 'heightGrid', origin: [0, 0],
        spacing: 1, count: [2, 2], heights: [1, 1, 1, 1] }), column([0, 1, 63])],
    ['B5.4, B5.6: a run is cut to the grid', makeCase([1, 1, 8], { op: 'chunk', offset: [-1, -3, 0],
        size: [2, 1, 5], dense: [7, 7, 7, 7, 7, 7, 7, 7, 7, 9], materialAreas: { 9: 12 } }),
    column([0, 2, 12])],
    ['B6.4: no chain of obstacles', makeCase([1, 1, 8],
        addSpans(4, ...column([0, 1, 63], [2, 3, 0], [4, 5, 0])), { op: 'lowHanging' }),
    column([0, 1, 63], [2, 3, 63], [4, 5, 0])],
    ['B6.7: a drop of climb is no ledge', makeCase([3, 3, 30], tower(2), { op: 'ledges' }),
        [[1, 0, 0, 2, 0], [0, 1, 0, 2, 0], [1, 1, 0, 6, 63], [2, 1, 0, 2, 0], [1, 2, 0, 2, 0]]],
    ['B6.7: a deeper one is', makeCase([3, 3, 30], tower(1), { op: 'ledges' }),
        [[1, 0, 0, 1, 0], [0, 1, 0, 1, 0], [1, 1, 0, 6, 0], [2, 1, 0, 1, 0], [1, 2, 0, 1, 0]]],
    ['B6.10: a gap of exactly height is enough', makeCase([1, 1, 30],
        addSpans(4, ...column([0, 1, 63], [11, 12, 63], [21, 22, 63])),
        { op: 'lowHeight' }), column([0, 1, 63], [11, 12, 0], [21, 22, 63])],
    ['B7.1, B9.5: the floor of a volume counts as inside', makeCase([2, 1, 9], addSpans(4,
        [0, 0, 0, 2, 63], [1, 0, 0, 3, 63]), { op: 'compact' }, { op: 'volume', minY: '-Infinity',
        maxY: 2, area: 5, corners: [[0, 0], [2, 0], [2, 1], [0, 1]] }),
    [[0, 0, 2, 65535, 5, 63, 63, 0, 63], [1, 0, 3, 65535, 63, 0, 63, 63, 63]]],
    ['B8.5: the border of 5 x 5 spans', makeCase([5, 5, 9],
        addSpans(4, ...square(5).map(([x, z]) => [x, z, 0, 1, 63])), { op: 'compact' },
        { op: 'erode', radius: 1 }), square(5).map(([x, z]) => [x, z, 1, 65535,
        inner(x, z) ? 63 : 0, x > 0 ? 0 : 63, z < 4 ? 0 : 63, x < 4 ? 0 : 63, z > 0 ? 0 : 63])],
    ['B1.4: a grid at no place',
        { ...SPAN_CASE, grid: { ...SPAN_CASE.grid, origin: [0, 'NaN', 0] } },
        { error: 'argument', step: -1 }],
];

test('cases computed by hand', async (t) => {
    const port = new Port(t);
    for (const [name, job, expected] of BY_HAND) {
        await t.test(name, async () => {
            port.send(runMessage(1, job));
            const { out } = await port.answer();
            assert.deepEqual(out.solid ?? out.compact ?? out, expected);
        });
    }
    await port.end();
});

test('B1.6: a part-cell at the end of the bounds is kept', async (t) => {
    const port = new Port(t);
    const grid = {
        bounds: { min: [0, 0, 0], max: [10, 1, 5] }, cellSize: Math.fround(0.3), cellHeight: 1,
    };
    port.send(runMessage(1, { ...SPAN_CASE, grid, steps: [] }));
    assert.deepEqual((await port.answer()).out.size, [34, 17, 1]);
    await port.end();
});

test('B7.4: the span with index 62 can be linked to, the next cannot', async (t) => {
    const port = new Port(t);
    const spans = Array.from({ length: 64 }, (_, i) => [1, 0, 2 * i, 2 * i + 1, 63]);
    const job = makeCase([2, 1, 200], addSpans(0, ...spans, [0, 0, 124, 125, 63],
        [0, 0, 126, 127, 63]), { op: 'compact', height: 1, climb: 0 });
    port.send(runMessage(1, job));
    const { compact } = (await port.answer()).out;
    assert.deepEqual(compact.slice(0, 2), [[0, 0, 125, 1, 63, 63, 63, 62, 63],
        [0, 0, 127, 65535, 63, 63, 63, 63, 63]]);
    assert.deepEqual(compact.slice(-2).map((row) => row[5]), [0, 1]);
    await port.end();
});
