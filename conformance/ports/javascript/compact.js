// SPDX-License-Identifier: MIT
// The compact heightfield: building and linking (B7), erosion (B8), area volumes (B9).
import * as field from './solid.js';

const NO_LINK = 63; // B7.4

// columns[x + z·W] lists the spans of a column from the bottom up, or is undefined. links[d] of a
// span is the linked span itself or undefined; index is the m of B7.4.
export class Compact {
    constructor(solid, height, climb) {
        field.checkHeight(height); // B0.12
        field.checkClimb(climb);
        this.frame = solid.frame;
        this.columns = new Array(solid.columns.length);
        this.spans = []; // all of them in their order
        solid.forSpans((s, x, z) => this.add(s, x, z));
        const fits = (s, t) => Math.abs(t.y - s.y) <= climb // B7.3
            && Math.min(s.y + s.height, t.y + t.height) - Math.max(s.y, t.y) >= height;
        this.columns.forEach((spans) => {
            this.frame.neighbours(spans[0].x, spans[0].z).forEach((column, direction) => {
                const candidates = (this.columns[column] ?? []).slice(0, NO_LINK); // B7.4
                for (const s of spans) {
                    s.links[direction] = candidates.find((t) => fits(s, t));
                }
            });
        });
    }

    // B7.1
    add(s, x, z) {
        if (s.area !== 0) {
            const spans = (this.columns[x + z * this.frame.width] ??= []);
            const [y, height] = [s.max, Math.min(65535, field.ceilingOf(s) - s.max)];
            spans.push({ x, z, y, height, area: s.area, index: spans.length, links: [], dist: 0 });
            this.spans.push(spans.at(-1));
        }
    }

    rows() {
        return this.spans.map(({ x, z, y, height, area, links }) => (
            [x, z, y, height, area, ...links.map((t) => (t === undefined ? NO_LINK : t.index))]));
    }
}

// The least cost of a path from s, over the steps of B8.3 that it can begin with.
function leastCost(s) {
    let least = Infinity;
    for (let direction = 0; direction < 4; direction++) {
        const middle = s.links[direction];
        const left = middle?.links[(direction + 1) % 4];
        const right = middle?.links[(direction + 3) % 4];
        least = Math.min(least, (middle?.dist ?? Infinity) + 2, (left?.dist ?? Infinity) + 3,
            (right?.dist ?? Infinity) + 3);
    }
    return least;
}

// B8. It sweeps to and fro until a sweep changes nothing: only then are the costs exact (B8.4).
export function erode({ spans }, radius) {
    field.checkRange('radius', radius, 0, 2 ** 20); // B0.12
    for (const s of spans) { // B8.2; a distance above 2r makes no difference
        const boundary = s.area === 0 || s.links.some((t) => t === undefined || t.area === 0);
        s.dist = boundary ? 0 : 2 * radius;
    }
    for (let changed = true, forward = true; changed; forward = !forward) {
        changed = false;
        for (let i = 0; i < spans.length; i++) {
            const s = spans[forward ? i : spans.length - 1 - i];
            const least = s.dist === 0 ? 0 : leastCost(s);
            changed ||= least < s.dist;
            s.dist = Math.min(least, s.dist);
        }
    }
    for (const s of spans) {
        s.area = s.dist < 2 * radius ? 0 : s.area; // B8.5
    }
}

// B9.2, in binary64 like all of B9
function side([ax, az], [bx, bz], [px, pz]) {
    return (bx - ax) * (pz - az) - (bz - az) * (px - ax);
}

// B9; a corner is [x, z].
export function applyVolume({ frame, columns }, corners, minY, maxY, area) {
    field.checkRange('number of corners', corners.length, 3, 256); // B9.1
    corners.flat().forEach((value) => field.checkCoordinate('corner', value));
    const edges = corners.map((a, i) => [a, corners[(i + 1) % corners.length]]);
    const signs = new Set(edges.flatMap(([a, b]) => corners.map((p) => Math.sign(side(a, b, p)))));
    field.demand(signs.has(1) !== signs.has(-1), () => `corners ${corners}, not convex`);
    field.checkRange('minY', minY);
    field.checkRange('maxY', maxY);
    field.demand(minY <= maxY, () => `minY ${minY} is above maxY ${maxY}`);
    field.checkArea(area);
    const outside = signs.has(1) ? -1 : 1;
    const { origin, cs, ch } = frame;
    columns.forEach((spans) => {
        const { x, z } = spans[0];
        const centre = [origin[0] + (x + 0.5) * cs, origin[2] + (z + 0.5) * cs]; // B9.3
        if (edges.some(([a, b]) => Math.sign(side(a, b, centre)) === outside)) {
            return;
        }
        for (const s of spans) { // B9.4, B9.5
            const floor = origin[1] + s.y * ch;
            s.area = s.area !== 0 && minY <= floor && floor <= maxY ? area : s.area;
        }
    });
}
