'use strict';
// A track is what one line of the timeline shows: intervals of one thread and kind that do not
// overlap. Those of depth d are within one of depth d - 1. Pure functions: nothing here draws.
(() => {
  const { KINDS } = filch;
  const MOST_DEPTH = [4, 1, 1, 1, 3];  // of each kind; deeper ones are not shown
  const ORDER = [3, 1, 2, 0, 4];       // in which they are drawn
  const SMALL = 4096;       // fewer intervals than this are examined one by one
  const MOST_BINS = 65536;

  const kindOf = (code) => Math.min(code, filch.FIRST_SPAN);

  // The depth of each interval among those of its kind. They are sorted by begin, outer ones first.
  const depths = (row) => {
    const result = new Uint16Array(row.begin.length);
    const open = KINDS.map(() => []);  // the ends of the intervals that contain this moment
    for (let i = 0; i < result.length; i++) {
      const stack = open[kindOf(row.code[i])];
      while (stack.length && stack[stack.length - 1] <= row.begin[i]) stack.pop();
      result[i] = Math.min(stack.length, 65535);
      stack.push(row.end[i]);
    }
    return result;
  };

  // Levels of bins, finest first, each with half as many as the one before. A bin has its covered
  // share, and the code that covers most of it.
  const levelsOf = (track, wall) => {
    const n = track.begin.length;
    if (n < SMALL || !(wall > 0)) return [];
    const bins = Math.min(MOST_BINS, 2 ** Math.ceil(Math.log2(n)));
    const width = wall / bins;
    const cover = new Float32Array(bins);
    const code = new Uint32Array(bins);
    const most = new Float32Array(bins);
    for (let i = 0; i < n; i++) {
      const from = track.begin[i] / width;
      const to = track.end[i] / width;
      const last = Math.min(bins - 1, Math.floor(to));
      for (let b = Math.min(bins - 1, Math.floor(from)); b <= last; b++) {
        const part = Math.max(Math.min(to, b + 1) - Math.max(from, b), 1e-4);
        cover[b] += part;
        if (part > most[b]) { most[b] = part; code[b] = track.code[i]; }
      }
    }
    const levels = [{ width, cover, code }];
    for (let finer = levels[0]; finer.cover.length > 256; finer = levels[levels.length - 1]) {
      const half = finer.cover.length / 2;
      const next = { width: finer.width * 2, cover: new Float32Array(half), code: new Uint32Array(half) };
      for (let b = 0; b < half; b++) {
        const left = finer.cover[2 * b];
        const right = finer.cover[2 * b + 1];
        next.cover[b] = (left + right) / 2;
        next.code[b] = finer.code[left >= right ? 2 * b : 2 * b + 1];
      }
      levels.push(next);
    }
    return levels;
  };

  // The tracks of one thread, in the order of drawing.
  filch.tracksOf = (row, wall) => {
    const depth = depths(row);
    const sizes = KINDS.map((_, kind) => new Array(MOST_DEPTH[kind]).fill(0));
    for (let i = 0; i < depth.length; i++) {
      const of = sizes[kindOf(row.code[i])];
      if (depth[i] < of.length) of[depth[i]]++;
    }
    const made = sizes.map((of, kind) => of.map((n, d) => ({ kind: KINDS[kind], depth: d, used: 0,
      begin: new Float64Array(n), end: new Float64Array(n), code: new Uint32Array(n) })));
    for (let i = 0; i < depth.length; i++) {
      const track = made[kindOf(row.code[i])][depth[i]];
      if (!track) continue;
      const at = track.used++;
      track.begin[at] = row.begin[i];
      track.end[at] = row.end[i];
      track.code[at] = row.code[i];
    }
    const result = ORDER.flatMap((kind) => made[kind]).filter((track) => track.used > 0);
    for (const track of result) track.levels = levelsOf(track, wall);
    return result;
  };

  // The first index whose value is above `limit` in a sorted list.
  filch.firstAbove = (sorted, limit) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] > limit) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  // For each of `width` columns of equal time from `from` to `to`, writes the covered share (0 to
  // 1) and the code that covers most of it.
  filch.coverage = (track, from, to, width, cover, code) => {
    const pixel = (to - from) / width;
    let level = null;
    for (const one of track.levels) if (one.width <= pixel) level = one;
    if (level) fromBins(level, from, pixel, width, cover, code);
    else fromIntervals(track, from, to, pixel, width, cover, code);
  };

  const fromBins = (level, from, pixel, width, cover, code) => {
    const last = level.cover.length - 1;
    for (let x = 0; x < width; x++) {
      const left = (from + x * pixel) / level.width;
      const right = left + pixel / level.width;
      let sum = 0;
      let most = -1;
      for (let b = Math.max(0, Math.floor(left)); b <= last && b < right; b++) {
        const part = level.cover[b] * (Math.min(right, b + 1) - Math.max(left, b));
        sum += part;
        if (part > most) { most = part; code[x] = level.code[b]; }
      }
      cover[x] = sum / (right - left);
    }
  };

  const fromIntervals = (track, from, to, pixel, width, cover, code) => {
    const { begin, end } = track;
    cover.fill(0, 0, width);
    for (let i = filch.firstAbove(end, from); i < begin.length && begin[i] < to; i++) {
      const left = Math.max(0, (begin[i] - from) / pixel);
      const right = Math.min(width, (end[i] - from) / pixel);
      const first = Math.min(width - 1, Math.floor(left));
      const last = Math.min(width - 1, Math.floor(right));
      for (let x = first; x <= last; x++) {
        const part = Math.max(Math.min(right, x + 1) - Math.max(left, x), x === first ? 1e-3 : 0);
        if (part > cover[x] || cover[x] === 0) code[x] = track.code[i];
        cover[x] += part;
      }
      // So that neighbours can be told apart.
      if (right - left >= 4 && end[i] < to) cover[Math.max(first, Math.ceil(right) - 1)] *= 0.35;
    }
  };

  // The interval of the track that contains the moment or is within `reach` of it; -1: none.
  filch.intervalAt = (track, moment, reach) => {
    const after = Math.min(filch.firstAbove(track.end, moment), track.end.length - 1);
    let best = -1;
    let distance = reach;
    for (const i of [after - 1, after]) {
      if (i < 0) continue;
      const away = Math.max(track.begin[i] - moment, moment - track.end[i], 0);
      if (away <= distance) { best = i; distance = away; }
    }
    return best;
  };
})();
