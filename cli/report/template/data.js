'use strict';
// Decodes the events that event_code.cpp has encoded.
(() => {
  const bytesOf = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  };

  // Reads numbers of 7 bits per byte, the lowest first. Times need 53 bits, so no shifts beyond 28.
  const reader = (bytes) => {
    let at = 0;
    return () => {
      let byte = bytes[at++];
      let value = byte & 0x7f;
      for (let scale = 128; byte & 0x80; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 0x7f) * scale;
      }
      return value;
    };
  };

  // What a thread did for a while. `code` is an index of KINDS; for a span it is FIRST_SPAN + its
  // name.
  filch.KINDS = ['job', 'sleep', 'part', 'guest', 'span'];
  filch.FIRST_SPAN = 4;

  const intervals = (next) => {
    const n = next();
    const row = { begin: new Float64Array(n), end: new Float64Array(n), code: new Uint32Array(n) };
    for (let i = 0, time = 0; i < n; i++) {
      time += next();
      row.begin[i] = time;
      row.end[i] = time + next();
      row.code[i] = next();
    }
    return row;
  };

  const instants = (next) => {
    const n = next();
    const all = { time: new Float64Array(n), kind: new Uint8Array(n), thread: new Uint32Array(n),
      other: new Int32Array(n), count: new Uint32Array(n) };
    for (let i = 0, time = 0; i < n; i++) {
      time += next();
      all.time[i] = time;
      all.kind[i] = next();
      all.thread[i] = next();
      all.other[i] = next() - 1;
      all.count[i] = next();
    }
    return all;
  };

  filch.KIND = { steal: 0, inject: 1, wake: 2 };

  filch.decode = (base64) => {
    const next = reader(bytesOf(base64));
    const threads = Array.from({ length: next() }, () => intervals(next));
    return { threads, instants: instants(next) };
  };

  // The instants of one kind that have another thread, as lists sorted by time.
  filch.links = (all, kind) => {
    const chosen = [];
    for (let i = 0; i < all.time.length; i++) if (all.kind[i] === kind) chosen.push(i);
    const pick = (list) => list.constructor.from(chosen, (i) => list[i]);
    return { time: pick(all.time), thread: pick(all.thread), other: pick(all.other), count: pick(all.count) };
  };
})();
