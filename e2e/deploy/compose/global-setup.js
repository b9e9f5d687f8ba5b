// Starts docker-compose.yml on an engine of its own, as an operator would, and passes it to the test files as the shared product.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startEmptyDocker } from '@drawbridge/testkit';
import { composeCommand } from '../../../scripts/prepare-compose.mjs';
import { ROOT, run } from '../../../scripts/step.mjs';
import { startAdminServer } from '../../support/admin-server.js';

const FILES = ['--file', 'docker-compose.yml', '--file', 'e2e/deploy/compose/override.yml'];
const STORES = ['postgres', 'kafka', 'redis'];
/** Runs two containers of one service of each kind: a service with a public port, one with workers, and one with neither. */
const SCALE = ['--scale', 'gateway=2', '--scale', 'execution=2', '--scale', 'members=2'];

export default async function setUp() {
  const engine = await startEmptyDocker(join(ROOT, '.cache/deploy/engine'));
  const ports = await portRange();
  const env = {
    ...engine.env,
    ...(await secrets()),
    BASE_URL: `http://127.0.0.1:${ports[0]}`,
    GATEWAY_PORT: ports.join('-'),
    SANDBOX_ENGINE: 'tcp://sandbox:2375',
    PUBLIC_RATE_LIMIT: 'null',
  };
  const compose = (...args) => {
    const [file, ...rest] = composeCommand();
    return run(file, [...rest, ...FILES, ...args], env);
  };
  const logFolder = mkdtempSync(join(tmpdir(), 'drawbridge-compose-'));
  let [admin, logs] = [];
  globalThis.stopDrawbridge = async () => {
    await admin?.stop();
    logs?.kill();
    rmSync(logFolder, { recursive: true });
    await compose('--profile', 'advanced-code', 'down', '--volumes', '--timeout', '30').catch(console.error);
    await engine.stop();
  };
  try {
    await run(process.execPath, ['e2e/deploy/stand-ins/build.mjs', 'node', ...STORES, 'sandbox'], env);
    await run(process.execPath, ['deploy/images.mjs', '--bundles'], env);
    await compose('up', '--detach', '--wait', ...STORES);
    const host = await addressOfHost(env);
    const providerPort = await freePort();
    const provider = `http://${host}:${providerPort}`;
    env.ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider, 'https://api.example.com': provider });
    env.EGRESS_ALLOW = host;
    await compose('--profile', 'advanced-code', 'up', '--detach', '--wait', '--no-build', ...SCALE);
    process.env.DATABASE_URL = `postgresql://drawbridge:${env.POSTGRES_PASSWORD}@${await addressOf('postgres', env)}:5432/drawbridge`;
    admin = await startAdminServer();
    logs = follow(env, logFolder);
    const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const product = { shape: 'processes', baseUrl: baseUrls[0], baseUrls, databaseUrl: process.env.DATABASE_URL };
    const place = { adminUrl: admin.url, kafkaBrokers: '', logFolder, providerPort, providerHost: host };
    process.env.DRAWBRIDGE_E2E = JSON.stringify([{ ...product, ...place }]);
    Object.assign(process.env, env, { DATABASE_URL: process.env.DATABASE_URL });
    process.env.COMPOSE = JSON.stringify([...composeCommand(), ...FILES]);
  } catch (error) {
    console.error(await compose('--profile', 'advanced-code', 'logs', '--tail', '20').catch(String));
    await globalThis.stopDrawbridge();
    throw error;
  }
}

/** Returns the variables that the command of docs/self-hosting.md writes to .env. */
async function secrets() {
  const [, command] = /^(printf [^]*?) > \.env/m.exec(readFileSync(join(ROOT, 'docs/self-hosting.md'), 'utf8'));
  const lines = (await run('sh', ['-c', command])).trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Writes the log of every container to one file, which the test files read. */
function follow(env, folder) {
  const [file, ...rest] = composeCommand();
  const output = openSync(join(folder, 'compose.log'), 'a');
  return spawn(file, [...rest, ...FILES, 'logs', '--follow', '--no-color'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', output, output],
  });
}

/** Returns two free ports, one after the other. */
async function portRange() {
  const first = await freePort();
  return [first, first + 1];
}

/** Returns the address by which containers reach this machine. */
async function addressOfHost(env) {
  const format = '{{range .IPAM.Config}}{{.Gateway}}{{end}}';
  return (await run('docker', ['network', 'inspect', 'drawbridge_default', '--format', format], env)).trim();
}

async function addressOf(service, env) {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  return (await run('docker', ['inspect', `drawbridge-${service}-1`, '--format', format], env)).trim();
}
