// The ratios that `pnpm bench --check` compares with those of bench/figures.json. A ratio compares two subjects of one round, so it holds on fast and
// slow machines, and under other load; times do not.
import { median } from './figures.mjs';

/** A row may be this much worse than its last figure. */
const TOLERANCE = 0.15;

/** For each row: its subject, the subject that it is compared with, and the mode. The value is the rate of the subject by that of the other. */
const ROWS = [
  ['execute ÷ proxy', 'execute', 'proxy', '32 in flight'],
  ['execute, key ÷ proxy', 'execute, key', 'proxy', '32 in flight'],
  ['execute, plan ÷ execute', 'execute, plan', 'execute', '32 in flight'],
  ['summary ÷ proxy', 'summary', 'proxy', '32 in flight'],
];

/** Returns the ratios of the measured rows, by name: the median over the rounds. Higher is better. */
export function toRatios(figures) {
  const rows = ROWS.flatMap(([name, subject, other, mode]) => {
    const of = (wanted) => figures.filter((one) => one.subject === wanted && one.mode === mode);
    const ratios = of(subject).flatMap(({ round, rate }) =>
      of(other)
        .filter((one) => one.round === round)
        .map((one) => rate / one.rate),
    );
    return ratios.length === 0 ? [] : [[name, Number(median(ratios).toFixed(3))]];
  });
  return Object.fromEntries(rows);
}

/** Returns a sentence for each row that fell by more than 15 %. Throws if no row can be compared, because such a check would always pass. */
export function fallenRows(ratios, before = {}) {
  const names = Object.keys(ratios).filter((name) => before[name] !== undefined);
  if (names.length === 0)
    throw new Error('bench/figures.json has no figures for these rows. Measure them: pnpm bench --keep');
  return names
    .filter((name) => ratios[name] < before[name] * (1 - TOLERANCE))
    .map((name) => {
      const percent = Math.round((1 - ratios[name] / before[name]) * 100);
      return `${name} fell by ${percent} %, from ${before[name]} to ${ratios[name]}`;
    });
}
