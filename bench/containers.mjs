// `node bench/containers.mjs`: measures start times of sandbox containers, compared with a plain `docker run` in the same run. It needs root, Docker
// and a build. Prints the median and the 95th percentile in milliseconds. ROUNDS is the number of rounds, by default 5.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContainers, dockerDriver } from '@drawbridge/containers';
import { hasDocker, startDocker } from '@drawbridge/testkit';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const IMAGE = 'drawbridge-sandbox';
const CODES = {
  javascript: { code: 'console.log(1)', bare: ['node', '-e', 'console.log(1)'] },
  python: { code: 'print(1)', bare: ['python3', '-c', 'print(1)'] },
  shell: { code: 'echo 1', bare: ['bash', '-c', 'echo 1'] },
};

const at = (list, share) => list.toSorted((one, other) => one - other)[Math.floor((list.length - 1) * share)];
const middle = (list) => at(list, 0.5);
const summary = (list) => `p50 ${Math.round(middle(list))} ms, p95 ${Math.round(at(list, 0.95))} ms`;

if (!hasDocker()) {
  console.log('Containers are not measured: they need root, docker.io and debootstrap.');
  process.exit();
}
const engine = await startDocker();
const containersOf = (instance, size) => {
  const driver = dockerDriver({ host: engine.host, image: IMAGE, instance, egress: { network: 'none', env: {} } });
  const warm = Object.fromEntries(Object.keys(CODES).map((language) => [language, size]));
  return createContainers({ driver, warm });
};
const cold = containersOf('cold', 0);
const warm = containersOf('warm', 1);
const limits = { input: {}, timeoutSeconds: 10, network: false, mount: 'none', persistence: 'ephemeral' };

try {
  for (const [language, { code, bare }] of Object.entries(CODES)) {
    const times = { warm: [], cold: [], bare: [] };
    await warm.run({ ...limits, language, code }); // fills the pool
    for (let round = 0; round < ROUNDS; round++) {
      // Each measurement first waits for background work of the previous measurement, such as a removal or a replacement.
      times.warm.push(await settledTime(() => warm.run({ ...limits, language, code })));
      times.cold.push(await settledTime(() => cold.run({ ...limits, language, code })));
      times.bare.push(await settledTime(() => dockerRun(bare)));
    }
    for (const [kind, list] of Object.entries(times)) console.log(language, kind, summary(list));
    console.log(language, 'cold / bare', (middle(times.cold) / middle(times.bare)).toFixed(2));
  }
} finally {
  await Promise.all([warm.close(), cold.close()]);
  await engine.stop();
}

async function settledTime(work) {
  await sleep(1_000);
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function dockerRun(command) {
  const args = ['-H', engine.host, 'run', '--rm', '--network', 'none', IMAGE, ...command];
  const [code] = await once(spawn('docker', args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`docker run exited with ${code}`);
}
