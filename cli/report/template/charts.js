'use strict';
// The smaller charts, as SVG: numbers over time, and the histogram. They are drawn again when their
// width changes.
(() => {
  const { el, svg } = filch;
  const MARGIN = { left: 44, right: 10, top: 10, bottom: 22 };
  const HEIGHT = 168;

  // Calls draw(width) now and whenever the width of `holder` changes.
  const redrawn = (holder, draw) => {
    let width = 0;
    const look = () => {
      const now = Math.max(holder.clientWidth, 220);
      if (now !== width) { width = now; draw(width); }
    };
    new ResizeObserver(look).observe(holder);
    look();
  };

  const frame = (width, label) => svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: 'img', 'aria-label': label });
  const inner = (width) => ({ left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom });

  // Draws horizontal lines with numbers. Returns the number at the top.
  const yAxis = (root, box, most, wholeOnly) => {
    let step = filch.niceStep(Math.max(most, 1e-9), 4);
    if (wholeOnly) step = Math.max(1, step);
    const top = Math.max(step, Math.ceil(most / step - 1e-9) * step);
    for (let value = 0; value <= top * 1.0001; value += step) {
      const y = box.bottom - value / top * (box.bottom - box.top);
      root.append(svg('line', { class: 'grid', x1: box.left, x2: box.right, y1: Math.round(y), y2: Math.round(y) }),
        svg('text', { x: box.left - 8, y: y + 4, 'text-anchor': 'end' }, filch.shortCount(value)));
    }
    return top;
  };

  const timeAxis = (root, box, wall) => {
    const step = filch.niceStep(wall, Math.max(2, Math.floor((box.right - box.left) / 100)));
    for (let time = 0; time <= wall; time += step) {
      const x = box.left + time / wall * (box.right - box.left);
      const anchor = x > box.right - 24 ? 'end' : 'middle';
      root.append(svg('text', { x, y: HEIGHT - 6, 'text-anchor': time === 0 ? 'start' : anchor }, filch.moment(time, step)));
    }
  };

  // A line of steps: each value holds until the next sample.
  const stepsPath = (samples, wall, x, y) => {
    let path = '';
    for (let i = 0; i < samples.length; i += 2) {
      path += i === 0 ? `M${x(samples[0]).toFixed(1)} ${y(samples[1]).toFixed(1)}` : `H${x(samples[i]).toFixed(1)}V${y(samples[i + 1]).toFixed(1)}`;
    }
    return path + `H${x(wall).toFixed(1)}`;
  };

  // The time average of steps, from the first sample to the end.
  const meanOf = (samples, wall) => {
    const span = wall - samples[0];
    if (!(span > 0)) return samples[samples.length - 1];
    let mean = 0;  // of parts, because the total may be too large for a number
    for (let i = 0; i < samples.length; i += 2) mean += samples[i + 1] * (((i + 2 < samples.length ? samples[i + 2] : wall) - samples[i]) / span);
    return mean;
  };

  const valueAt = (samples, time) => {
    let value = null;
    for (let i = 0; i < samples.length && samples[i] <= time; i += 2) value = samples[i + 1];
    return value;
  };

  // A line under the pointer, with the values there.
  const cursor = (holder, root, box, series, wall) => {
    const line = svg('line', { class: 'cursor', y1: box.top, y2: box.bottom, visibility: 'hidden' });
    const tip = el('div', { class: 'tooltip', hidden: true });
    root.append(line);
    holder.append(tip);
    root.addEventListener('pointermove', (event) => {
      const x = Math.min(Math.max(event.clientX - root.getBoundingClientRect().left, box.left), box.right);
      const time = (x - box.left) / (box.right - box.left) * wall;
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      line.setAttribute('visibility', 'visible');
      tip.replaceChildren(el('b', {}, filch.moment(time, wall / 1000)), ...series.map((one) => {
        const value = valueAt(one.samples, time);
        return el('span', {}, `${one.name}: ${value === null ? 'not known' : +value.toPrecision(4)}`);
      }));
      tip.hidden = false;
      tip.style.left = `${x > (box.left + box.right) / 2 ? x - tip.offsetWidth - 10 : x + 10}px`;
      tip.style.top = `${box.top}px`;
    });
    root.addEventListener('pointerleave', () => { tip.hidden = true; line.setAttribute('visibility', 'hidden'); });
  };

  // series: [{ name, samples: [time, value, ...] }]
  filch.timeChart = (holder, series, wall, what, wholeOnly) => {
    const shown = series.filter((one) => one.samples.length > 0);
    if (!shown.length) { holder.append(el('p', { class: 'empty' }, 'The trace has no samples of this.')); return; }
    const facts = shown.map((one) => {
      const values = one.samples.filter((_, i) => i % 2 === 1);
      return { name: one.name, most: values.reduce((a, b) => Math.max(a, b), -Infinity),
        least: values.reduce((a, b) => Math.min(a, b), Infinity), mean: meanOf(one.samples, wall) };
    });
    const words = facts.map((f) => `${f.name}: mean ${filch.shortCount(f.mean)}, most ${filch.shortCount(f.most)}`).join('; ');
    redrawn(holder, (width) => {
      holder.replaceChildren();
      const root = frame(width, `${what} over time. ${words}`);
      const box = inner(width);
      const top = yAxis(root, box, Math.max(0, ...facts.map((f) => f.most)), wholeOnly);
      timeAxis(root, box, wall);
      const x = (time) => box.left + time / wall * (box.right - box.left);
      const y = (value) => box.bottom - Math.max(value, 0) / top * (box.bottom - box.top);
      shown.forEach((one, i) => {
        const path = stepsPath(one.samples, wall, x, y);
        if (i === 0) root.append(svg('path', { class: 'area', d: `${path}V${box.bottom}H${x(one.samples[0]).toFixed(1)}Z` }));
        root.append(svg('path', { class: `stroke s${i % 4}`, d: path }));
      });
      holder.append(root, el('div', { class: 'legend' }, el('span', {}, words)));
      cursor(holder, root, box, shown, wall);
    });
  };

  const bucketName = (i) => `${filch.time(i === 0 ? 0 : 2 ** i)} to ${filch.time(2 ** (i + 1))}`;

  filch.histogram = (holder, durations) => {
    const { buckets } = durations;
    const first = buckets.findIndex((n) => n > 0);
    if (first < 0) { holder.append(el('p', { class: 'empty' }, 'The trace has no jobs.')); return; }
    let last = buckets.length - 1;
    while (!buckets[last]) last--;
    // One more bucket on each side, so that a single one has something to be compared with.
    const from = Math.max(0, first - 1);
    const to = Math.min(buckets.length - 1, last + 1);
    const most = Math.max(...buckets);
    redrawn(holder, (width) => {
      const root = frame(width, `Histogram of job durations, from ${filch.time(durations.shortest_ns)} to ${filch.time(durations.longest_ns)}; the same as a table follows`);
      const box = inner(width);
      const top = yAxis(root, box, most, true);
      const each = Math.min((box.right - box.left) / (to - from + 1), 90);
      const every = Math.ceil(58 / each);
      for (let i = from; i <= to + 1; i++) {
        const left = box.left + (i - from) * each;
        if ((i - from) % every === 0) root.append(svg('text', { x: left, y: HEIGHT - 6, 'text-anchor': i === from ? 'start' : left > box.right - 24 ? 'end' : 'middle' }, filch.time(i === 0 ? 0 : 2 ** i)));
        if (i > to || !buckets[i]) continue;
        const height = Math.max(buckets[i] / top * (box.bottom - box.top), 1);
        root.append(svg('rect', { class: 'column', x: left + 1, y: box.bottom - height, width: Math.max(each - 2, 1), height, rx: 1 },
          svg('title', {}, `${bucketName(i)}: ${filch.plural(buckets[i], 'job')}`)));
      }
      const rows = buckets.map((n, i) => [n, i]).filter(([n]) => n > 0);
      holder.replaceChildren(root, el('details', {}, el('summary', {}, 'As a table'), el('table', { id: 'histogram-table' },
        el('thead', {}, el('tr', {}, el('th', { class: 'text' }, 'Duration'), el('th', {}, 'Jobs'))),
        el('tbody', {}, rows.map(([n, i]) => el('tr', {}, el('th', { class: 'text', scope: 'row' }, bucketName(i)),
          el('td', { 'data-bucket': i, 'data-value': n }, filch.count(n))))))));
    });
  };
})();
