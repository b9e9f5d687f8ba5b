import { MODES } from './load.mjs';
import { median, percentile, table } from './figures.mjs';

const LOWER_BOUND = 'direct + commit';
const HEAD = ['', 'p50 ms', 'p99 ms', 'calls/s', 'CPU ms', '÷ direct', '− commit', '− both'];

/** Returns the figures of one measurement. `cpu` is in milliseconds for each call. */
export function toFigures({ round, subject, mode, latencies, seconds, cpuMs }) {
  return {
    round,
    subject,
    mode,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    rate: latencies.length / seconds,
    cpu: cpuMs / latencies.length,
  };
}

/**
 * Formats one table for each mode. A figure is the median of the rounds, followed by the best round in parentheses. Comparisons of p50 (a ratio,
 * and differences in milliseconds) are computed within each round, because noise affects all subjects of a round alike; the median is shown.
 */
export function report(figures) {
  return MODES.map(({ name }) => {
    const its = figures.filter(({ mode }) => mode === name);
    const subjects = [...new Set(its.map(({ subject }) => subject))];
    const rows = subjects.map((subject) => toRow(subject, its));
    return `${name}\n${table([HEAD, ...rows, toBoundRow(its)])}`;
  }).join('\n\n');
}

function toRow(subject, figures) {
  const own = figures.filter((one) => one.subject === subject);
  const above = (below) => ms(median(own.map(({ round, p50 }) => p50 - below(figures, round))));
  const isAction = subject.startsWith('execute');
  return [
    subject,
    ...['p50', 'p99'].map((key) => withBest(own, key, ms, Math.min)),
    withBest(own, 'rate', (value) => value.toFixed(0), Math.max),
    withBest(own, 'cpu', ms, Math.min),
    median(own.map(({ round, p50 }) => p50 / p50Of('direct', figures, round))).toFixed(1),
    isAction ? above((all, round) => p50Of('commit', all, round)) : '',
    isAction ? above(bound) : '',
  ];
}

/** Returns the row of the lower bound for a durable call: the direct call plus one commit. */
function toBoundRow(figures) {
  const rounds = [...new Set(figures.map(({ round }) => round))];
  return [LOWER_BOUND, ms(median(rounds.map((round) => bound(figures, round)))), ...HEAD.slice(2).map(() => '')];
}

function bound(figures, round) {
  return p50Of('direct', figures, round) + p50Of('commit', figures, round);
}

/** Returns NaN if the subject was not measured. */
function p50Of(name, figures, round) {
  return figures.find((one) => one.subject === name && one.round === round)?.p50 ?? NaN;
}

function withBest(own, key, format, best) {
  const values = own.map((one) => one[key]);
  return `${format(median(values))} (${format(best(...values))})`;
}

const ms = (value) => value.toFixed(2);
