// Runs `pnpm kafka`: starts one Kafka node on this machine, in the foreground, for development and tests.
//   --port 9092    port on 127.0.0.1; 0 = a free port
//   --data FOLDER  data folder. Default: .data/kafka
// A parent process waits for the line `kafka ready on 127.0.0.1:PORT` and stops the node with SIGTERM.
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startNode } from './kafka-node.mjs';
import { prepareKafka } from './prepare-kafka.mjs';
import { ROOT } from './step.mjs';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '9092' }, data: { type: 'string', default: join(ROOT, '.data/kafka') } },
});
const data = resolve(values.data);
if (!/^\d{1,5}$/.test(values.port)) fail(`--port must be a number, not ${values.port}`);

try {
  await prepareKafka(freePort);
} catch (error) {
  fail(error.message);
}
await run(await freePort(Number(values.port)));

async function run(port) {
  console.log(`Starting Kafka on 127.0.0.1:${port}, data and log in ${data} …`);
  const { kafka, started } = startNode({ data, port, controller: await freePort() });
  void started.then(() => console.log(`kafka ready on 127.0.0.1:${port}`));

  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      kafka.kill(asked ? 'SIGKILL' : 'SIGTERM');
      asked = true;
    });
  }
  kafka.on('exit', (code) => {
    if (!asked) console.error(`Kafka exited unexpectedly. Read ${join(data, 'server.log')} for the reason.`);
    process.exit(asked ? 0 : code || 1);
  });
}

/** Returns the requested port, or any free port for 0. Exits if the port is in use. */
function freePort(wanted = 0) {
  return new Promise((done) => {
    const server = createServer().listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
    server.on('error', ({ code }) =>
      fail(`Cannot listen on 127.0.0.1:${wanted} (${code}); choose another with --port.`),
    );
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
