// Draws SVGs: the bars of one metric of one workload, with a whisker from the least to the most, and curves of growth.
import { init } from 'echarts';
import { alone, apiOf, isWay, ours } from '../bindings.mjs';
import { ratio } from '../goals.mjs';
import { figure, times } from './text.mjs';

// As wide as the narrowest phone allows, so that the letters have the same size everywhere.
const width = 340;
const barHeight = 26;
const left = 96;
const right = 112;
// No quotes: the library puts it into a style attribute as it is.
const fontFamily = 'system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif';

// The library wants colours that it can calculate with; each of these gives its place to a colour of the page's style.
const places = {
  ours: '#00000a',
  rival: '#00000b',
  sync: '#00000c',
  text: '#00000d',
  quiet: '#00000e',
  line: '#00000f',
};

export function kindOf(name) {
  if (name === ours || isWay(name)) return 'ours';
  if (name === alone) return 'quiet';
  return apiOf(name) === 'sync' ? 'sync' : 'rival';
}

function whisker(_, api) {
  const [x1, y] = api.coord([api.value(1), api.value(0)]);
  const [x2] = api.coord([api.value(2), api.value(0)]);
  const line = (shape) => ({ type: 'line', shape, style: { stroke: places.text, lineWidth: 1.2 } });
  const end = (x) => line({ x1: x, x2: x, y1: y - 4, y2: y + 4 });
  return { type: 'group', children: [line({ x1, x2, y1: y, y2: y }), end(x1), end(x2)] };
}

/** `measured` is a list of { name, median, least, most }, from top to bottom. */
function options(measured, captions) {
  const labelled = { color: places.text, fontFamily, fontSize: 12 };
  return {
    animation: false,
    grid: { left, right, top: 2, bottom: 2 },
    xAxis: { type: 'value', show: false, min: 0, max: Math.max(...measured.map(({ most }) => most)) },
    yAxis: {
      type: 'category',
      inverse: true,
      data: measured.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: labelled,
    },
    series: [
      {
        type: 'bar',
        barWidth: '62%',
        data: measured.map(({ name, median }) => ({ value: median, itemStyle: { color: places[kindOf(name)] } })),
      },
      { type: 'custom', renderItem: whisker, data: measured.map(({ least, most }, i) => [i, least, most]) },
    ],
    // The figures stand in a column of their own: behind the bars, the whiskers would cross them.
    graphic: measured.map((_, i) => ({
      type: 'text',
      x: width - right + 10,
      y: 2 + barHeight * (i + 0.5),
      style: { text: captions[i], fill: places.text, fontFamily, fontSize: 12, textVerticalAlign: 'middle' },
    })),
  };
}

const captionOf = (metric, own, { name, median }) => {
  const value = figure(median, metric.digits);
  return name === ours || !own ? value : `${value} · ${times(ratio(metric, own, median))}`;
};

/** The SVG for a metric with at least one binding measured. */
export function barChart(metric, metricName, results, bindings) {
  const measured = bindings
    .filter((name) => results[name]?.[metricName])
    .map((name) => ({ name, ...results[name][metricName] }));
  const own = results[ours]?.[metricName]?.median;
  const captions = measured.map((one) => captionOf(metric, own, one));
  const height = barHeight * measured.length + 4;
  const svg = drawn(options(measured, captions), height);
  return inPage(svg, `${metric.label}: ${measured.map(({ name }, i) => `${name} ${captions[i]}`).join(', ')}`);
}

function drawn(option, height) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

const curveHeight = 210;

/** `curves[binding]` is a list of { size, median }, in ms. Both axes are logarithmic: what grows in step is straight. */
export function growthChart(axis, curves) {
  const axisStyle = (name) => ({
    type: 'log',
    name,
    nameTextStyle: { color: places.quiet, fontFamily, align: name === 'ms' ? 'right' : 'center' },
    nameLocation: name === 'ms' ? 'end' : 'middle',
    nameGap: name === 'ms' ? 8 : 24,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: places.quiet, fontFamily, fontSize: 11 },
    splitLine: { lineStyle: { color: places.line } },
  });
  const line = ([name, points]) => ({
    type: 'line',
    data: points.map(({ size, median }) => [size, median]),
    symbolSize: 5,
    // Two bindings are synchronous in a newer Node.js: the one that comes with it is dashed.
    lineStyle: { color: places[kindOf(name)], width: 2, type: name === 'node:sqlite' ? 'dashed' : 'solid' },
    itemStyle: { color: places[kindOf(name)] },
    z: name === ours ? 3 : 2,
  });
  const option = {
    animation: false,
    grid: { left: 48, right: 14, top: 26, bottom: 40 },
    xAxis: axisStyle(axis),
    yAxis: axisStyle('ms'),
    series: Object.entries(curves).map(line),
  };
  return inPage(drawn(option, curveHeight), `time in ms by ${axis}, for ${Object.keys(curves).join(', ')}`);
}

/** What only a live chart needs goes, the page's colours come, and a description for those who do not see it. */
function inPage(svg, description) {
  let found = svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events|xmlns:xlink|version|baseProfile)="[^"]*"/g, '')
    .replace(/style="([^"]*)"/g, (_, css) => `style="${css.replaceAll('&quot;', "'")}"`)
    .replaceAll('\n', '');
  for (const [name, place] of Object.entries(places)) found = found.replaceAll(place, `var(--${name})`);
  return found.replace('<svg ', `<svg role="img" aria-label="${description.replaceAll('"', '')}" `);
}
