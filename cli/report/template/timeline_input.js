'use strict';
// Input for the timeline: mouse, touch, buttons and keys; and the texts about what they point at.
(() => {
  const { el, get } = filch;

  // The text about a place: [title, line...].
  const describe = (timeline, place) => {
    const { row, track, index } = place;
    if (!track) return [timeline.wordFor(row, place.moment), row.name];
    const from = track.begin[index];
    const to = track.end[index];
    const step = Math.max((timeline.to - timeline.from) / 1000, 1);
    const lines = [timeline.nameOf(track.code[index]), row.name,
      `took ${filch.time(to - from)}`, `from ${filch.moment(from, step)} to ${filch.moment(to, step)}`];
    if (track.depth > 0) lines.push(`within ${filch.plural(track.depth, track.kind)}`);
    return lines;
  };

  // The link within 4 pixels of a point, if links of that kind are drawn.
  const linkAt = (timeline, x, y) => {
    for (const what of ['steals', 'wakes']) {
      if (!timeline.shows[what]) continue;
      const links = timeline.links[what];
      const reach = 4 / timeline.plot * (timeline.to - timeline.from);
      const moment = timeline.timeAt(x);
      for (let i = filch.firstAbove(links.time, moment - reach); i < links.time.length && links.time[i] < moment + reach; i++) {
        const own = timeline.rows[timeline.rowOf.get(links.thread[i])];
        const other = timeline.rows[timeline.rowOf.get(links.other[i])];
        if (!own || !other) continue;
        const ends = [own.top + own.job / 2, other.top + other.job / 2].sort((a, b) => a - b);
        if (y < ends[0] - 4 || y > ends[1] + 4) continue;
        const at = `at ${filch.moment(links.time[i], Math.max(reach / 4, 1))}`;
        return what === 'steals'
          ? ['steal', `${own.name} took ${filch.plural(links.count[i], 'job')}`, `from ${other.name}`, at]
          : ['wake', `${own.name} woke ${other.name}`, at];
      }
    }
    return null;
  };

  const showTooltip = (timeline, lines, x, y) => {
    const tip = get('tooltip');
    tip.replaceChildren(el('b', {}, lines[0]), ...lines.slice(1).map((line) => el('span', {}, line)));
    tip.hidden = false;
    const left = x + 14 + tip.offsetWidth > timeline.width ? x - tip.offsetWidth - 10 : x + 14;
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${y + 16}px`;
  };
  const hideTooltip = () => { get('tooltip').hidden = true; };

  const pointers = (timeline) => {
    const { canvas } = timeline;
    let drag = null;  // { x, from, to } or { overview: true }

    const jump = (x) => {
      const half = (timeline.to - timeline.from) / 2;
      const at = (x - timeline.gutter) / timeline.plot * timeline.wall;
      timeline.setView(at - half, at + half);
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      hideTooltip();
      if (event.offsetY < filch.Timeline.OVERVIEW - 8) {
        drag = { overview: true };
        jump(event.offsetX);
      } else {
        drag = { x: event.offsetX, from: timeline.from, to: timeline.to };
      }
      canvas.classList.add('dragging');
    });
    canvas.addEventListener('pointermove', (event) => {
      if (drag && drag.overview) return jump(event.offsetX);
      if (drag) {
        const by = (drag.x - event.offsetX) / timeline.plot * (drag.to - drag.from);
        return timeline.setView(drag.from + by, drag.to + by);
      }
      const link = linkAt(timeline, event.offsetX, event.offsetY);
      const place = link ? null : timeline.find(event.offsetX, event.offsetY);
      timeline.hovered = place && place.track ? place : null;
      timeline.invalidate();
      if (link || place) showTooltip(timeline, link || describe(timeline, place), event.offsetX, event.offsetY);
      else hideTooltip();
    });
    const release = () => { drag = null; canvas.classList.remove('dragging'); };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('pointerleave', () => {
      timeline.hovered = null;
      timeline.invalidate();
      hideTooltip();
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      hideTooltip();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        timeline.pan((event.deltaX || event.deltaY) / 1000);
      } else {
        const lines = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
        timeline.zoom(Math.exp(-Math.max(-300, Math.min(300, lines)) / 300), timeline.timeAt(event.offsetX));
      }
    }, { passive: false });
  };

  // Selects an interval, brings it into view, and describes it.
  const select = (timeline, place) => {
    timeline.selected = place;
    hideTooltip();
    if (place && place.track) {
      const from = place.track.begin[place.index];
      const to = place.track.end[place.index];
      const span = timeline.to - timeline.from;
      if (to < timeline.from || from > timeline.to) timeline.setView(from - span / 3, from - span / 3 + span);
      const [y] = timeline.placeOf(place.row, place.track);
      const x = Math.max(timeline.xOf(from), timeline.gutter);
      const lines = describe(timeline, place);
      showTooltip(timeline, lines, x, y + place.row.job);
      get('said').textContent = lines.join(', ');
    } else if (place) {
      get('said').textContent = place.row.name;
    }
    timeline.invalidate();
  };

  const moveRow = (timeline, by) => {
    if (!timeline.rows.length) return;
    const now = timeline.selected ? timeline.rows.indexOf(timeline.selected.row) : by > 0 ? -1 : timeline.rows.length;
    const next = Math.max(0, Math.min(timeline.rows.length - 1, now + by));
    select(timeline, { row: timeline.rows[next], track: null, index: -1 });
  };

  // The next interval of the selected thread, of any kind, by its begin.
  const moveEvent = (timeline, by) => {
    if (!timeline.rows.length) return;
    const row = timeline.selected ? timeline.selected.row : timeline.rows[0];
    const chosen = timeline.selected && timeline.selected.track ? timeline.selected : null;
    const order = (track) => row.tracks.indexOf(track);
    let best = null;
    for (const track of row.tracks) {
      if (track.kind === 'guest') continue;
      let index;
      if (!chosen) index = filch.firstAbove(track.end, timeline.from);
      else {
        const at = chosen.track.begin[chosen.index];
        const later = order(track) > order(chosen.track);
        // Intervals that begin at the same time come in the order of the tracks.
        if (by > 0) index = track === chosen.track ? chosen.index + 1 : filch.firstAbove(track.begin, later ? at - 0.5 : at);
        else index = track === chosen.track ? chosen.index - 1 : filch.firstAbove(track.begin, later ? at - 0.5 : at) - 1;
      }
      if (index < 0 || index >= track.begin.length) continue;
      const nearer = best && (by > 0 ? track.begin[index] < best.track.begin[best.index] : track.begin[index] >= best.track.begin[best.index]);
      if (!best || nearer) best = { row, track, index };
    }
    if (best) select(timeline, best);
  };

  const zoomToSelected = (timeline) => {
    const { track, index } = timeline.selected || {};
    if (!track) return;
    const span = Math.max(track.end[index] - track.begin[index], 1);
    timeline.setView(track.begin[index] - span / 4, track.end[index] + span / 4);
    select(timeline, timeline.selected);
  };

  const toggle = (timeline, what) => {
    const box = get(`show-${what}`);
    timeline.shows[what] = !timeline.shows[what];
    box.checked = timeline.shows[what];
    timeline.invalidate();
  };

  const ANYWHERE = {
    '+': (t) => t.zoom(1.5), '=': (t) => t.zoom(1.5), '-': (t) => t.zoom(1 / 1.5), 0: (t) => t.fit(),
    s: (t) => toggle(t, 'steals'), w: (t) => toggle(t, 'wakes'),
  };
  const FOCUSED = {
    ArrowLeft: (t, event) => t.pan(event.shiftKey ? -0.5 : -0.1),
    ArrowRight: (t, event) => t.pan(event.shiftKey ? 0.5 : 0.1),
    Home: (t) => t.setView(0, t.to - t.from),
    End: (t) => t.setView(t.wall - (t.to - t.from), t.wall),
    ArrowUp: (t) => moveRow(t, -1),
    ArrowDown: (t) => moveRow(t, 1),
    n: (t) => moveEvent(t, 1),
    p: (t) => moveEvent(t, -1),
    Enter: zoomToSelected,
    Escape: (t) => select(t, null),
  };

  filch.connect = (timeline) => {
    pointers(timeline);
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || get('help').open) return;
      const focused = document.activeElement === timeline.canvas;
      const action = (focused && FOCUSED[event.key]) || ANYWHERE[event.key];
      if (!action) return;
      event.preventDefault();
      action(timeline, event);
    });
    for (const [id, action] of Object.entries({ 'zoom-in': () => timeline.zoom(1.5),
      'zoom-out': () => timeline.zoom(1 / 1.5), 'zoom-fit': () => timeline.fit(),
      'pan-left': () => timeline.pan(-0.25), 'pan-right': () => timeline.pan(0.25) })) {
      get(id).addEventListener('click', action);
    }
    for (const what of ['steals', 'wakes']) {
      get(`show-${what}`).addEventListener('change', () => toggle(timeline, what));
      get(`show-${what}`).disabled = timeline.links[what].time.length === 0;
    }
    timeline.onview = () => {
      const step = (timeline.to - timeline.from) / 200;
      get('range').textContent = `${filch.moment(timeline.from, step)} \u2013 ${filch.moment(timeline.to, step)} `
        + `(${filch.time(timeline.to - timeline.from)})`;
    };
    timeline.onview();
    let said = '';
    timeline.ondraw = () => {
      const words = Object.entries(timeline.shown).filter(([, [drawn, all]]) => drawn < all)
        .map(([what, [drawn, all]]) => `${filch.count(drawn)} of ${filch.count(all)} ${what} drawn`).join(', ');
      if (words !== said) get('links').textContent = said = words;
    };
  };
})();
