// Puts figures and names into words and HTML.

export const escaped = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** '12,345.60': with the digits of the metric, and thousands told apart. */
export const figure = (value, digits) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** '12x', '3.4x', '0.56x': two digits that say something. */
export const times = (value) => `${value >= 9.95 ? Math.round(value) : Number(value.toPrecision(2))}x`;

const micro = (unit) => (unit === 'us' ? 'µs' : unit);

/** A label of a metric ends in its unit, behind a comma: 'a read, us' is { what: 'a read', unit: 'µs' }. */
export function labelParts(label) {
  const [, what, unit] = /^(.*?)(?:, (\w+))?$/.exec(label);
  return { what, unit: unit ? micro(unit) : '' };
}

export const labelText = (label) => {
  const { what, unit } = labelParts(label);
  return unit ? `${what}, ${unit}` : what;
};
