'use strict';
// Everything that is numbers: key figures, threads, the steal matrix, the comparison. An element
// with a figure has the unrounded value in data-value.
(() => {
  const { el, get } = filch;
  const MOST_IN_MATRIX = 48;

  const kpi = (key, label, value, shown, note, kind) => el('div', { class: kind, 'data-kpi': key, 'data-value': value },
    el('dt', {}, label),
    el('dd', { class: 'value' }, shown[0], shown[1] ? el('small', {}, shown[1]) : null),
    el('dd', { class: 'note' }, note));

  filch.kpis = (trace) => {
    const s = trace.summary;
    const tries = s.steal_hits + s.steals_lost + s.steals_empty;
    const cells = [
      kpi('wall', 'Wall time', s.wall_ns, filch.timeParts(s.wall_ns), 'from start to end of the trace'),
      kpi('utilisation', 'Utilisation', s.utilisation, [(100 * s.utilisation).toFixed(1), '%'],
        `of ${filch.plural(s.workers, 'worker')}` + (s.workers_at_once < s.workers ? ` (at most ${s.workers_at_once} at a time)` : '') +
          (s.guests_busy_ns > 0 ? `; guests were busy for another ${filch.time(s.guests_busy_ns)}` : ''), 'main'),
      kpi('parallelism', 'Parallelism', s.parallelism, [s.parallelism.toFixed(2)],
        'threads busy on average, on a CPU or waiting for one'),
      kpi('jobs', 'Jobs', s.jobs, [filch.count(s.jobs)],
        trace.durations.jobs > 0 ? `${filch.time(trace.durations.total_ns / trace.durations.jobs)} each on average`
          + (trace.durations.jobs < s.jobs ? ', of those in the events' : '') : s.jobs > 0 ? 'none in the events' : 'none'),
      kpi('steals', 'Stolen jobs', s.steals_taken, [filch.count(s.steals_taken)],
        tries > 0 ? `${filch.percent(s.steal_hits / tries)} of ${filch.shortCount(tries)} steals succeeded` : 'none'),
      kpi('sleeping', 'Asleep', s.sleep_ns, filch.timeParts(s.sleep_ns), s.sleeps === 0 && s.sleep_ns > 0 ? 'since before the trace' : `${filch.plural(s.sleeps, 'sleep')}, all threads`),
    ];
    if (s.lost_events > 0) {
      cells.push(kpi('lost_events', 'Lost events', s.lost_events, [filch.count(s.lost_events)], 'the oldest are missing', 'bad'));
    }
    get('kpis').append(...cells);
  };

  const COLUMNS = [
    ['jobs', 'Jobs', filch.count], ['steals_taken', 'Stolen', filch.count], ['steal_hits', 'in steals', filch.count],
    ['steals_lost', 'lost', filch.count],
    ['steals_empty', 'empty', filch.count], ['sleeps', 'Sleeps', filch.count], ['wakes', 'Wakes', filch.count],
    ['busy_ns', 'Busy', filch.time], ['sleep_ns', 'Asleep', filch.time], ['idle_ns', 'Idle', filch.time],
  ];

  const figures = (source) => COLUMNS.map(([key, , shown]) => el('td', { 'data-figure': key, 'data-value': source[key] }, shown(source[key])));

  filch.threadsTable = (trace) => {
    const poolOf = new Map(trace.pools.map((pool) => [pool.id, pool.name || `pool ${pool.id}`]));
    const several = trace.pools.length > 1;
    const s = trace.summary;
    const share = (part) => (s.wall_ns > 0 ? 100 * part / s.wall_ns : 0);
    const lost = trace.threads.some((t) => t.lost_events > 0);
    const row = (t) => el('tr', { 'data-tid': t.tid },
      el('th', { scope: 'row', class: 'text' }, el('span', { class: 'name', title: t.name }, t.name)),
      el('td', { class: 'text' }, t.kind + (several && poolOf.has(t.pool) ? ` of ${poolOf.get(t.pool)}` : '')),
      el('td', { 'data-figure': 'utilisation', 'data-value': t.utilisation }, filch.percent(t.utilisation)),
      el('td', {}, el('div', { class: 'shares', 'aria-hidden': 'true' },
        el('i', { class: 'busy', style: `width:${share(t.busy_ns)}%` }), el('i', { class: 'asleep', style: `width:${share(t.sleep_ns)}%` }))),
      figures(t),
      lost ? el('td', { 'data-figure': 'lost_events', 'data-value': t.lost_events }, filch.count(t.lost_events)) : null);
    const head = (text, kind) => el('th', { scope: 'col', class: kind }, text);
    // Each sum is that of the rows above. So busy, asleep and idle add up to the whole time of
    // these threads.
    const sum = (title, utilisation, of, missing) => el('tr', { 'data-sum': title },
      el('th', { scope: 'row', class: 'text' }, title), el('td', { class: 'text' }),
      el('td', {}, utilisation), el('td', {}), figures(of), lost ? el('td', {}, filch.count(missing)) : null);
    const lostBy = (list) => list.reduce((n, t) => n + t.lost_events, 0);
    const workers = trace.threads.filter((t) => t.kind === 'worker');
    const others = workers.length < trace.threads.length;
    const sums = [workers.length > 0 ? sum('Workers', filch.percent(s.utilisation), s.of_workers, lostBy(workers)) : null,
      others ? sum('All', '', s, s.lost_events) : null];
    get('workers').append(
      el('thead', {}, el('tr', {}, head('Thread', 'text'), head('Kind', 'text'), head('Utilisation'), el('td', {}),
        COLUMNS.map(([, title]) => head(title)), lost ? head('Lost events') : null)),
      el('tbody', {}, trace.threads.map(row)),
      trace.threads.length > 1 ? el('tfoot', {}, sums) : '');
  };

  // The threads that stole or were stolen from. Of very many, the most active.
  const inMatrix = (cells) => {
    const weight = new Map();
    for (const [thief, victim, , jobs] of cells) {
      weight.set(thief, (weight.get(thief) || 0) + jobs);
      if (victim >= 0) weight.set(victim, (weight.get(victim) || 0) + jobs);
    }
    return [...weight.keys()].sort((a, b) => weight.get(b) - weight.get(a)).slice(0, MOST_IN_MATRIX).sort((a, b) => a - b);
  };

  filch.matrix = (trace) => {
    const cells = trace.steals;
    if (!cells.length) {
      get('matrix').replaceWith(el('p', { class: 'empty', id: 'matrix' }, 'No thread stole a job.'));
      return;
    }
    const threads = inMatrix(cells);
    if (threads.length > 12) {  // as wide as the page, with small cells
      get('matrix').classList.add('dense');
      get('matrix').closest('section').classList.add('whole');
    }
    const by = new Map(cells.map((cell) => [`${cell[0]} ${cell[1]}`, cell]));
    const most = cells.reduce((a, cell) => Math.max(a, cell[3]), 1);  // too many for arguments
    const victims = cells.some((cell) => cell[1] < 0) ? [...threads, -1] : threads;
    const name = (i) => (i < 0 ? 'not traced' : trace.threads[i].name);
    const own = { class: 'own', 'aria-label': 'itself' };
    const cell = (thief, victim) => {
      const found = by.get(`${thief} ${victim}`);
      if (!found) return thief === victim ? el('td', own, '\u00b7') : el('td', { class: 'zero', 'data-value': 0 }, '0');
      const [, , steals, jobs] = found;
      const strength = Math.round(12 + 88 * jobs / most);
      const on = strength > 55 ? 'var(--on-accent)' : 'var(--text)';
      return el('td', { 'data-thief': thief, 'data-victim': victim, 'data-value': jobs,
        style: `background:color-mix(in srgb, var(--accent) ${strength}%, var(--row));color:${on}`,
        title: `${name(thief)} took ${filch.plural(jobs, 'job')} from ${name(victim)}, in ${filch.plural(steals, 'steal')}` }, filch.count(jobs));
    };
    const label = (i) => el('span', { class: 'name', style: 'max-width:110px', title: name(i) }, name(i));
    get('matrix').append(
      el('thead', {}, el('tr', {}, el('th', {}, 'thief \\ victim'), victims.map((v) => el('th', { scope: 'col' }, label(v))))),
      el('tbody', {}, threads.map((thief) => el('tr', {}, el('th', { scope: 'row' }, label(thief)), victims.map((victim) => cell(thief, victim))))));
    const counted = cells.reduce((sum, one) => sum + one[3], 0);
    if (counted < trace.summary.steals_taken) {
      get('matrix-lead').append(` The events have ${filch.count(counted)} of ${filch.count(trace.summary.steals_taken)} stolen jobs.`);
    }
    if (threads.length === MOST_IN_MATRIX) get('matrix-lead').append(` The table shows the ${MOST_IN_MATRIX} most active threads.`);
  };

  const number = (value, shown) => (value == null ? el('td', {}, '\u2013') : el('td', { 'data-value': value }, shown(value)));

  const loadTable = (load, rows) => {
    // For example, twice as fast in 110 ms, where 100 ms are ideal, makes the ideal 2.2 times as
    // fast.
    const ideals = rows.filter((r) => r.speedup && r.time_ms && r.ideal_ms).map((r) => r.speedup * r.time_ms / r.ideal_ms);
    const ideal = ideals.length ? Math.max(...ideals) : null;  // that of one worker is 1
    const scale = 1.04 * Math.max(ideal || 0, ...rows.map((r) => r.speedup || 0), 1e-9);
    const own = (r) => r.variant.startsWith('filch');
    const bar = (r) => el('td', { class: 'bar' }, r.speedup == null ? null
      : el('div', { class: own(r) ? 'bar-track own' : 'bar-track', 'aria-hidden': 'true' },
        el('i', { style: `width:${100 * Math.max(r.speedup, 0) / scale}%` }),
        ideal ? el('b', { style: `left:${100 * ideal / scale}%` }) : null),
    r.note ? el('span', { class: 'note' }, r.note) : null);
    const head = (text, kind) => el('th', { scope: 'col', class: kind }, text);
    const steals = rows.some((r) => r.steals != null);
    return el('div', { class: 'load' }, el('h3', {}, load || 'load'), el('div', { class: 'scroll' }, el('table', {},
      el('thead', {}, el('tr', {}, head('Variant', 'text'), head('Speed-up'), head(ideal ? `ideal ${ideal.toFixed(2)}\u00d7` : '', 'text'),
        head('Time'), head('Utilisation'), steals ? head('Steals') : null)),
      el('tbody', {}, rows.map((r) => el('tr', { class: own(r) ? 'own' : null, 'data-load': load, 'data-variant': r.variant },
        el('th', { scope: 'row', class: 'text' }, r.variant), number(r.speedup, (v) => `${v.toFixed(2)}\u00d7`), bar(r),
        number(r.time_ms, (v) => filch.time(v * 1e6)), number(r.utilisation, filch.percent),
        steals ? number(r.steals, filch.count) : null))))));
  };

  filch.comparison = (trace) => {
    if (!trace.comparison.length) return;
    const loads = new Map();
    for (const row of trace.comparison) loads.set(row.load, [...(loads.get(row.load) || []), row]);
    get('comparison').append(...[...loads].map(([load, rows]) => loadTable(load, rows)));
    get('comparison-section').hidden = false;
  };
})();
