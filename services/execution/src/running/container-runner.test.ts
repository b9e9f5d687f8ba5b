import { networkInterfaces } from 'node:os';
import { type ConsoleLine } from '@drawbridge/piece-kit';
import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { readConfig } from '@drawbridge/rpc';
import { byLine, toFailure } from './container-runner.js';
import { egressEnv } from './open-containers.js';

const ORIGIN_MAP = JSON.stringify({ 'https://api.example.com': 'http://mirror.internal/token-planted' });
const GATEWAY = { BASE_URL: 'https://gateway.example', PORT: '8080', OWN_ORIGINS: 'http://inside:8080' };
const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address));

it('gives the egress proxy the rules and no secret', () => {
  const config = readConfig({ ...GATEWAY, ORIGIN_MAP, EGRESS_ALLOW: '10.0.0.0/8' }, EGRESS_VARIABLES);
  const env = egressEnv(config);
  expect(env).toMatchObject({ BASE_URL: GATEWAY.BASE_URL, PORT: '8080', EGRESS_ALLOW: '10.0.0.0/8' });
  expect(JSON.stringify(env)).not.toContain('token-planted');
  expect(env['OWN_ORIGINS']).toContain(GATEWAY.OWN_ORIGINS);
});

it('lets the proxy refuse the gateway on the addresses of this machine', () => {
  const config = readConfig({ ...GATEWAY, EGRESS_ALLOW: '0.0.0.0/0,::/0' }, EGRESS_VARIABLES);
  // The port differs, because the proxy runs on another machine and cannot recognize the gateway by its own port and addresses.
  const egress = configuredEgress({ ...readConfig(egressEnv(config), EGRESS_VARIABLES), PORT: 1 });
  for (const address of addresses) {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(() => egress.requireReachable(`http://${host}:8080/`)).toThrow("the gateway's own address");
  }
});

it('returns each complete line once', () => {
  const lines: ConsoleLine[] = [];
  const onOutput = byLine((line) => void lines.push(line));
  for (const text of ['a', 'b\nc', '\n\nd\n', 'e']) onOutput({ stream: 'stdout', text });
  onOutput({ stream: 'stderr', text: 'no\n' });
  expect(lines.map(({ level, text }) => `${level} ${text}`)).toEqual(['log ab', 'log c', 'log ', 'log d', 'error no']);
});

it('joins a long line of single characters in linear time', () => {
  const onOutput = byLine(() => undefined);
  const startedAt = performance.now();
  for (let at = 0; at < 256 * 1024; at++) onOutput({ stream: 'stdout', text: 'x' });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it.each([
  ['timed_out', 'TIMEOUT', 'ran longer than 5 s'],
  ['out_of_memory', 'MEMORY_LIMIT', 'memory limit'],
  ['failed', 'RUNTIME_ERROR', 'stopped its own container'],
  ['unknown', 'OUTCOME_UNKNOWN', 'connection to the container was lost'],
] as const)('reports a run that ended with %s as %s', (outcome, code, message) => {
  const error = toFailure({ outcome, stdout: 'a\n', stderr: '' }, 5);
  expect(error).toMatchObject({ code, retryable: false, message: expect.stringContaining(message) });
  expect(error.console).toEqual([{ level: 'log', text: 'a' }]);
});
