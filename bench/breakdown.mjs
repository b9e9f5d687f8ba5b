import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, table } from './figures.mjs';
import { apply } from './load.mjs';
import { preload, startProduct } from './product.mjs';
import { executeSubject } from './subjects.mjs';

const WARM_UP_SECONDS = 2;

const REQUEST = 'request';
const EXECUTION = 'drawbridge.execution.v1.ActionService/executeAction';
const RESOLVE = 'drawbridge.catalog.v1.InvocationService/resolveInvocation';
const SELECT = 'drawbridge.connections.v1.VaultService/selectConnection';
const OPEN = 'drawbridge.connections.v1.VaultService/openConnection';

/** The rows of the breakdown in order: each span of an action, and the time that no span includes. */
const STEPS = [
  ['identify: find the key', ({ identify }) => identify],
  ['resolve: instance, settings, input', (spans) => spans[RESOLVE]],
  ['select connection', (spans) => spans[SELECT]],
  ['open connection: decrypt', (spans) => spans[OPEN]],
  ['run: the call itself', ({ run }) => run],
  ['record: run and event, one commit', ({ record }) => record],
  ['between these, in execution', (spans) => spans[EXECUTION] - inExecution(spans)],
  ['at the door: HTTP, limits, validation, log', (spans) => spans[REQUEST] - spans[EXECUTION] - spans.identify],
  ['the whole request', (spans) => spans[REQUEST]],
];

/** Starts the product with tracing. It writes its spans to `folder`. */
export function startTraced(providerUrl, folder) {
  return startProduct(providerUrl, { NODE_OPTIONS: preload('trace.mjs'), TRACE_FILE: spanFile(folder) });
}

/**
 * Measures the time of each part of an action with 50 calls a second without an idempotency key, from the spans of a product that startTraced
 * started. Tracing makes the product slower. Stops the product, because it writes its last spans when it exits.
 */
export async function breakDown(product, folder, seconds) {
  const subject = executeSubject(product);
  await apply(subject, { inFlight: 32 }, WARM_UP_SECONDS);
  const from = Date.now();
  await apply(subject, { rate: 50 }, seconds);
  await product.stop();
  return toTable(tracesOf(readFileSync(spanFile(folder), 'utf8'), from));
}

function spanFile(folder) {
  return join(folder, 'spans.jsonl');
}

/** Returns for each request the milliseconds of its spans by name. */
function tracesOf(text, from) {
  const spans = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const roots = spans.filter(({ name, start }) => name === REQUEST && start >= from);
  const traces = new Map(roots.map(({ traceId }) => [traceId, {}]));
  for (const { traceId, name, ms } of spans) {
    if (traces.has(traceId)) traces.get(traceId)[name] = ms;
  }
  return [...traces.values()];
}

function inExecution(spans) {
  return spans[RESOLVE] + spans[SELECT] + spans[OPEN] + spans.run + spans.record;
}

function toTable(traces) {
  const rows = STEPS.map(([title, of]) => [title, median(traces.map(of)).toFixed(2)]);
  return `where the time goes, median of ${traces.length} calls at 50 a second\n${table([['', 'ms'], ...rows])}`;
}
