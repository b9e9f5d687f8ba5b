// Stands in for packages/cli until that can start the product: every built service in one process, and `admin org create`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../..');
const load = (path) => import(join(root, path));

if (process.argv[2] === 'admin') await admin();
else await start();

async function start() {
  const rpc = await load('packages/rpc/dist/index.js');
  const { openBus } = await load('packages/events/dist/index.js');
  const config = rpc.readConfig(process.env);
  const network = new rpc.LocalNetwork();
  const bus = openBus({ brokers: config.KAFKA_BROKERS, clientId: 'drawbridge', log: rpc.createLogger('bus', 'info') });
  const services = [];
  for (const name of ['members', 'catalog', 'connections', 'execution', 'gateway']) {
    if (!existsSync(join(root, `services/${name}/dist/index.js`))) continue;
    const log = rpc.createLogger(name, config.LOG_LEVEL);
    const factory = (await load(`services/${name}/dist/index.js`))[name];
    const service = await factory({ config, log, bus, network: network.for(name) });
    network.register(service, log);
    services.push(service);
  }
  await bus.start();
  for (const service of services) await rpc.startBackground(service);
  rpc.onceAskedToStop(async () => {
    for (const service of services.reverse()) await rpc.stopBackground(service);
    await bus.stop();
    for (const service of services) await service.close();
  });
}

async function admin() {
  const { openAdmin } = await load('services/members/dist/admin.js');
  const options = {
    name: { type: 'string' },
    'owner-email': { type: 'string' },
    plan: { type: 'string', default: 'free' },
  };
  const { values } = parseArgs({ args: process.argv.slice(5), options });
  const members = await openAdmin(process.env.DATABASE_URL, process.env.PLANS_FILE ?? '');
  const wanted = { name: values.name, ownerEmail: values['owner-email'], plan: values.plan };
  console.log(JSON.stringify(await members.createOrganization(wanted)));
  await members.close();
}
