// Turns what was measured into text: the machine, one table for each workload, the goals.
import { cpus, loadavg, totalmem } from 'node:os';
import { isBinding, ours } from './bindings.mjs';
import { ratio } from './goals.mjs';

/** `node` is the version of the Node.js that runs the bindings. */
export function machine(node) {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown processor',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform}-${process.arch}`,
    node,
    threadPool: process.env.UV_THREADPOOL_SIZE ?? 'default',
    loadAverage: loadavg()[0],
  };
}

export function headLines({ machine: found, bindings, rounds, scale }) {
  const versions = bindings.filter(({ name, version }) => version && isBinding(name));
  return [
    `${found.cpu}, ${found.cores} cores, ${found.memoryGiB} GiB, ${found.system}, Node.js ${found.node}, ` +
      `thread pool ${found.threadPool}, load average at the start ${found.loadAverage.toFixed(2)}`,
    versions.map(({ name, version, sqlite }) => `${name} ${version} (SQLite ${sqlite})`).join(', '),
    `medians of ${rounds} rounds (least - most), scale ${scale}; x: times better than the rival sqlite-tandem is`,
  ];
}

function cell(measured, digits) {
  if (!measured) return 'n/a';
  const [middle, least, most] = [measured.median, measured.least, measured.most].map((value) => value.toFixed(digits));
  return `${middle} (${least} - ${most})`;
}

function ratioCell(metric, own, rival) {
  if (metric.ratio === false || !own || !rival) return '';
  return `x ${ratio(metric, own.median, rival.median).toFixed(2)}`;
}

function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column])).join('  ')}`.trimEnd());
}

/** The columns of a workload: what is no binding of its own is left out where it has no half for it. */
export const columnsOf = (results, bindings) => bindings.filter((name) => isBinding(name) || results[name]);

/** One table: a line for each metric, a column for each binding, a column of ratios after each rival. */
export function tableLines({ workload, results }, all) {
  const bindings = columnsOf(results, all);
  const compared = bindings.includes(ours);
  const header = [''];
  for (const name of bindings) header.push(...(compared && name !== ours ? [name, ''] : [name]));
  const rows = Object.entries(workload.metrics).map(([metricName, metric]) => {
    const row = [metric.label];
    for (const name of bindings) {
      const measured = results[name]?.[metricName];
      row.push(cell(measured, metric.digits));
      if (compared && name !== ours) row.push(ratioCell(metric, results[ours]?.[metricName], measured));
    }
    return row;
  });
  return ['', `${workload.name}: ${workload.about}`, ...align([header, ...rows])];
}

export function goalLines(verdicts) {
  if (verdicts.length === 0) return [];
  const rows = verdicts.map(({ text, value, verdict }) => [verdict, text, value === null ? '' : value.toFixed(3)]);
  return ['', 'goals', ...align(rows)];
}
