// `node bench/neighbour.mjs`: measures one organization's calls while the provider does not respond to another organization. See README.md.
//   --hanging 200  number of calls that hang
//   --seconds 12   duration of each measurement, at 50 calls a second; the hanging calls time out after 30 seconds
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { adminOf } from '@drawbridge/testkit';
import { percentile, table } from './figures.mjs';
import { apply } from './load.mjs';
import { startServer } from './processes.mjs';
import { configure, startProduct } from './product.mjs';
import { executeSubject } from './subjects.mjs';

const RATE = 50;
const WARM_UP_SECONDS = 2;

const { values } = parseArgs({
  options: {
    hanging: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '12' },
  },
});
const [hanging, seconds] = [Number(values.hanging), Number(values.seconds)];

const provider = await startServer('provider.mjs');
const product = await startProduct(provider.url).catch(async (error) => {
  await provider.stop();
  throw error;
});
try {
  console.log(await compare(executeSubject(product), await other(product)));
} finally {
  await product.stop();
  await provider.stop();
}

async function compare(subject, hang) {
  await apply(subject, { inFlight: 32 }, WARM_UP_SECONDS);
  const calm = await measure('calm', subject);
  await hang();
  return table([
    [`${RATE} calls a second`, 'p50 ms', 'p99 ms'],
    calm,
    await measure(`${hanging} of another hang`, subject),
  ]);
}

async function measure(name, subject) {
  const { latencies } = await apply(subject, { rate: RATE }, seconds);
  return [name, percentile(latencies, 50).toFixed(2), percentile(latencies, 99).toFixed(2)];
}

/** Creates another organization. Returns a function that starts calls that hang until the product stops. */
async function other({ baseUrl, databaseUrl }) {
  const names = ['--name', 'Neighbour', '--owner-email', 'neighbour@example.com', '--plan', 'enterprise'];
  const { plainKey: key } = await adminOf(databaseUrl)('org', 'create', ...names);
  const action = await configure({ baseUrl, key });
  const body = JSON.stringify({ ...action, input: { repo: 'acme/hangs', title: 'No answer' } });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = () =>
    fetch(`${baseUrl}/api/v1/actions/execute`, { method: 'POST', headers, body }).catch(() => undefined);
  return async () => {
    for (let call = 0; call < hanging; call++) void send();
    await sleep(1_000); // By this time, each call has been sent or is queued.
  };
}
