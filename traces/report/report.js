/* The report's picture: all tasks on a canvas, to zoom, search, filter and ask. No library, nothing from outside. The page's data: columns of
 * variable-length numbers (traces/columns.c), and JSON beside them. Times are units of 100 ns from the first submission. */
"use strict";
(() => {
const $ = id => document.getElementById(id), summary = JSON.parse($("tilework-summary").textContent), more = JSON.parse($("tilework-beside").textContent);
const n = more.tasks, unit = 1e-4 /* ms */, workers = summary.workers, kernels = more.kernels, routines = more.routines, stages = more.stages;

/* ---- data -------------------------------------------------------------------------------------------------------------------- */

const bytes = (() => {
  const text = atob($("tilework-data").textContent.trim()), out = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) out[k] = text.charCodeAt(k);
  $("tilework-data").remove();
  return out;
})();
let at = 0;
const number = () => {
  let v = 0, scale = 1, b;
  do { b = bytes[at++]; v += (b & 127) * scale; scale *= 128; } while (b & 128);
  return v;
};
const signed = () => { const v = number(); return v % 2 ? -(v + 1) / 2 : v / 2; };
const column = (type, read) => { if (!number()) return new type(n).fill(signed()); const c = new type(n); for (let k = 0; k < n; k++) c[k] = read(k, k ? c[k - 1] : 0); return c; };
const start = column(Float64Array, (k, before) => before + signed());
const length = column(Float64Array, number);
const kernel = column(Uint32Array, number), worker = column(Uint32Array, number), routine = column(Uint32Array, number), stage = column(Uint32Array, number);
const wait = column(Float64Array, number); /* submission to start */
const phases = [0, 1, 2].map(() => column(Float64Array, signed)); /* start less ready, taken, loaded; -1: not known */
const lost = column(Float64Array, number);
const id = column(Float64Array, (k, before) => before + signed());
const priority = column(Float64Array, (k, before) => before + signed());
const coords = [0, 1, 2, 3].map(() => column(Int32Array, (k, before) => before + signed()));
const firstEdge = new Uint32Array(n + 1);
const valueCount = new Map(); /* so many predecessors, the first ones, wrote values that the submission waited for */
const edges = (() => {
  const list = [];
  for (let k = 0; k < n; k++) {
    firstEdge[k] = list.length;
    const count = number();
    if (count % 2) valueCount.set(k, number());
    for (let m = count >> 1; m > 0; m--) list.push(k - signed());
  }
  firstEdge[n] = list.length;
  return Uint32Array.from(list);
})();
const path = (() => { const list = []; for (let m = number(), last = 0; m > 0; m--) list.push(last += signed()); return list; })();
const onPath = new Uint8Array(n);
for (const k of path) onPath[k] = 1;
const end = k => start[k] + length[k];

/* Tasks of each worker, in time order. */
const first = new Uint32Array(workers.length + 1);
for (let k = 0; k < n; k++) first[worker[k] + 1]++;
for (let w = 0; w < workers.length; w++) first[w + 1] += first[w];
const order = new Uint32Array(n), place = new Uint32Array(n);
{
  const next = first.slice();
  for (let k = 0; k < n; k++) order[place[k] = next[worker[k]]++] = k;
}
let successors = null, firstSuccessor = null;
const findSuccessors = () => {
  if (successors) return;
  firstSuccessor = new Uint32Array(n + 1);
  for (let i = 0; i < edges.length; i++) firstSuccessor[edges[i] + 1]++;
  for (let k = 0; k < n; k++) firstSuccessor[k + 1] += firstSuccessor[k];
  successors = new Uint32Array(edges.length);
  const next = firstSuccessor.slice();
  for (let k = 0; k < n; k++) for (let i = firstEdge[k]; i < firstEdge[k + 1]; i++) successors[next[edges[i]]++] = k;
};
const values = k => Array.from(edges.subarray(firstEdge[k], firstEdge[k] + (valueCount.get(k) || 0)));
const before = k => Array.from(edges.subarray(firstEdge[k] + (valueCount.get(k) || 0), firstEdge[k + 1]));
const after = k => (findSuccessors(), Array.from(successors.subarray(firstSuccessor[k], firstSuccessor[k + 1])));
const duration = Math.max(1, summary.seconds * 1e7);

/* ---- words ------------------------------------------------------------------------------------------------------------------- */

const time = units => {
  const s = units * 1e-7, a = Math.abs(s);
  return a >= 1 ? s.toFixed(3) + " s" : a >= 1e-3 ? (s * 1e3).toFixed(3) + " ms" : (s * 1e6).toFixed(1) + " µs";
};
const short = units => time(units).replace(/\.?0+ /, " ");
const tile = k => { const c = []; for (let i = 0; i < 4 && coords[i][k] >= 0; i++) c.push(coords[i][k]); return c.length ? "(" + c.join(",") + ")" : ""; };
const name = k => kernels[kernel[k]].name + tile(k);
const make = (tag, text, parent) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (parent) parent.append(e); return e; };

/* ---- the view ---------------------------------------------------------------------------------------------------------------- */

const canvas = $("view"), picture = canvas.getContext("2d"), box = $("box"), status = $("status"), LEFT = 132, AXIS = 22, STRIP = 44, LANE = 14;
const threads = [...new Set(more.stays.map(s => s[3]))].sort((a, b) => a - b), links = [...new Set(more.transfers.map(t => t[2] + ">" + t[3]))].sort();
const lanes = []; /* below the workers: marks, threads, links */
if (more.marks.length) lanes.push({text: "marks", items: more.marks.map(m => [m[0], m[1], m[3], "mark"])});
for (const t of threads) lanes.push({text: more.threads[t] || "thread " + t, items: more.stays.filter(s => s[3] === t).map(s => [s[0], s[1], ["submitting", "window full", "waiting", "in LAPACK or BLAS", "in FFTW"][s[2]], "stay" + s[2]])});
for (const l of links) lanes.push({text: l.split(">").map(m => more.memories[+m + 1] || (m === "-1" ? "main" : "GPU " + m)).join(" → "),
  items: more.transfers.filter(t => t[2] + ">" + t[3] === l).map(t => [t[0], t[1], (t[4] / 1e6).toFixed(3) + " MB" + (t[5] ? ", inferred" : ""), "link"])});
for (const m of [...new Set(more.used.map(u => u[1]))].sort((a, b) => a - b)) { /* a step for each point; higher: more */
  const points = more.used.filter(u => u[1] === m), top = points.reduce((a, u) => Math.max(a, u[2]), 0);
  lanes.push({text: "used: " + (more.memories[m + 1] || (m < 0 ? "main" : "GPU " + m)), items: points.map((u, k) =>
    [u[0], k + 1 < points.length ? points[k + 1][0] : Math.max(duration, u[0]), u[2] + " MB", "link", top ? u[2] / top : 0])});
}
let t0 = 0, t1 = duration, row0 = 0, rowHeight = 18, selected = -1, showPath = false, found = [], foundAt = -1, shown = null /* a filter: 1 for each task that is shown */,
  wide = 0, high = 0, drawn = 0;
const plotHeight = () => high - AXIS - STRIP - lanes.length * LANE - 8;
const rowsInView = () => Math.max(1, Math.floor(plotHeight() / rowHeight));
const x = t => LEFT + (t - t0) / (t1 - t0) * (wide - LEFT), inverse = px => t0 + (px - LEFT) / (wide - LEFT) * (t1 - t0);
const color = (() => { const style = getComputedStyle(document.documentElement); return what => style.getPropertyValue("--" + what).trim(); })();
const rgb = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16));
const tint = kernels.map(k => rgb(k.color));

/* The first task of a worker, as a place in `order`, that ends after t. */
const seek = (w, t) => {
  let low = first[w], high = first[w + 1];
  while (low < high) { const mid = (low + high) >> 1; if (end(order[mid]) <= t) low = mid + 1; else high = mid; }
  return low;
};

/* One row of pixels: what share of each pixel's time which colour has. */
const paintRow = (w, wideDots, line, paper, faded) => {
  const scale = wideDots / (t1 - t0), red = line.red, green = line.green, blue = line.blue, used = line.used;
  red.fill(0), green.fill(0), blue.fill(0), used.fill(0);
  let tasks = 0;
  for (let p = seek(w, t0); p < first[w + 1]; p++) {
    const k = order[p];
    if (start[k] >= t1) break;
    if (shown && !shown[k] && !faded) continue;
    tasks++;
    let from = Math.max(0, (start[k] - t0) * scale), to = Math.min(wideDots, (end(k) - t0) * scale);
    const c = tint[kernel[k]], dim = (shown && !shown[k]) || (showPath && !onPath[k]) ? 0.18 : 1;
    if (to - from > 4) to -= 1; /* neighbours are told apart */
    const d0 = from | 0;
    if (to <= d0 + 1) { /* within one pixel, as most are where there are many */
      const share = (to - from) * dim;
      red[d0] += share * c[0], green[d0] += share * c[1], blue[d0] += share * c[2], used[d0] += share;
      continue;
    }
    for (let d = d0; d < to; d++) {
      const share = (Math.min(to, d + 1) - Math.max(from, d)) * dim;
      red[d] += share * c[0], green[d] += share * c[1], blue[d] += share * c[2], used[d] += share;
    }
  }
  for (let d = 0; d < wideDots; d++) {
    const rest = Math.max(0, 1 - used[d]), over = used[d] > 1 ? 1 / used[d] : 1;
    line.dots[d] = 0xFF000000 | (blue[d] * over + rest * paper[2]) << 16 | (green[d] * over + rest * paper[1]) << 8 | (red[d] * over + rest * paper[0]);
  }
  return tasks;
};

const drawRows = ratio => {
  const wideDots = Math.max(1, Math.round((wide - LEFT) * ratio)), rows = Math.min(rowsInView(), workers.length - row0), tall = Math.max(1, Math.round(rowHeight * ratio));
  const gap = tall > 6 ? Math.round(2 * ratio) : 0, image = new ImageData(wideDots, rows * tall), dots = new Uint32Array(image.data.buffer);
  const line = {red: new Float32Array(wideDots), green: new Float32Array(wideDots), blue: new Float32Array(wideDots), used: new Float32Array(wideDots), dots: new Uint32Array(wideDots)};
  const paper = rgb(color("row"));
  let tasks = 0;
  for (let r = 0; r < rows; r++) {
    tasks += paintRow(row0 + r, wideDots, line, paper, true);
    for (let y = r * tall; y < (r + 1) * tall - gap; y++) dots.set(line.dots, y * wideDots);
  }
  picture.putImageData(image, Math.round(LEFT * ratio), Math.round(AXIS * ratio));
  return tasks;
};

const text = (words, px, py, style = "ink", align = "left") => { picture.fillStyle = color(style); picture.textAlign = align; picture.fillText(words, px, py); };
const drawAxis = () => {
  const about = (t1 - t0) / Math.max(2, (wide - LEFT) / 110);
  let step = 10 ** Math.floor(Math.log10(about));
  step *= about / step > 5 ? 10 : about / step > 2 ? 5 : about / step > 1 ? 2 : 1;
  for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step) {
    picture.fillStyle = color("line");
    picture.fillRect(x(t), AXIS - 4, 1, high - AXIS);
    text(short(t), x(t) + 3, 12, "pale");
  }
};
const drawLabels = rows => {
  const every = Math.max(1, Math.ceil(12 / rowHeight));
  for (let r = 0; r < rows; r += every) text(workers[row0 + r].name, LEFT - 6, AXIS + r * rowHeight + Math.min(rowHeight, 14) - 2, "ink", "right");
};

/* A count of tasks as steps. */
const drawCounter = (steps, top, most, style) => {
  if (!steps.length) return;
  picture.strokeStyle = color(style);
  picture.beginPath();
  let low = 0, high = steps.length;
  while (low < high) { const mid = (low + high) >> 1; if (steps[mid][0] < t0) low = mid + 1; else high = mid; }
  let y = top + STRIP - 4 - (low ? steps[low - 1][1] : 0) / most * (STRIP - 14);
  picture.moveTo(LEFT, y);
  for (let k = low, lastX = -1; k < steps.length && steps[k][0] <= t1; k++) {
    const px = x(steps[k][0]), py = top + STRIP - 4 - steps[k][1] / most * (STRIP - 14);
    if (px - lastX > 0.5 || Math.abs(py - y) > 1) picture.lineTo(px, y), picture.lineTo(px, py), lastX = px;
    y = py;
  }
  picture.lineTo(wide, y);
  picture.stroke();
};
const most = list => list.reduce((m, s) => Math.max(m, s[1]), 1);
const mostRunning = most(more.running), mostReady = most(more.ready);
const drawBelow = () => {
  let y = AXIS + Math.min(rowsInView(), workers.length - row0) * rowHeight;
  drawCounter(more.running, y, mostRunning, "running");
  drawCounter(more.ready, y, mostReady, "ready");
  text("running ≤ " + mostRunning, LEFT - 6, y + 16, "running", "right");
  if (more.ready.length) text("ready ≤ " + mostReady, LEFT - 6, y + 30, "ready", "right");
  y += STRIP;
  for (const lane of lanes) {
    text(lane.text, LEFT - 6, y + 10, "ink", "right");
    let last = -1;
    for (const [from, to, words, style, share = 1] of lane.items) {
      if (to < t0 || from > t1) continue;
      const a = Math.max(LEFT, x(from)), b = Math.min(wide, Math.max(a + 1, x(to)));
      if (b <= last) continue;
      picture.fillStyle = color(style);
      picture.fillRect(Math.max(a, last), y + 1 + (1 - share) * (LANE - 3), b - Math.max(a, last), share * (LANE - 3));
      if (b - a > 60) text(words.slice(0, Math.floor((b - a) / 7)), a + 3, y + 10, "paper");
      last = b;
    }
    y += LANE;
  }
};

const middle = k => [(x(Math.max(start[k], t0)) + x(Math.min(end(k), t1))) / 2, AXIS + (worker[k] - row0 + 0.5) * rowHeight];
const outline = (k, style) => {
  const r = worker[k] - row0;
  if (r < 0 || r >= rowsInView() || end(k) < t0 || start[k] > t1) return;
  picture.strokeStyle = color(style);
  picture.lineWidth = 2;
  const a = Math.max(LEFT, x(start[k]));
  picture.strokeRect(a, AXIS + r * rowHeight + 1, Math.max(2, Math.min(wide, x(end(k))) - a), rowHeight - 3);
  picture.lineWidth = 1;
};
const arrow = (a, b, style, dashes) => {
  const [, ya] = middle(a), [, yb] = middle(b), xa = x(end(a)), xb = x(start[b]);
  if ((xa < LEFT && xb < LEFT) || (xa > wide && xb > wide)) return;
  picture.strokeStyle = color(style);
  picture.setLineDash(dashes || []);
  picture.beginPath();
  picture.moveTo(xa, ya), picture.bezierCurveTo(xa + 20, ya, xb - 20, yb, xb, yb);
  if (xb - xa > 12 || ya !== yb) picture.moveTo(xb - 5, yb - 3), picture.lineTo(xb, yb), picture.lineTo(xb - 5, yb + 3);
  picture.stroke();
  picture.setLineDash([]);
};
const drawMarks = () => {
  picture.save();
  picture.beginPath(), picture.rect(LEFT, AXIS, wide - LEFT, plotHeight()), picture.clip();
  if (showPath && path.length < 5000) for (let k = 1; k < path.length; k++) arrow(path[k - 1], path[k], "path");
  for (const k of found.slice(0, 2000)) outline(k, "found");
  if (selected >= 0) {
    for (const k of values(selected)) arrow(k, selected, "before", [4, 3]);
    for (const k of before(selected).slice(0, 200)) arrow(k, selected, "before");
    for (const k of after(selected).slice(0, 200)) arrow(selected, k, "after", values(k).includes(selected) ? [4, 3] : []);
    outline(selected, "ink");
  }
  picture.restore();
};

const draw = () => {
  const ratio = window.devicePixelRatio || 1;
  wide = box.clientWidth, high = Math.max(120, Math.min(AXIS + STRIP + lanes.length * LANE + 8 + workers.length * rowHeight, Math.max(300, innerHeight * 0.7)));
  canvas.width = Math.round(wide * ratio), canvas.height = Math.round(high * ratio);
  canvas.style.height = high + "px"; /* through CSSOM, which the policy allows */
  picture.setTransform(ratio, 0, 0, ratio, 0, 0);
  picture.font = "11px sans-serif";
  picture.fillStyle = color("paper");
  picture.fillRect(0, 0, wide, high);
  row0 = Math.max(0, Math.min(row0, workers.length - rowsInView()));
  drawAxis();
  const tasks = drawRows(ratio);
  drawLabels(Math.min(rowsInView(), workers.length - row0));
  drawBelow();
  drawMarks();
  drawn = tasks;
  status.textContent = time(t0) + " to " + time(t1) + " of " + time(duration) + ", " + tasks + (tasks === 1 ? " task" : " tasks") + " on " + workers[row0].name +
    (rowsInView() > 1 && workers.length > 1 ? " to " + workers[Math.min(workers.length, row0 + rowsInView()) - 1].name : "") + (shown ? "; filtered" : "") +
    (found.length ? "; " + found.length + " found" + (foundAt >= 0 ? ", number " + (foundAt + 1) : "") : "") +
    (showPath ? "; path of " + path.length + " tasks" : "") + (selected >= 0 ? "; selected: " + name(selected) + " on " + workers[worker[selected]].name : "");
};
let waiting = 0;
const later = () => { if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; draw(); }); };
const move = (from, to) => {
  const least = 10, span = Math.max(least, Math.min(to - from, duration));
  t0 = Math.max(0, Math.min(from, duration - span)), t1 = t0 + span;
  later();
};
const zoomAt = (t, factor) => move(t - (t - t0) * factor, t + (t1 - t) * factor);

/* ---- one task ------------------------------------------------------------------------------------------------------------------ */

const button = (k, parent) => { const b = make("button", name(k), parent); b.onclick = () => { choose(k, true); canvas.focus(); }; };
const listTasks = (words, list, parent) => {
  const p = make("p", words + " ", parent);
  for (const k of list.slice(0, 12)) button(k, p);
  if (list.length > 12) make("span", " and " + (list.length - 12) + " more", p);
  if (!list.length) make("span", "nothing", p);
};
const tell = () => {
  const panel = $("task");
  panel.textContent = "";
  panel.hidden = selected < 0;
  if (selected < 0) return;
  const k = selected, row = (words, value) => { const r = make("tr", undefined, table); const h = make("th", words, r); h.scope = "row"; make("td", value, r); };
  make("h3", name(k) + " on " + workers[worker[k]].name, panel);
  const table = make("table", undefined, panel);
  row("task", String(id[k]) + (routines[routine[k]] ? " of " + routines[routine[k]] : "") + (stage[k] ? ", " + stages[stage[k] - 1] : ""));
  row("start, end", time(start[k]) + ", " + time(end(k)));
  row("length", time(length[k]) + " (median of its kernel " + time(kernels[kernel[k]].median * 1e7) + ")");
  row("submitted", time(start[k] - wait[k]) + ", " + time(wait[k]) + " before it began");
  ["ready", "taken by a worker", "data there"].forEach((words, i) => { if (phases[i][k] >= 0) row(words, time(start[k] - phases[i][k]) + ", " + time(phases[i][k]) + " before"); });
  if (lost[k]) row("its core was another program's", time(lost[k]));
  row("priority", String(priority[k]));
  if (onPath[k]) row("on the path", "yes: a longer one makes the run longer");
  const v = values(k), b = before(k), own = place[k] > first[worker[k]] ? order[place[k] - 1] : -1, last = b.concat(own >= 0 ? [own] : [], v).reduce((a, c) => a < 0 || end(c) > end(a) ? c : a, -1);
  if (v.length) listTasks("Its submission waited for the value of", v, panel);
  listTasks("Waited for", b, panel);
  if (last >= 0) { const p = make("p", "Last of all for ", panel); button(last, p); make("span", b.includes(last) ? ", a predecessor" : v.includes(last) ? ", whose value its submission waited for" : ", which its worker ran before", p); }
  listTasks("Released", after(k), panel);
};
const choose = (k, show) => {
  selected = k;
  if (k >= 0 && show) {
    if (start[k] < t0 || end(k) > t1) { const span = Math.max(t1 - t0, length[k] * 1.5); move(start[k] + length[k] / 2 - span / 2, start[k] + length[k] / 2 + span / 2); }
    if (worker[k] < row0 || worker[k] >= row0 + rowsInView()) row0 = Math.max(0, worker[k] - (rowsInView() >> 1));
  }
  tell();
  later();
};
const step = (dx, dy) => {
  if (selected < 0) { const w = row0, p = seek(w, t0); if (p < first[w + 1]) choose(order[p], true); return; }
  if (dx) { const p = place[selected] + dx; if (p >= first[worker[selected]] && p < first[worker[selected] + 1]) choose(order[p], true); return; }
  for (let w = worker[selected] + dy; w >= 0 && w < workers.length; w += dy) {
    if (first[w] === first[w + 1]) continue;
    choose(order[Math.min(seek(w, start[selected]), first[w + 1] - 1)], true);
    return;
  }
};

/* ---- search and filters ------------------------------------------------------------------------------------------------------- */

/* gemm, gemm(5,3), (5,3), #17; nothing: none. */
const find = words => {
  const m = /^\s*([^()#]*?)\s*(?:\(([\d\s,]*)\))?\s*$/.exec(words), number = /^\s*#(\d+)\s*$/.exec(words);
  found = [], foundAt = -1;
  if (number) { const k = id.indexOf(+number[1]); if (k >= 0) found = [k]; }
  else if (m && (m[1] || m[2])) {
    const of = kernels.map(k => !m[1] || k.name === m[1]), any = of.includes(true) ? of : kernels.map(k => k.name.includes(m[1]));
    const c = m[2] ? m[2].split(",").map(v => parseInt(v, 10)).filter(v => v >= 0) : [];
    for (let k = 0; k < n; k++) {
      if (!any[kernel[k]]) continue;
      let same = true;
      for (let i = 0; i < c.length; i++) same = same && coords[i][k] === c[i];
      if (same) found.push(k);
    }
  }
  $("found").textContent = words.trim() ? found.length + " found" : "";
  later();
  return found.map(k => id[k]);
};
const nextFound = by => { if (found.length) choose(found[foundAt = (foundAt + by + found.length) % found.length], true); };
const filter = () => {
  const k = $("kernels").value, w = $("workers").value, r = $("routines").value, m = $("marks").value, span = m === "" ? null : more.marks[+m];
  shown = k === "" && w === "" && r === "" && !span ? null : Uint8Array.from({length: n}, (_, i) =>
    (k === "" || kernel[i] === +k) && (w === "" || worker[i] === +w) && (r === "" || routine[i] === +r) && (!span || (end(i) >= span[0] && start[i] <= span[1])));
  if (span) move(span[0], span[1]);
  later();
};
const options = (select, list) => { list.slice(0, 2000).forEach((words, k) => { if (words !== null) make("option", words, select).value = String(k); }); select.onchange = filter; if (list.length < 2) select.parentElement.hidden = true; };
options($("kernels"), kernels.map(k => k.name));
options($("workers"), workers.map(w => w.name));
options($("routines"), routines.map((r, k) => r + " " + (k + 1)));
options($("marks"), more.marks.map(m => m[3]));
if (more.marks.length) $("marks").parentElement.hidden = false;
$("search").oninput = e => find(e.target.value);
$("search").onkeydown = e => { if (e.key === "Enter") { nextFound(e.shiftKey ? -1 : 1); e.preventDefault(); } else if (e.key === "Escape") canvas.focus(); };
const togglePath = on => { showPath = on === undefined ? !showPath : on; $("path").setAttribute("aria-pressed", String(showPath)); later(); };
$("path").onclick = () => togglePath();
$("path").disabled = !path.length;
$("all").onclick = () => move(0, duration);
$("in").onclick = () => zoomAt((t0 + t1) / 2, 0.5);
$("out").onclick = () => zoomAt((t0 + t1) / 2, 2);

/* ---- mouse and keys ------------------------------------------------------------------------------------------------------------ */

const taskAt = e => {
  const r = canvas.getBoundingClientRect(), w = row0 + Math.floor((e.clientY - r.top - AXIS) / rowHeight), t = inverse(e.clientX - r.left);
  if (w < row0 || w >= Math.min(workers.length, row0 + rowsInView()) || e.clientX - r.left < LEFT) return -1;
  const p = seek(w, t - (t1 - t0) / wide), k = p < first[w + 1] ? order[p] : -1;
  return k >= 0 && start[k] <= t + (t1 - t0) / wide ? k : -1;
};
let held = null;
canvas.onpointerdown = e => { held = {x: e.clientX, y: e.clientY, t0, t1, row0, moved: false}; canvas.setPointerCapture(e.pointerId); };
canvas.onpointermove = e => {
  if (!held) { const k = taskAt(e); canvas.title = k < 0 ? "" : name(k) + ", " + time(length[k]) + ", on " + workers[worker[k]].name; return; }
  const by = (e.clientX - held.x) / (wide - LEFT) * (held.t1 - held.t0);
  held.moved = held.moved || Math.abs(e.clientX - held.x) + Math.abs(e.clientY - held.y) > 4;
  if (!held.moved) return;
  row0 = held.row0 - Math.round((e.clientY - held.y) / rowHeight);
  move(held.t0 - by, held.t1 - by);
};
canvas.onpointerup = e => { if (held && !held.moved) choose(taskAt(e), false); held = null; };
canvas.addEventListener("wheel", e => {
  e.preventDefault();
  if (e.shiftKey) { row0 += Math.sign(e.deltaY) * 3; later(); } else zoomAt(inverse(e.clientX - canvas.getBoundingClientRect().left), Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))));
}, {passive: false});
const pan = share => move(t0 + share * (t1 - t0), t1 + share * (t1 - t0));
const keys = {
  "+": () => zoomAt((t0 + t1) / 2, 0.5), "=": () => zoomAt((t0 + t1) / 2, 0.5), "-": () => zoomAt((t0 + t1) / 2, 2), "0": () => move(0, duration), Home: () => move(0, t1 - t0), End: () => move(duration - t1 + t0, duration),
  a: () => pan(-0.25), d: () => pan(0.25), w: () => zoomAt((t0 + t1) / 2, 0.5), s: () => zoomAt((t0 + t1) / 2, 2), PageUp: () => { row0 -= rowsInView(); later(); }, PageDown: () => { row0 += rowsInView(); later(); },
  ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1), n: () => nextFound(1), N: () => nextFound(-1), p: () => togglePath(), "/": () => $("search").focus(),
  Enter: () => { if (selected >= 0) { const s = Math.max(length[selected] * 3, 50), m = start[selected] + length[selected] / 2; move(m - s / 2, m + s / 2); } },
  Escape: () => { found = [], foundAt = -1; choose(-1, false); }, "[": () => { rowHeight = Math.max(2, rowHeight - 2); later(); }, "]": () => { rowHeight = Math.min(60, rowHeight + 2); later(); }};
canvas.onkeydown = e => { if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { keys[e.key](); e.preventDefault(); } };

/* ---- for programs ----------------------------------------------------------------------------------------------------------------- */

addEventListener("resize", later);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
document.documentElement.classList.add("live"); /* the still picture gives way */
if (workers.length < 12) rowHeight = 28;
if (workers.length * rowHeight > innerHeight * 0.55) rowHeight = Math.max(4, Math.floor(innerHeight * 0.55 / workers.length));
draw();
window.tilework = {
  ready: true,
  view: () => ({from: t0 * unit, to: t1 * unit, first: row0, rows: Math.min(rowsInView(), workers.length), tasks: drawn, selected: selected < 0 ? null : id[selected], path: showPath}),
  zoom: (from, to) => { t0 = 0, t1 = duration; move(from / unit, to / unit); draw(); return window.tilework.view(); },
  find,
  select: number => { const k = id.indexOf(number); choose(k, true); draw(); return k < 0 ? null : {id: number, name: name(k), worker: workers[worker[k]].name, start: start[k] * unit, end: end(k) * unit, waited: before(k).map(i => id[i]), values: values(k).map(i => id[i]), released: after(k).map(i => id[i]), onPath: !!onPath[k]}; },
  path: () => { togglePath(true); draw(); return path.map(k => id[k]); }
};
})();
