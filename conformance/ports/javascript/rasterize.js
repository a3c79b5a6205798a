// SPDX-License-Identifier: MIT
// From triangles and height grids to spans: B1.7, B1.8, B2 and B4.
import { demand, checkRange, checkCoordinate, checkArea, checkThreshold } from './solid.js';

// JavaScript computes in binary64. For binary32 operands, fround around each single +, -, *, / and
// sqrt gives exactly the binary32 operation (B0.1); fround around a longer formula does not.
const f = Math.fround;
const [U, V, W] = [0, 1, 2]; // the axes of a polygon, in cell units

const difference = (a, b, c, d) => f(f(a * b) - f(c * d));

// The term of B2.19 for p_0, p_i and p_j. For corners 0, 1 and 2 it is the footprint of B2.12.
const areaTerm = (u, w, i, j) => (
    difference(f(u[i] - u[0]), f(w[j] - w[0]), f(w[i] - w[0]), f(u[j] - u[0])));

// n vertices; the arrays for u, v and w may be longer, as polygons are used again and again.
class Polygon {
    n = 0;
    axes = [[], [], []];

    range(axis) {
        let [min, max] = [Infinity, -Infinity];
        for (let i = 0; i < this.n; i++) {
            min = Math.min(min, this.axes[axis][i]);
            max = Math.max(max, this.axes[axis][i]);
        }
        return { min, max };
    }

    // B2.19
    area() {
        let sum = 0;
        for (let i = 1; i + 1 < this.n; i++) {
            sum = f(sum + areaTerm(this.axes[U], this.axes[W], i, i + 1));
        }
        return sum;
    }
}

// B2.14: a pass against the plane axis = k; side 1 keeps what is at or above k, -1 at or below.
function clip({ n, axes }, axis, k, side, result) {
    result.n = 0;
    for (let q = 0, p = n - 1; q < n; p = q++) {
        const dp = f(axes[axis][p] - k);
        const dq = f(axes[axis][q] - k);
        if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) { // B2.15
            const t = f(dp / f(dp - dq));
            for (let i = 0; i < 3; i++) {
                result.axes[i][result.n] = f(axes[i][p] + f(f(axes[i][q] - axes[i][p]) * t));
            }
            result.axes[axis][result.n++] = k;
        }
        if (dq * side >= 0) {
            for (let i = 0; i < 3; i++) {
                result.axes[i][result.n] = axes[i][q];
            }
            result.n++;
        }
    }
}

class Rasterizer {
    degenerate = 0;
    corners = new Polygon();
    clipped = [new Polygon(), new Polygon()];
    pieces = [new Polygon(), undefined, new Polygon()]; // by axis, as are the other two
    rests = [[new Polygon(), new Polygon()], undefined, [new Polygon(), new Polygon()]];

    constructor(solid, slopeCosine, threshold) {
        Object.assign(this, { solid, frame: solid.frame, slopeCosine, threshold });
        this.limits = [this.frame.width, undefined, this.frame.depth];
    }

    // Adds the triangle of three vertices in world coordinates; area undefined means classified.
    addTriangle(vertices, area) {
        const { origin, cs, ch } = this.frame;
        const [a, b, c] = vertices.map((p) => p.map((value, i) => f(value - origin[i]))); // B1.7
        const [e1x, e1y, e1z] = b.map((value, i) => f(value - a[i])); // B2.8
        const [e2x, e2y, e2z] = c.map((value, i) => f(value - a[i]));
        this.nx = difference(e1y, e2z, e1z, e2y);
        this.ny = difference(e1z, e2x, e1x, e2z);
        this.nz = difference(e1x, e2y, e1y, e2x);
        const [xx, yy, zz] = [this.nx, this.ny, this.nz].map((value) => f(value * value));
        const length = f(Math.sqrt(f(f(xx + yy) + zz))); // B2.9
        if (length === 0) {
            this.degenerate++; // B2.10
            return;
        }
        this.area = area ?? (this.ny > f(this.slopeCosine * length) ? 63 : 0); // B2.11
        this.corners.n = 3; // B1.8
        this.corners.axes = [cs, ch, cs].map((unit, i) => [a, b, c].map((p) => f(p[i] / unit)));
        this.vertical = areaTerm(this.corners.axes[U], this.corners.axes[W], 1, 2) === 0; // B2.12
        this.place();
    }

    // Clips the triangle to the grid and puts its pieces into columns.
    place() {
        const [other, polygon] = this.clipped;
        clip(this.corners, W, 0, 1, other); // B2.13
        clip(other, W, this.frame.depth, -1, polygon);
        clip(polygon, U, 0, 1, other);
        clip(other, U, this.frame.width, -1, polygon);
        const [lineU, , lineW] = this.corners.axes.map(([p, q, r]) => (
            this.vertical && p === q && q === r && Number.isInteger(p) ? p : undefined));
        if (lineU !== undefined) { // B2.21
            const x = this.nx > 0 ? lineU - 1 : lineU;
            this.split(W, polygon, (z, row) => this.touch(x, z, row));
        } else if (lineW !== undefined) { // B2.22
            this.splitRow(this.nz > 0 ? lineW - 1 : lineW, polygon);
        } else { // B2.23
            this.split(W, polygon, (z, row) => this.splitRow(z, row));
        }
    }

    splitRow(z, row) {
        this.split(U, row, (x, piece) => this.touch(x, z, piece));
    }

    // B2.16 to B2.18: cuts a polygon into rows (axis W) or a row into cells (axis U). Calls
    // visit(j, piece) for all visited j; a piece lives until the next one.
    split(axis, polygon, visit) {
        const { min, max } = polygon.range(axis);
        const first = Math.max(0, Math.ceil(min) - 1);
        const last = Math.min(this.limits[axis] - 1, Math.floor(max));
        let rest = polygon;
        for (let j = first; j < last; j++) {
            const next = this.rests[axis][j % 2];
            clip(rest, axis, j + 1, -1, this.pieces[axis]);
            clip(rest, axis, j + 1, 1, next);
            visit(j, this.pieces[axis]);
            rest = next;
        }
        if (first <= last) {
            visit(last, rest);
        }
    }

    // Adds the span of a piece to column (x, z), if the triangle touches it.
    touch(x, z, piece) {
        const length = (axis) => piece.range(axis).max - piece.range(axis).min;
        const touches = this.vertical ? length(U) > 0 || length(W) > 0 // B2.20
            : piece.area() !== 0; // B2.19
        const v = piece.range(V);
        let lo = Math.floor(v.min); // B2.24; not with |0, as v can be 2^42 (B0.6)
        let hi = Math.ceil(v.max);
        if (lo === hi) { // B2.25
            [lo, hi] = this.ny > 0 ? [f(hi - 1), hi] : [lo, f(lo + 1)];
        }
        const { frame } = this;
        if (touches && frame.contains(x, z) && hi > 0 && lo < frame.height) { // B2.26, B2.27
            const [min, max] = [Math.max(lo, 0), Math.min(hi, frame.height)];
            this.solid.add(x + z * frame.width, min, max, this.area, this.threshold);
        }
    }
}

// B2, checked in the order of B2.5. areas may be undefined. Returns the degenerate count.
export function rasterize(solid, vertices, indices, areas, slopeCosine, threshold) {
    demand(vertices.length % 3 === 0, () => `${vertices.length} coordinates, no triples`); // B2.2
    demand(indices.length % 3 === 0, () => `${indices.length} indices, no triples`);
    const vertex = (index) => [0, 1, 2].map((axis) => vertices[3 * index + axis]);
    indices.forEach((index) => checkRange('index', index, 0, vertices.length / 3 - 1)); // B2.3
    indices.forEach((index) => vertex(index).forEach((value) => checkCoordinate('vertex', value)));
    const count = indices.length / 3;
    demand((areas?.length ?? count) === count, () => `${areas.length} areas for ${count}`); // B2.6
    areas?.forEach(checkArea);
    checkRange('slopeCosine', slopeCosine, -Number.MAX_VALUE, Number.MAX_VALUE); // B2.7
    checkThreshold(threshold);
    const rasterizer = new Rasterizer(solid, slopeCosine, threshold);
    for (let k = 0; k < count; k++) { // B2.1
        rasterizer.addTriangle(indices.slice(3 * k, 3 * k + 3).map(vertex), areas?.[k]);
    }
    return rasterizer.degenerate;
}

// B4. Returns the number of degenerate triangles.
export function rasterizeHeights(solid, [x0, z0], spacing, count, heights, slopeCosine, threshold) {
    const [countX, countZ] = count;
    checkRange('spacing', spacing, Number.MIN_VALUE, Number.MAX_VALUE); // B4.1
    count.forEach((value) => checkRange('count', value, 2));
    demand(heights.length === countX * countZ, () => `${heights.length} heights for ${count}`);
    const vertices = [];
    const indices = [];
    heights.forEach((height, a) => {
        const i = a % countX;
        const j = (a - i) / countX;
        vertices.push(x0 + i * spacing, height, z0 + j * spacing); // B4.2, in binary64
        if (i + 1 < countX && j + 1 < countZ) { // B4.3
            const c = a + countX;
            indices.push(a, c, c + 1, a, c + 1, a + 1);
        }
    });
    return rasterize(solid, vertices, indices, undefined, slopeCosine, threshold);
}
