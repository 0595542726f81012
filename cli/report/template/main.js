'use strict';
// Builds the page, and handles what concerns all of it: theme, help, print, size.
(() => {
  const { el, get } = filch;
  const root = document.documentElement;

  const head = (trace) => {
    const title = trace.program ? `${trace.program} \u00b7 filch report` : 'filch report';
    document.title = title;
    get('title').textContent = trace.program || 'filch report';
    const when = trace.start_unix_ns ? new Date(Number(trace.start_unix_ns) / 1e6) : null;
    const known = when && !Number.isNaN(when.getTime());
    get('meta').textContent = ['filch report', `${filch.plural(trace.summary.workers, 'worker')}`,
      `${filch.plural(trace.pools.length, 'pool')}`, known ? when.toISOString().slice(0, 19).replace('T', ' ') + ' UTC' : null,
      trace.pid ? `process ${trace.pid}` : null].filter(Boolean).join(' \u00b7 ');
    get('foot').textContent = [trace.version ? `filch ${trace.version}` : 'filch', trace.file,
      `${filch.plural(trace.intervals, 'interval')} in the trace`].filter(Boolean).join(' \u00b7 ');
  };

  const notices = (trace, timeline) => {
    const all = [];
    if (trace.summary.lost_events > 0) {
      all.push(`The ring buffers were too small: the oldest ${filch.plural(trace.summary.lost_events, 'event')} are missing from the charts. The hatched parts of the timeline show where. Key figures and the table of threads count them.`);
    }
    if (trace.left_out > 0) all.push(`The timeline leaves out the shortest ${filch.plural(trace.left_out, 'interval')}; all figures count them.`);
    if (timeline.rows.length < trace.threads.length) all.push(`The timeline shows the ${timeline.rows.length} busiest of ${trace.threads.length} threads.`);
    if (trace.ignored_events > 0) all.push(`The page ignores ${filch.plural(trace.ignored_events, 'event')} of kinds that filch does not know.`);
    get('notices').append(...all.map((text) => el('p', { class: 'notice' }, text)));
  };

  const legend = (trace, timeline) => {
    const sign = (colour, text, kind) => el('span', { title: text }, el('i', { class: kind, style: `background:var(--${colour})` }), text);
    const spans = trace.names.slice(0, 12).map((name, i) => sign(`span-${i % 6}`, name));
    const has = (kind) => timeline.rows.some((row) => row.tracks.some((track) => track.kind === kind));
    get('legend').append(sign('accent', 'job'), sign('accent-2', 'job within a job'), sign('sleep', 'asleep', 'thin'), sign('row', 'idle'),
      sign('steal', 'steal, with a dot at the victim', 'stroke'), sign('wake', 'wake', 'stroke'), ...spans);
    if (has('part')) get('legend').append(sign('part', 'guest, busy outside of jobs'));
    if (trace.summary.lost_events > 0) get('legend').append(sign('sleep', 'not recorded', 'hatched'));
    if (trace.names.length > 12) get('legend').append(el('span', {}, `and ${trace.names.length - 12} more names`));
  };

  const charts = (trace) => {
    const wall = Math.max(trace.summary.wall_ns, 1);
    const of = (kind) => trace.series.filter((s) => s.kind === kind);
    const several = trace.pools.length > 1;
    const pools = new Map(trace.pools.map((pool) => [`pool ${pool.id}`, pool.name || `pool ${pool.id}`]));
    const named = (list, name) => list.map((s) => ({ ...s, name: several ? `${name}, ${pools.get(s.name) || s.name}` : name }));
    filch.timeChart(get('queue-chart'), named(of('queue'), 'jobs waiting'), wall, 'Queue length', true);
    let active = named(of('active'), 'threads active');
    if (!active.length && trace.active.some((value) => value > 0)) {
      get('active-lead').textContent = 'Threads that were busy, computed from the events because the trace has no samples.';
      active = [{ name: 'threads active', samples: trace.active.flatMap((value, i) => [i / trace.active.length * wall, value]) }];
    }
    filch.timeChart(get('active-chart'), active, wall, 'Active threads', true);
    const counters = of('counter').slice(0, 24);
    get('counters-section').hidden = counters.length === 0;
    for (const counter of counters) {
      const holder = el('div', { class: 'chart' });
      get('counters').append(el('div', {}, el('h3', {}, counter.name), holder));
      filch.timeChart(holder, [counter], wall, counter.name, false);
    }
    const d = trace.durations;
    get('histogram-lead').textContent = d.jobs > 0
      ? `${filch.plural(d.jobs, 'job')} in the events, from ${filch.time(d.shortest_ns)} to ${filch.time(d.longest_ns)}, ${filch.time(d.total_ns / d.jobs)} on average. The time of a job that ran within another job counts for both.`
      : '';
    filch.histogram(get('histogram'), d);
  };

  const isDark = () => root.dataset.theme === 'dark' || (!root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);

  const themes = (timeline) => {
    const repaint = () => { timeline.setColours(); timeline.draw(); };
    const toggle = () => { root.dataset.theme = isDark() ? 'light' : 'dark'; repaint(); };
    get('theme-button').addEventListener('click', toggle);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);

    // For print, the theme is light and the canvas is as wide as the printed page.
    let before = null;
    const toPaper = () => {
      if (before) return;
      before = { theme: root.dataset.theme };
      root.dataset.theme = 'light';
      timeline.resize(Math.min(timeline.width, 1000));
      repaint();
    };
    const toScreen = () => {
      if (!before) return;
      if (before.theme) root.dataset.theme = before.theme;
      else delete root.dataset.theme;
      before = null;
      timeline.resize();
      repaint();
    };
    window.addEventListener('beforeprint', toPaper);
    window.addEventListener('afterprint', toScreen);
    matchMedia('print').addEventListener('change', (event) => (event.matches ? toPaper() : toScreen()));
    new ResizeObserver(() => {
      const width = Math.max(get('stage').clientWidth, 200);
      if (!before && width !== timeline.width) { timeline.resize(); timeline.draw(); }
    }).observe(get('stage'));
    return toggle;
  };

  const help = (toggleTheme) => {
    const dialog = get('help');
    get('help-button').addEventListener('click', () => dialog.showModal());
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === '?') {
        if (dialog.open) dialog.close();
        else dialog.showModal();
      } else if (event.key === 't' && !dialog.open) toggleTheme();
    });
  };

  const started = performance.now();
  const trace = JSON.parse(get('trace-data').textContent);
  const events = filch.decode(get('trace-events').textContent);
  get('trace-events').textContent = '';
  const timeline = new filch.Timeline(get('timeline'), trace, events);
  head(trace);
  filch.kpis(trace);
  filch.comparison(trace);
  notices(trace, timeline);
  legend(trace, timeline);
  charts(trace);
  filch.threadsTable(trace);
  filch.matrix(trace);
  filch.connect(timeline);
  help(themes(timeline));
  timeline.draw();
  filch.timeline = timeline;
  filch.loadMs = performance.now() - started;
})();
