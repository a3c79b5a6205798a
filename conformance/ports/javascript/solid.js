// SPDX-License-Identifier: MIT
// The solid heightfield: errors (B0), the grid (B1), spans (B3), chunks (B5) and filters (B6).
const UNBOUNDED = 2 ** 30; // B6.1

// Throws one of SPEC.md's errors (B0.8); an exception without a kind is a fault. The message is a
// function, as it is seldom needed and many checks are done for each vertex.
export function demand(condition, message, kind = 'argument') {
    if (!condition) {
        throw Object.assign(new Error(message()), { kind });
    }
}

// B0.8, B0.11; without bounds, all but NaN passes. The checks after it are B0.5 and B0.12.
export function checkRange(name, value, low = -Infinity, high = Infinity) {
    const message = () => `${name} is ${value}; it must lie in [${low}, ${high}]`;
    demand(!Number.isNaN(value), message);
    demand(value >= low && value <= high, message, 'out_of_range');
}

export const checkCoordinate = (name, value) => checkRange(name, value, -(2 ** 21), 2 ** 21);
export const checkArea = (area) => checkRange('area', area, 0, 63);
export const checkClimb = (climb) => checkRange('climb', climb, 0, UNBOUNDED);
export const checkHeight = (height) => checkRange('height', height, 1, UNBOUNDED);
export const checkThreshold = (threshold) => checkRange('mergeThreshold', threshold, 0, UNBOUNDED);

// B1.1: origin holds binary64 numbers, cs and ch are binary32 ones.
export class Frame {
    constructor(origin, cs, ch, [width, depth, height]) {
        origin.forEach((value) => checkCoordinate('origin', value)); // B1.4
        checkRange('cellSize', cs, 2 ** -20, 2 ** 20); // B1.2
        checkRange('cellHeight', ch, 2 ** -20, 2 ** 20);
        checkRange('width', width, 1, 65536); // B1.3
        checkRange('depth', depth, 1, 65536);
        checkRange('width * depth', width * depth, 1, 2 ** 24);
        checkRange('height', height, 1, 65535);
        Object.assign(this, { origin, cs, ch, width, depth, height });
    }

    // B1.5, B1.6, in binary64. The constructor looks at cs and ch before it looks at the size.
    static fromBounds(min, max, cs, ch) {
        [...min, ...max].forEach((value) => checkCoordinate('bounds', value));
        min.forEach((low, i) => demand(max[i] > low, () => `max is ${max[i]}, min is ${low}`));
        const cells = (axis, unit) => Math.ceil((max[axis] - min[axis]) / unit);
        return new Frame(min, cs, ch, [cells(0, cs), cells(2, cs), cells(1, ch)]);
    }

    contains(x, z) {
        return x >= 0 && x < this.width && z >= 0 && z < this.depth;
    }

    position(column) {
        return [column % this.width, Math.floor(column / this.width)];
    }

    // The columns in the directions -x, +z, +x, -z (B7.2); undefined outside.
    neighbours(column) {
        const { width } = this;
        const x = column % width;
        return [x > 0 ? column - 1 : undefined,
            column < width * (this.depth - 1) ? column + width : undefined,
            x < width - 1 ? column + 1 : undefined, column >= width ? column - width : undefined];
    }
}

// columns[x + z·W] is the lowest span of a column or undefined. A span is { min, max, area, next },
// next being the span above it or undefined (B3.1).
export class Solid {
    constructor(frame) {
        this.frame = frame;
        this.columns = new Array(frame.width * frame.depth);
    }

    // B3.3, B3.4; the arguments have been checked.
    add(column, min, max, area, threshold) {
        let below = column === this.lastColumn && this.last.max < min ? this.last : undefined;
        let s = below === undefined ? this.columns[column] : below.next; // a shortcut in tall ones
        while (s !== undefined && s.max < min) {
            below = s;
            s = s.next;
        }
        for (; s !== undefined && s.min <= max; s = s.next) {
            if (Math.abs(s.max - max) <= threshold) {
                area = Math.max(area, s.area);
            } else if (s.max > max) {
                area = s.area;
            }
            max = Math.max(max, s.max);
            min = Math.min(min, s.min);
        }
        const span = { min, max, area, next: s };
        if (below === undefined) {
            this.columns[column] = span;
        } else {
            below.next = span;
        }
        this.last = span;
        this.lastColumn = column;
    }

    // Calls visit(s, column) for all spans, in their order.
    forSpans(visit) {
        this.columns.forEach((lowest, column) => {
            for (let s = lowest; s !== undefined; s = s.next) {
                visit(s, column);
            }
        });
    }

    rows() {
        const rows = [];
        this.forSpans((s, column) => {
            rows.push([...this.frame.position(column), s.min, s.max, s.area]);
        });
        return rows;
    }
}

export const ceilingOf = (s) => (s.next === undefined ? UNBOUNDED : s.next.min); // B6.2

// B3.2; in every operation all checks come before the first effect (B0.9).
export function addSpans(solid, spans, threshold) {
    const { width, depth, height } = solid.frame;
    for (const [x, z, min, max, area] of spans) {
        checkRange('span x', x, 0, width - 1);
        checkRange('span z', z, 0, depth - 1);
        checkRange('span max', max, 1, height);
        checkRange('span min', min, 0, max - 1);
        checkArea(area);
    }
    checkThreshold(threshold);
    spans.forEach(([x, z, ...span]) => solid.add(x + z * width, ...span, threshold));
}

// B5.2
function checkRuns([width, depth, height], runs) {
    const ends = new Map(); // of the last run of each column
    for (const [x, z, start, length, material] of runs) {
        const key = `${x},${z}`;
        const end = ends.get(key) ?? 0;
        demand(x >= 0 && x < width && z >= 0 && z < depth && start >= end && length >= 1
            && length <= height - start && material >= 1 && material <= 255, () => `run ${[x, z,
            start, length, material]} after row ${end}, chunk ${[width, depth, height]}`);
        ends.set(key, start + length);
    }
}

// B5.3: the runs of a dense chunk; checkRuns refuses materials that are no bytes.
function denseRuns([width, depth, height], cells) {
    const count = width * depth * height;
    demand(cells.length === count, () => `${cells.length} cells in a chunk of ${count}`);
    const runs = [];
    cells.forEach((material, i) => {
        const y = i % height;
        const column = (i - y) / height;
        if (y > 0 && material !== 0 && material === cells[i - 1]) {
            runs[runs.length - 1][3]++;
        } else if (material !== 0) {
            runs.push([column % width, Math.floor(column / width), y, 1, material]);
        }
    });
    return runs;
}

// B5: either runs or dense is given; materialAreas is a Map. The runs of a column come from
// the bottom up, and the order of the columns makes no difference (B5.7, B3.5).
export function addChunk(solid, [dx, dy, dz], size, runs, dense, materialAreas) {
    size.forEach((cells) => demand(cells >= 1, () => `chunk size ${cells}, below 1`)); // B5.2
    const list = runs ?? denseRuns(size, dense);
    checkRuns(size, list);
    for (const [material, area] of materialAreas) { // B5.4
        demand(material >= 1 && material <= 255, () => `material ${material}, outside [1, 255]`);
        checkArea(area);
    }
    const { frame } = solid;
    for (const [x, z, start, length, material] of list) {
        const min = Math.max(start + dy, 0); // B5.6
        const max = Math.min(start + length + dy, frame.height);
        if (min < max && frame.contains(x + dx, z + dz)) { // B5.5, B5.7
            const area = materialAreas.get(material) ?? 63;
            solid.add(x + dx + (z + dz) * frame.width, min, max, area, 0);
        }
    }
}

// B6.3 from the bottom up; `below` is the area that p had before the filter (B6.4).
export function filterLowHanging(solid, climb) {
    checkClimb(climb);
    solid.columns.forEach((lowest) => {
        let below = lowest.area;
        for (let p = lowest; p.next !== undefined; p = p.next) {
            const { area, max } = p.next;
            p.next.area = area === 0 && max - p.max <= climb ? below : area;
            below = area;
        }
    });
}

// B6.5: the gaps of a column; `begin` is the first that isLedge still has to look at.
function gapsOf(lowest, climb) {
    const gaps = [{ floor: -climb, ceiling: lowest === undefined ? UNBOUNDED : lowest.min }];
    for (let n = lowest; n !== undefined; n = n.next) {
        gaps.push({ floor: n.max, ceiling: ceilingOf(n) });
    }
    return { gaps, begin: 0 };
}

// B6.6 to B6.8 for s, with four neighbours inside the grid.
function isLedge(s, neighbours, height, climb) {
    const f = s.max;
    const c = ceilingOf(s);
    let [lowest, highest] = [Infinity, -Infinity];
    for (const neighbour of neighbours) {
        const { gaps } = neighbour;
        while (gaps[neighbour.begin].ceiling <= f) { // passable from no span above s either
            neighbour.begin++;
        }
        for (let i = neighbour.begin; i < gaps.length && gaps[i].floor < c; i++) {
            const { floor, ceiling } = gaps[i];
            const passable = Math.min(c, ceiling) - Math.max(f, floor) >= height;
            if (passable && floor - f < -climb) {
                return true;
            }
            if (passable && floor - f <= climb) {
                lowest = Math.min(lowest, floor);
                highest = Math.max(highest, floor);
            }
        }
    }
    return highest - lowest > climb;
}

export function filterLedges(solid, height, climb) {
    checkHeight(height);
    checkClimb(climb);
    solid.columns.forEach((bottom, column) => {
        const others = solid.frame.neighbours(column);
        const outside = others.includes(undefined); // a drop of -climb - 1
        const gaps = outside ? [] : others.map((other) => gapsOf(solid.columns[other], climb));
        for (let s = bottom; s !== undefined; s = s.next) {
            s.area = outside || (s.area !== 0 && isLedge(s, gaps, height, climb)) ? 0 : s.area;
        }
    });
}

// B6.10; the top span stays whatever the height, which may be 2^30 like its ceiling.
export function filterLowHeight(solid, height) {
    checkHeight(height);
    solid.forSpans((s) => {
        s.area = s.next !== undefined && s.next.min - s.max < height ? 0 : s.area;
    });
}
