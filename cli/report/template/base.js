'use strict';
// Shared by all other scripts: formatting of figures, making of elements, colours.
const filch = {};

(() => {
  const TIME_UNITS = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

  // Three significant digits: 1.23, 12.3, 123.
  const digits = (value) => {
    const size = Math.abs(value);
    return value.toFixed(size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : 2);
  };

  // Separates thousands before the point.
  const grouped = (text) => {
    const [whole, rest] = text.split('.');
    return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') + (rest ? `.${rest}` : '');
  };

  // [number, unit] of a time in nanoseconds, in the unit of `like` if that is given.
  filch.timeParts = (ns, like = ns) => {
    const [unit, scale] = TIME_UNITS.find(([, s]) => Math.abs(like) >= s) || TIME_UNITS[3];
    return [unit === 'ns' ? String(Math.round(ns)) : digits(ns / scale), unit];
  };
  filch.time = (ns) => filch.timeParts(ns).join('\u202f');

  // A point in time, exact enough to tell it from one `step` later.
  filch.moment = (ns, step) => {
    const [unit, scale] = TIME_UNITS.find(([, s]) => step * 2 >= s) || TIME_UNITS[3];
    const places = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
    return grouped((ns / scale).toFixed(Math.min(places, 9))) + '\u202f' + unit;
  };

  filch.count = (n) => grouped(Math.round(n).toFixed(0));
  // A short form for axes: 12k, 3.4M.
  filch.shortCount = (n) => {
    for (const [unit, scale] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) {
      if (Math.abs(n) >= scale) return String(+(n / scale).toPrecision(3)) + unit;
    }
    return String(+n.toPrecision(3));
  };
  filch.percent = (share) => (100 * share).toFixed(1) + '\u202f%';
  filch.plural = (n, word) => filch.count(n) + ' ' + word + (n === 1 ? '' : 's');

  // An element. Children are elements or texts. A text is never parsed as markup.
  const make = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) node.setAttribute(name, '');
      else if (value !== false && value != null) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child != null));
    return node;
  };
  filch.el = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);
  filch.svg = (tag, attributes, ...children) =>
    make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  filch.get = (id) => document.getElementById(id);

  // The colours of the style sheet as [red, green, blue], in the current theme.
  const NAMES = ['bg', 'panel', 'row', 'line', 'text', 'muted', 'accent', 'accent-2', 'accent-3', 'accent-4',
    'on-accent', 'part', 'sleep', 'steal', 'wake', 'span-0', 'span-1', 'span-2', 'span-3', 'span-4', 'span-5'];
  filch.colours = () => {
    const probe = document.body.appendChild(filch.el('i', { hidden: true }));
    const found = {};
    for (const name of NAMES) {
      probe.style.color = `var(--${name})`;
      found[name] = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
    }
    probe.remove();
    return found;
  };
  filch.css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;
})();
