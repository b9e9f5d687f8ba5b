// Ratios that `pnpm bench --check` compares with those in bench/figures.json. A ratio compares two subjects in the same round, so unlike a time it is
// comparable between fast and slow machines, and under other load.
import { median } from './figures.mjs';

/** Maximum decrease of a row compared with its last figure. */
const TOLERANCE = 0.15;

const ofRate = ({ rate }, other) => rate / other.rate;
/** The calls of a second of processor time. Several processes use more processors than one, so their rates depend on what else runs there. */
const ofCost = ({ cpu }, other) => other.cpu / cpu;

/** For each row: its subject, the subject with which it is compared, the mode, and the value that is compared, by default the rate. */
const ROWS = [
  ['execute ÷ proxy', 'execute', 'proxy', '32 in flight'],
  ['execute, key ÷ proxy', 'execute, key', 'proxy', '32 in flight'],
  ['execute, plan ÷ execute', 'execute, plan', 'execute', '32 in flight'],
  ['summary ÷ proxy', 'summary', 'proxy', '32 in flight'],
  ['calls per CPU second, 2 processes ÷ 1', 'execute, 2 processes', 'execute', '32 in flight', ofCost],
];

/** Returns the ratios of the measured rows, by name: the median over the rounds. Higher is better. */
export function toRatios(figures) {
  const rows = ROWS.flatMap(([name, subject, other, mode, compare = ofRate]) => {
    const of = (wanted) => figures.filter((one) => one.subject === wanted && one.mode === mode);
    const ratios = of(subject).flatMap((measured) =>
      of(other)
        .filter(({ round }) => round === measured.round)
        .map((one) => compare(measured, one)),
    );
    return ratios.length === 0 ? [] : [[name, Number(median(ratios).toFixed(3))]];
  });
  return Object.fromEntries(rows);
}

/** Returns a sentence for each row that decreased by more than 15 %. Throws if no row can be compared, because such a check would always pass. */
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
