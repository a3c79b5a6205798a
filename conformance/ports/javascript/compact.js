// SPDX-License-Identifier: MIT
// The compact heightfield: building and linking (B7), erosion (B8), area volumes (B9).
import * as field from './solid.js';

const NO_LINK = 63; // B7.4

// The spans lie in their order in one array for each member; those of a column are first[column] to
// first[column + 1] - 1. links[d][s] is the span that s is linked to in direction d. Without a link
// it is `none`, the index after the last span, which has area 0 and links to itself.
export class Compact {
    y = [];
    height = [];
    area = [];

    constructor(solid, height, climb) {
        field.checkHeight(height); // B0.12
        field.checkClimb(climb);
        this.frame = solid.frame;
        this.first = new Int32Array(solid.columns.length + 1);
        for (let column = 0; column < solid.columns.length; column++) {
            for (let s = solid.columns[column]; s !== undefined; s = s.next) {
                if (s.area !== 0) { // B7.1
                    this.y.push(s.max);
                    this.height.push(Math.min(65535, field.ceilingOf(s) - s.max));
                    this.area.push(s.area);
                }
            }
            this.first[column + 1] = this.y.length;
        }
        this.none = this.area.push(0) - 1;
        this.links = [0, 1, 2, 3].map(() => new Int32Array(this.none + 1).fill(this.none));
        this.forColumns((begin, end, column) => {
            this.frame.neighbours(column).forEach((other, direction) => {
                for (let s = begin; s < end && other !== undefined; s++) {
                    this.links[direction][s] = this.findLink(s, other, height, climb);
                }
            });
        });
    }

    // Calls visit(begin, end, column) for the columns that have spans.
    forColumns(visit) {
        for (let column = 0; column + 1 < this.first.length; column++) {
            if (this.first[column] < this.first[column + 1]) {
                visit(this.first[column], this.first[column + 1], column);
            }
        }
    }

    // B7.3, among the spans of a column that a link can name (B7.4).
    findLink(s, column, height, climb) {
        const end = Math.min(this.first[column + 1], this.first[column] + NO_LINK);
        const top = this.y[s] + this.height[s];
        for (let t = this.first[column]; t < end; t++) {
            const lower = Math.min(top, this.y[t] + this.height[t]);
            if (lower - Math.max(this.y[s], this.y[t]) >= height
                    && Math.abs(this.y[t] - this.y[s]) <= climb) {
                return t;
            }
        }
        return this.none;
    }

    rows() {
        const rows = [];
        this.forColumns((begin, end, column) => {
            const others = this.frame.neighbours(column);
            const m = (t, d) => (t === this.none ? NO_LINK : t - this.first[others[d]]);
            for (let s = begin; s < end; s++) {
                const [l0, l1, l2, l3] = this.links.map((link, d) => m(link[s], d));
                const [x, z] = this.frame.position(column);
                rows.push([x, z, this.y[s], this.height[s], this.area[s], l0, l1, l2, l3]);
            }
        });
        return rows;
    }
}

// B8. It sweeps to and fro until a sweep changes nothing: only then are the costs exact (B8.4).
export function erode({ area, links, none }, radius) {
    field.checkRange('radius', radius, 0, 2 ** 20); // B0.12
    const dist = Int32Array.from(area, (own, s) => ( // B8.2; above 2r it makes no difference
        own === 0 || links.some((link) => area[link[s]] === 0) ? 0 : 2 * radius));
    dist[none] = 2 ** 30;
    for (let changed = true, forward = true; changed; forward = !forward) {
        changed = false;
        for (let i = 0; i < none; i++) {
            const s = forward ? i : none - 1 - i;
            let least = dist[s];
            for (let d = 0; d < 4 && least > 0; d++) { // B8.3
                const middle = links[d][s];
                const left = links[(d + 1) % 4][middle];
                const right = links[(d + 3) % 4][middle];
                least = Math.min(least, dist[middle] + 2, dist[left] + 3, dist[right] + 3);
            }
            changed ||= least < dist[s];
            dist[s] = least;
        }
    }
    for (let s = 0; s < none; s++) {
        area[s] = dist[s] < 2 * radius ? 0 : area[s]; // B8.5
    }
}

// B9.2, in binary64 like all of B9
const side = ([ax, az], [bx, bz], [px, pz]) => (bx - ax) * (pz - az) - (bz - az) * (px - ax);

// B9; a corner is [x, z].
export function applyVolume(compact, corners, minY, maxY, area) {
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
    const { origin, cs, ch } = compact.frame;
    compact.forColumns((begin, end, column) => {
        const [x, z] = compact.frame.position(column);
        const centre = [origin[0] + (x + 0.5) * cs, origin[2] + (z + 0.5) * cs]; // B9.3
        const inside = !edges.some(([a, b]) => Math.sign(side(a, b, centre)) === outside);
        for (let s = begin; inside && s < end; s++) { // B9.4, B9.5
            const floor = origin[1] + compact.y[s] * ch;
            const applies = compact.area[s] !== 0 && minY <= floor && floor <= maxY;
            compact.area[s] = applies ? area : compact.area[s];
        }
    });
}
