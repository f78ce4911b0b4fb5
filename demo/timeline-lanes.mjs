// The beginning of a run as lanes: when SQLite's thread, the event loop, and both were busy.

const shownQueries = 50;

/**
 * The time from the first call until JavaScript had handled the result of query 50, with times in milliseconds since that
 * first call. SQLite may be further by then: its lane shows what it did in this time.
 */
export function lanesOf({ start, queued, handled, timeline }) {
  const queries = Math.min(shownQueries, handled.length);
  const end = handled[queries - 1];
  const cut = (spans) =>
    spans
      .filter((span) => span.end > start && span.start < end)
      .map((span) => ({ start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start }));
  const sqlite = cut(timeline.sqlite);
  const eventLoop = cut(timeline.eventLoop);
  return {
    queries,
    length: end - start,
    queued: queued - start,
    sqlite,
    eventLoop,
    both: intersection(sqlite, eventLoop),
  };
}

/** Where both lists have a span; each is in order and without overlaps. */
function intersection(one, other) {
  const found = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const start = Math.max(one[i].start, other[j].start);
    const end = Math.min(one[i].end, other[j].end);
    if (start < end) found.push({ start, end });
    if (one[i].end < other[j].end) i++;
    else j++;
  }
  return found;
}

/** Round steps of an axis that ends at `length`, at most `most` of them. */
export function ticks(length, most) {
  const power = 10 ** Math.floor(Math.log10(length / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => length / candidate <= most);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
