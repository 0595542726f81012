'use strict';
// The timeline of all threads. Each track is first computed as one line of pixels, in which the
// opacity of a pixel says how much of its time is covered. The line is then stretched to its
// height. So the cost of a frame depends on the number of pixels and threads, hardly on the number
// of events.
(() => {
  const AXIS = 26;
  const OVERVIEW = 40;
  const MOST_ROWS = 256;
  const MOST_LINKS = 1500;
  const SPAN_HUES = 6;
  const FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

  // A step of 1, 2 or 5 times a power of ten, so that `span` has at most `count` steps.
  const niceStep = (span, count) => {
    const power = 10 ** Math.floor(Math.log10(span / count));
    return [1, 2, 5, 10].map((m) => m * power).find((step) => step * count >= span * 0.999);
  };
  filch.niceStep = niceStep;

  class Timeline {
    constructor(canvas, trace, events) {
      this.canvas = canvas;
      this.context = canvas.getContext('2d');
      this.trace = trace;
      this.wall = Math.max(trace.summary.wall_ns, 1);
      this.from = 0;
      this.to = this.wall;
      this.shows = { steals: false, wakes: false };
      this.links = { steals: filch.links(events.instants, filch.KIND.steal),
        wakes: filch.links(events.instants, filch.KIND.wake) };
      this.rows = this.chooseRows(events);
      this.rowOf = new Map(this.rows.map((row, i) => [row.thread, i]));
      this.selected = null;  // { row, track, index }
      this.hovered = null;
      this.strip = document.createElement('canvas');
      this.pending = false;
      this.onview = () => {};
      this.ondraw = () => {};
      this.setColours();
      this.resize();
    }

    // The threads in the order of the file. Of very many, the busiest.
    chooseRows(events) {
      const threads = this.trace.threads.map((_, i) => i);
      const busiest = threads.slice().sort((a, b) =>
        this.trace.threads[b].busy_ns - this.trace.threads[a].busy_ns || a - b);
      const chosen = new Set(busiest.slice(0, MOST_ROWS));
      return threads.filter((i) => chosen.has(i)).map((thread) => {
        const tracks = filch.tracksOf(events.threads[thread], this.wall);
        const lanes = tracks.filter((t) => t.kind === 'span').length;
        return { thread, name: this.trace.threads[thread].name, tracks, lanes };
      });
    }

    setColours() {
      this.colours = filch.colours();
      const c = this.colours;
      this.jobColours = [c.accent, c['accent-2'], c['accent-3'], c['accent-4']];
      this.spanColours = Array.from({ length: SPAN_HUES }, (_, i) => c[`span-${i}`]);
    }
    colourOf(track, code) {
      if (track.kind === 'job') return this.jobColours[track.depth];
      if (track.kind === 'guest') return this.colours.row;  // idle, where nothing else is drawn
      return track.kind === 'span' ? this.spanColours[(code - filch.FIRST_SPAN) % SPAN_HUES] : this.colours[track.kind];
    }
    nameOf(code) {
      if (code >= filch.FIRST_SPAN) return this.trace.names[code - filch.FIRST_SPAN];
      return filch.KINDS[code] === 'part' ? 'busy as a guest' : filch.KINDS[code];
    }

    // Computes the layout, in CSS pixels.
    resize(width = this.canvas.parentNode.clientWidth) {
      this.width = Math.max(width, 200);
      this.gutter = this.width < 600 ? 72 : 132;
      const dense = this.rows.length > 40;
      const job = dense ? 9 : 22;
      const lane = dense ? 5 : 14;
      const gap = dense ? 3 : 9;
      let y = OVERVIEW + AXIS + gap;
      for (const row of this.rows) {
        row.top = y;
        row.job = job;
        row.lane = lane;
        row.height = job + row.lanes * (lane + 1);
        y += row.height + gap;
      }
      this.height = Math.max(y, OVERVIEW + AXIS + 30);
      this.ratio = Math.min(window.devicePixelRatio || 1, 3, 16000 / this.height);
      this.canvas.width = Math.round(this.width * this.ratio);
      this.canvas.height = Math.round(this.height * this.ratio);
      this.canvas.style.height = `${this.height}px`;
      this.plot = this.width - this.gutter;
      this.columns = Math.max(1, Math.round(this.plot * this.ratio));
      this.cover = new Float32Array(this.columns);
      this.code = new Uint32Array(this.columns);
      this.strip.width = this.columns;
      this.strip.height = Math.max(1, this.rows.reduce((sum, row) => sum + row.tracks.length, 0));
      this.pixels = this.strip.getContext('2d').createImageData(this.columns, this.strip.height);
      this.overviewImage = null;
      this.invalidate();
    }

    xOf(time) { return this.gutter + (time - this.from) / (this.to - this.from) * this.plot; }
    timeAt(x) { return this.from + (x - this.gutter) / this.plot * (this.to - this.from); }

    // The place of a track within its row: [y, height].
    placeOf(row, track) {
      if (track.kind === 'span') return [row.top + row.job + 1 + track.depth * (row.lane + 1), row.lane];
      if (track.kind === 'sleep') return [row.top + row.job * 0.36, row.job * 0.28];
      const inset = track.depth * row.job * 0.22;
      return [row.top + inset, row.job - inset];
    }

    setView(from, to) {
      const least = Math.min(this.wall, 20);
      const span = Math.min(Math.max(to - from, least), this.wall);
      this.from = Math.min(Math.max((from + to - span) / 2, 0), this.wall - span);
      if (span === to - from) this.from = Math.min(Math.max(from, 0), this.wall - span);
      this.to = this.from + span;
      this.onview();
      this.invalidate();
    }
    zoom(factor, at = (this.from + this.to) / 2) {
      this.setView(at - (at - this.from) / factor, at + (this.to - at) / factor);
    }
    pan(share) {
      const by = share * (this.to - this.from);
      this.setView(this.from + by, this.to + by);
    }
    fit() { this.setView(0, this.wall); }

    invalidate() {
      if (this.pending) return;
      this.pending = true;
      requestAnimationFrame(() => { if (this.pending) this.draw(); });
    }

    draw() {
      this.pending = false;
      const started = performance.now();
      const c = this.context;
      c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      c.fillStyle = filch.css(this.colours.bg);
      c.fillRect(0, 0, this.width, this.height);
      this.drawOverview(c);
      this.drawRows(c);
      this.drawLosses(c);
      this.drawAxis(c);
      this.drawTracks(c);
      this.drawLabels(c);
      this.shown = {};  // { steals: [drawn, in view], wakes: ... }
      if (this.shows.wakes) this.drawLinks(c, 'wakes', this.colours.wake);
      if (this.shows.steals) this.drawLinks(c, 'steals', this.colours.steal);
      this.drawSelection(c);
      this.ondraw();
      this.lastFrameMs = performance.now() - started;
    }

    // Draws how many threads were busy over the whole time, and marks the part that is shown below.
    drawOverview(c) {
      const { active } = this.trace;
      const top = Math.max(1, ...active);
      const height = OVERVIEW - 8;
      c.fillStyle = filch.css(this.colours.row);
      c.fillRect(this.gutter, 0, this.plot, height);
      c.beginPath();
      c.moveTo(this.gutter, height);
      active.forEach((value, i) => {
        const y = height - value / top * (height - 4);
        c.lineTo(this.gutter + i / active.length * this.plot, y);
        c.lineTo(this.gutter + (i + 1) / active.length * this.plot, y);
      });
      c.lineTo(this.gutter + this.plot, height);
      c.fillStyle = filch.css(this.colours.accent, 0.45);
      c.fill();
      const known = Math.max(0, ...this.rows.map((row) => (this.lossOf(row) || [0, 0])[1]));
      this.hatch(c, this.gutter, 0, known / this.wall * this.plot, height);
      const left = this.gutter + this.from / this.wall * this.plot;
      const right = this.gutter + this.to / this.wall * this.plot;
      c.fillStyle = filch.css(this.colours.bg, 0.65);
      c.fillRect(this.gutter, 0, left - this.gutter, height);
      c.fillRect(right, 0, this.gutter + this.plot - right, height);
      if (this.to - this.from < this.wall) {
        c.strokeStyle = filch.css(this.colours.text, 0.7);
        c.lineWidth = 1;
        c.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 1), height - 1);
      }
      c.font = `11px ${FONT}`;
      c.textBaseline = 'middle';
      c.fillStyle = filch.css(this.colours.muted);
      c.fillText(this.width < 600 ? 'all' : 'whole trace', 0, height / 2);
    }

    // When a row's thread was there: workers and spares as long as their pool. For others null:
    // their visits are a track.
    presenceOf(row) {
      const thread = this.trace.threads[row.thread];
      if (thread.kind !== 'worker' && thread.kind !== 'spare') return null;
      const pool = this.trace.pools.find((p) => p.id === thread.pool);
      return pool && pool.end_ns !== null ? [pool.begin_ns || 0, pool.end_ns] : [0, this.wall];
    }
    // When the thread was there but its events are lost, unless something is drawn; or null.
    lossOf(row) {
      const { lost_events: lost, recorded_from_ns: to } = this.trace.threads[row.thread];
      const [from, end] = this.presenceOf(row) || [0, this.wall];
      return lost > 0 && to > from ? [from, Math.min(to, end)] : null;
    }
    // What a row's thread did where nothing is drawn.
    wordFor(row, moment) {
      const within = (range) => range && range[0] <= moment && moment < range[1];
      const visits = row.tracks.find((track) => track.kind === 'guest');
      const { kind } = this.trace.threads[row.thread];
      if (within(this.lossOf(row))) return 'not recorded';
      if (within(this.presenceOf(row))) return 'idle';
      if (kind === 'worker' || kind === 'spare') return 'thread did not run';
      if (kind === 'guest' && !visits) return 'no job';  // old trace: no visits
      return visits && filch.intervalAt(visits, moment, 0) >= 0 ? 'idle' : 'takes part in no pool';
    }

    drawRows(c) {
      c.font = `${this.rows[0] && this.rows[0].job < 12 ? 9 : 12}px ${FONT}`;
      c.textBaseline = 'middle';
      const chosen = this.selected && this.selected.row;
      for (const row of this.rows) {
        const [left, right] = this.inView(this.presenceOf(row));
        c.fillStyle = filch.css(this.colours.row);
        if (right > left) c.fillRect(left, row.top, right - left, row.job);
        c.fillStyle = filch.css(row === chosen ? this.colours.accent : this.colours.text);
        c.fillText(this.clipped(c, row.name, this.gutter - 12), 0, row.top + row.job / 2);
      }
    }

    // The visible part of a time range (or of none): [left, right].
    inView(range) {
      if (!range) return [0, 0];
      return [Math.max(this.gutter, this.xOf(range[0])), Math.min(this.gutter + this.plot, this.xOf(range[1]))];
    }

    drawLosses(c) {
      for (const row of this.rows) {
        const [left, right] = this.inView(this.lossOf(row));
        this.hatch(c, left, row.top, right - left, row.job);
      }
    }
    hatch(c, x, y, width, height) {
      if (width <= 0) return;
      c.save();
      c.beginPath();
      c.rect(x, y, width, height);
      c.clip();
      c.fillStyle = filch.css(this.colours.bg);
      c.fillRect(x, y, width, height);
      c.strokeStyle = filch.css(this.colours.sleep);
      c.lineWidth = 1;
      c.beginPath();
      for (let at = x - height; at < x + width; at += 6) {
        c.moveTo(at, y + height);
        c.lineTo(at + height, y);
      }
      c.stroke();
      c.restore();
    }

    clipped(c, text, room) {
      if (c.measureText(text).width <= room) return text;
      let low = 0;
      let high = text.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (c.measureText(text.slice(0, middle) + '\u2026').width <= room) low = middle;
        else high = middle - 1;
      }
      return low > 0 ? text.slice(0, low) + '\u2026' : '';
    }

    drawAxis(c) {
      const step = niceStep(this.to - this.from, Math.max(2, Math.floor(this.plot / 110)));
      c.font = `11px ${FONT}`;
      c.textBaseline = 'middle';
      for (let time = Math.ceil(this.from / step) * step; time <= this.to; time += step) {
        const x = Math.round(this.xOf(time)) + 0.5;
        c.fillStyle = filch.css(this.colours.line);
        c.fillRect(x - 0.5, OVERVIEW + AXIS - 6, 1, this.height - OVERVIEW - AXIS + 6);
        c.fillStyle = filch.css(this.colours.muted);
        const label = filch.moment(time, step);
        c.fillText(label, Math.min(x + 4, this.width - c.measureText(label).width), OVERVIEW + AXIS / 2 - 2);
      }
    }

    drawTracks(c) {
      const data = new Uint32Array(this.pixels.data.buffer);
      let line = 0;
      for (const row of this.rows) {
        for (const track of row.tracks) {
          filch.coverage(track, this.from, this.to, this.columns, this.cover, this.code);
          const at = line++ * this.columns;
          let known = -1;
          let rgb = 0;
          for (let x = 0; x < this.columns; x++) {
            const share = this.cover[x];
            if (share <= 0) { data[at + x] = 0; continue; }
            if (this.code[x] !== known) {
              known = this.code[x];
              const [r, g, b] = this.colourOf(track, known);
              rgb = b << 16 | g << 8 | r;  // as bytes: red, green, blue, opacity
            }
            // An interval of a thousandth of a pixel must still be visible.
            data[at + x] = (Math.min(255, 40 + 215 * share) << 24 | rgb) >>> 0;
          }
        }
      }
      if (!line) return;
      this.strip.getContext('2d').putImageData(this.pixels, 0, 0);
      c.imageSmoothingEnabled = false;
      line = 0;
      for (const row of this.rows) {
        for (const track of row.tracks) {
          const [y, height] = this.placeOf(row, track);
          c.drawImage(this.strip, 0, line++, this.columns, 1, this.gutter, y, this.plot, height);
        }
      }
    }

    // Names, where there is room for them. That is at most one per 24 pixels.
    drawLabels(c) {
      c.textBaseline = 'middle';
      c.font = `10.5px ${FONT}`;
      for (const row of this.rows) {
        if (row.job < 12) continue;
        for (const track of row.tracks) {
          if (track.kind !== 'job' && track.kind !== 'span') continue;
          const [y, height] = this.placeOf(row, track);
          if (height < 11) continue;
          const least = 28 / this.plot * (this.to - this.from);
          this.eachLong(track, least, (i) => {
            const left = Math.max(this.xOf(track.begin[i]), this.gutter) + 4;
            const right = Math.min(this.xOf(track.end[i]), this.width) - 4;
            if (right - left < 20) return;
            const inner = track.kind === 'job' && this.hasInner(row, track, i);
            if (inner) return;
            const job = track.kind === 'job';
            const name = job ? filch.time(track.end[i] - track.begin[i]) : this.clipped(c, this.nameOf(track.code[i]), right - left);
            if (job && c.measureText(name).width > right - left) return;  // do not cut numbers
            c.fillStyle = filch.css(job ? this.colours['on-accent'] : this.colours.bg);
            c.fillText(name, left, y + height / 2 + 0.5);
          });
        }
      }
    }
    hasInner(row, track, i) {
      const inner = row.tracks.find((t) => t.kind === 'job' && t.depth === track.depth + 1);
      if (!inner) return false;
      const at = filch.firstAbove(inner.end, track.begin[i]);
      return at < inner.begin.length && inner.begin[at] < track.end[i];
    }
    // Calls f for the intervals in view that take at least `least`. It gives up after some thousand
    // intervals: if most are too short, there is no room for names anyway.
    eachLong(track, least, f) {
      let looks = 0;
      for (let i = filch.firstAbove(track.end, this.from); i < track.begin.length; i++) {
        if (track.begin[i] >= this.to || ++looks > 4000) return;
        if (track.end[i] - track.begin[i] >= least) f(i);
      }
    }

    // Draws a line from the acting thread to the other thread, with a dot there.
    drawLinks(c, what, colour) {
      const links = this.links[what];
      const first = filch.firstAbove(links.time, this.from - 1e-9);
      const last = filch.firstAbove(links.time, this.to);
      const step = Math.ceil((last - first) / MOST_LINKS) || 1;
      const middle = (row) => row.top + row.job / 2;
      const few = (last - first) / step < 300;
      c.strokeStyle = filch.css(colour, few ? 0.95 : 0.3);
      c.fillStyle = filch.css(colour);
      c.lineWidth = few ? 1.5 : 1;
      c.beginPath();
      const dots = new Path2D();
      let drawn = 0;
      for (let i = first; i < last; i += step) {
        const own = this.rows[this.rowOf.get(links.thread[i])];
        const other = this.rows[this.rowOf.get(links.other[i])];
        if (!own) continue;
        const x = this.xOf(links.time[i]);
        const to = other ? middle(other) : own.top - 4;
        c.moveTo(x, middle(own));
        c.lineTo(x, to);
        if (other && few) { dots.moveTo(x, to); dots.arc(x, to, 3, 0, 7); }
        drawn++;
      }
      c.stroke();
      if (few) c.fill(dots);
      this.shown[what] = [drawn, last - first];
    }

    drawSelection(c) {
      for (const [one, alpha] of [[this.hovered, 0.55], [this.selected, 1]]) {
        if (!one || !one.track) continue;
        const [y, height] = this.placeOf(one.row, one.track);
        const left = Math.max(this.xOf(one.track.begin[one.index]), this.gutter - 2);
        const right = Math.min(this.xOf(one.track.end[one.index]), this.width + 2);
        if (right < this.gutter || left > this.width) continue;
        c.strokeStyle = filch.css(this.colours.text, alpha);
        c.lineWidth = 1.5;
        c.strokeRect(left - 1, y - 1, Math.max(right - left, 1) + 2, height + 2);
      }
    }

    // Finds what is at a point of the canvas: { row, track, index }, without a track if there is
    // nothing.
    find(x, y) {
      const row = this.rows.find((r) => y >= r.top - 4 && y < r.top + r.height + 4);
      if (!row || x < this.gutter) return null;
      const moment = this.timeAt(x);
      const reach = 2 / this.plot * (this.to - this.from);
      for (const track of row.tracks.slice().reverse()) {
        const [top, height] = this.placeOf(row, track);
        if (track.kind === 'guest') continue;  // the other tracks say what it did during its visit
        const within = track.kind === 'sleep' ? y < row.top + row.job : y >= top && y < top + height;
        const index = within ? filch.intervalAt(track, moment, reach) : -1;
        if (index >= 0) return { row, track, index };
      }
      return { row, track: null, index: -1, moment };
    }
  }
  filch.Timeline = Timeline;
  Timeline.OVERVIEW = OVERVIEW;
})();
