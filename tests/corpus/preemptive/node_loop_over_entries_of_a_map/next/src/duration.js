import { UNITS, plural } from './units.js';

/** Reads "1h 30min" or "90 s" as seconds; a bare number is seconds. */
export function parseDuration(text) {
  const rest = text.trim().toLowerCase();
  if (/^\d+$/.test(rest)) return Number(rest) * 60;
  let seconds = 0;
  let end = 0;
  for (const found of rest.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)) {
    const unit = UNITS.find(({ names }) => names.includes(found[2]));
    if (!unit || found.index !== end) throw new SyntaxError(`not a duration: ${text}`);
    seconds += Number(found[1]) * unit.seconds;
    end = found.index + found[0].length;
  }
  if (end === 0 || end !== rest.length) throw new SyntaxError(`not a duration: ${text}`);
  return seconds;
}

/** Writes seconds in the two greatest units that aren't zero. */
export function formatDuration(seconds) {
  let left = Math.round(seconds);
  const parts = [];
  for (const { names, seconds: size } of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(plural(count, names.at(-1)));
  }
  return parts.slice(0, 3).join(' and ') || 'no time';
}
