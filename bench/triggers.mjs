// `node bench/triggers.mjs`: measures how many events per second the product accepts, and the latency until the callback. See README.md.
//   --sources 20   number of trigger sources; events go to them in rotation
//   --seconds 10   duration of each measurement
//   --rate 200     events a second for the latency measurement
//   --hanging 0    number of events of another organization with a receiver that never responds: use 5000 to see the effect on other organizations
//   --waiting 0    number of due deliveries of one trigger of another organization with a receiver that takes 20 ms: use 10000
//   --profile DIR  also writes a CPU profile of the product to DIR
//   --kafka ADDR   Kafka brokers that the product uses, such as 127.0.0.1:9092
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CERTIFICATE } from '@drawbridge/testkit';
import pg from 'pg';
import { percentile, table } from './figures.mjs';
import { apply } from './load.mjs';
import { cpuOf, startServer } from './processes.mjs';
import { create, preload, startProduct } from './product.mjs';

const WARM_UP_SECONDS = 2;
const IN_FLIGHT = 32;
/** After this time the events with the hanging receiver are processed, and their deliveries wait for its response. */
const SETTLE_MS = 15_000;
/** An event that has not arrived after this time counts as lost. */
const PATIENCE_MS = 120_000;

const STORE = `
  WITH source AS (SELECT id, org_id, workspace_id FROM triggers.sources WHERE callback_url = $1),
  event AS (
    INSERT INTO triggers.events (id, org_id, workspace_id, source_id, provider_id, payload, simulate)
    SELECT gen_random_uuid(), org_id, workspace_id, id, n::text, '{"body": {"sentAt": 0}}', false FROM source, generate_series(1, $2::int) AS n
    RETURNING id, org_id, workspace_id, source_id),
  delivery AS (
    INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id, bytes, is_ready)
    SELECT gen_random_uuid(), org_id, workspace_id, source_id, id, 24, true FROM event)
  SELECT pg_notify('triggers_callbacks', '')::text`;

const { values } = parseArgs({
  options: {
    sources: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
    hanging: { type: 'string', default: '0' },
    waiting: { type: 'string', default: '0' },
    kafka: { type: 'string', default: '' },
    profile: { type: 'string', default: '' },
  },
});
const [sources, seconds, rate] = [Number(values.sources), Number(values.seconds), Number(values.rate)];
const [hanging, waiting] = [Number(values.hanging), Number(values.waiting)];
const agent = new Agent({ keepAlive: true, ca: CERTIFICATE.cert });
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-sink-'));
const stops = [() => rmSync(folder, { recursive: true, force: true }), () => agent.destroy()];

try {
  const sink = await startServer('sink.mjs');
  stops.push(sink.stop);
  // This benchmark sends no calls to GitHub.
  const product = await startProduct(sink.url, environment());
  stops.push(product.stop);
  const at = sink.url.replace('http:', 'https:');
  const urls = await hooksOf(
    product,
    Array.from({ length: sources }, (_, source) => `${at}/${source}`),
  );
  console.log(await measure(product, urls, at));
} finally {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

/** Returns the settings with which the product can reach the sink. */
function environment() {
  const file = join(folder, 'ca.pem');
  writeFileSync(file, CERTIFICATE.cert);
  const kafka = values.kafka ? { KAFKA_BROKERS: values.kafka, KAFKA_PREFIX: `bench-${process.pid}.` } : {};
  const { profile } = values;
  const profiling = profile ? { NODE_OPTIONS: preload('profile.mjs'), PROFILE_DIR: resolve(profile) } : {};
  return { NODE_EXTRA_CA_CERTS: file, EGRESS_ALLOW: '127.0.0.1', ...kafka, ...profiling };
}

/** Enables a trigger for each callback. Returns the webhook URLs of its sources on this product. */
async function hooksOf({ baseUrl, key, action }, callbackUrls) {
  const fields = { workspaceId: action.workspaceId, integrationName: 'http', triggerName: 'catch_hook' };
  const urls = [];
  for (const callbackUrl of callbackUrls) {
    const { triggerSource } = await create({ baseUrl, key }, '/api/v1/triggers/enable', { ...fields, callbackUrl });
    urls.push(baseUrl + new URL(triggerSource.webhookUrl).pathname);
  }
  return urls;
}

async function measure(product, urls, at) {
  await run(urls, { inFlight: IN_FLIGHT }, WARM_UP_SECONDS, at);
  const rows = [
    ['', 'taken in a second', 'p50 ms', 'p99 ms', 'arrived a second', 'p50 ms', 'p99 ms', 'CPU ms an event'],
  ];
  for (const [name, mode, prepare] of [
    [`${IN_FLIGHT} in flight`, { inFlight: IN_FLIGHT }],
    [`${rate} a second`, { rate }],
    ...(hanging > 0 ? [[`${rate} a second, ${hanging} of another hang`, { rate }, () => hang(product, at)]] : []),
    ...(waiting > 0 ? [[`${rate} a second, ${waiting} of another wait`, { rate }, () => wait(product, at)]] : []),
  ]) {
    const prepared = await prepare?.();
    const before = cpuOf([product.pid, product.databasePid]);
    const { taken, arrived, tookSeconds } = await run(urls, mode, seconds, at);
    const cpu = (cpuOf([product.pid, product.databasePid]) - before) / arrived.length;
    const inRow = (latencies, lasted) => [
      (latencies.length / lasted).toFixed(0),
      ...[50, 99].map((p) => percentile(latencies, p).toFixed(1)),
    ];
    rows.push([name, ...inRow(taken.latencies, taken.seconds), ...inRow(arrived, tookSeconds), cpu.toFixed(2)]);
    await prepared?.drained;
  }
  return table(rows);
}

/** Sends events and waits until all of them have arrived. Throws if some are missing. */
async function run(urls, mode, lasting, at) {
  const start = performance.now();
  const taken = await apply({ once: poster(urls) }, mode, lasting);
  const arrived = [];
  while (arrived.length < taken.latencies.length) {
    if (performance.now() - start > lasting * 1_000 + PATIENCE_MS) {
      throw new Error(`${arrived.length} of ${taken.latencies.length} events arrived`);
    }
    await sleep(50);
    arrived.push(...JSON.parse(await get(at)));
  }
  return { taken, arrived, tookSeconds: (performance.now() - start) / 1_000 };
}

/** Sends events of another organization with a receiver that never responds. */
async function hang({ baseUrl, limited }, at) {
  const once = poster(await hooksOf({ baseUrl, ...limited }, [`${at}/hang`]));
  let left = hanging;
  const worker = async () => {
    while (left-- > 0) await once();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await sleep(SETTLE_MS);
}

/** Stores due deliveries of one trigger of another organization. Returns an object with a promise that resolves when all have arrived. */
async function wait({ baseUrl, limited, databaseUrl }, at) {
  await hooksOf({ baseUrl, ...limited }, [`${at}/slow`]);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(STORE, [`${at}/slow`, waiting]);
  await pool.end();
  return { drained: timeDrain(at) };
}

async function timeDrain(at) {
  const start = performance.now();
  while (Number(await get(`${at}/slow`)) < waiting) await sleep(50);
  const seconds = (performance.now() - start) / 1_000;
  console.log(
    `${waiting} waiting callbacks arrived in ${seconds.toFixed(1)} s, ${(waiting / seconds).toFixed(0)} a second`,
  );
}

/** Returns a function that sends one event to the next source. */
function poster(urls) {
  let sent = 0;
  return async () => {
    const body = JSON.stringify({
      sentAt: Date.now(),
      number: sent,
      text: 'Since this morning the gate is closed. '.repeat(8),
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(urls[sent++ % urls.length], { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`An event was answered ${response.status}`);
  };
}

function get(url) {
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { agent }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve(text);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
