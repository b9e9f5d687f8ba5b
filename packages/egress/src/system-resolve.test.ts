import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NameServer, startNameServer } from '@drawbridge/testkit';
import { systemResolve } from './system-resolve.js';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-names-'));
const hostsFile = join(folder, 'hosts');
const resolvConf = join(folder, 'resolv.conf');
const never = new AbortController().signal;

let names: NameServer;

beforeAll(async () => {
  names = await startNameServer({
    'both.example': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] },
    'six.example': { aaaa: ['2001:db8:0:0:0:0:0:6'] },
    'db.cluster.local': { a: ['10.0.0.5'] },
    'db.other.cluster.local': { a: ['10.0.0.6'] },
    'silent.example': 'silent',
  });
});
afterAll(async () => {
  await names.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  names.asked.length = 0;
  writeFileSync(hostsFile, '127.0.0.1 localhost\n# 192.0.2.9 no.example\n');
  writeFileSync(resolvConf, 'nameserver 192.0.2.53\nsearch cluster.local. other.cluster.local # two\n');
});

const resolver = () => systemResolve({ hostsFile, resolvConf, servers: [names.address] });

it.each([
  ['both.example', ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
  ['six.example', ['2001:db8::6']],
  ['db', ['10.0.0.5']],
  ['db.other', ['10.0.0.6']],
  ['no.example', []],
])('resolves %s', async (name, addresses) => {
  expect(await resolver()(name, never)).toEqual(addresses);
});

it('asks for a public name whole first, and for a short one in its domains', async () => {
  await resolver()('both.example', never);
  expect([...new Set(names.asked)]).toEqual(['both.example']);
  names.asked.length = 0;
  await resolver()('db', never);
  expect([...new Set(names.asked)]).toEqual(['db.cluster.local']);
});

it('uses the hosts file without DNS, and notices changes', async () => {
  const resolve = resolver();
  expect(await resolve('api', never)).toEqual([]);
  names.asked.length = 0;
  writeFileSync(hostsFile, '10.1.2.3 API web # the api\nfd00::1\tapi\n');
  expect(await resolve('api', never)).toEqual(['10.1.2.3', 'fd00::1']);
  expect(names.asked).toEqual([]);
});

it('answers without the files', async () => {
  const resolve = systemResolve({ hostsFile: `${folder}/no`, resolvConf: `${folder}/no`, servers: [names.address] });
  expect(await resolve('six.example', never)).toEqual(['2001:db8::6']);
});

it('gives up on a silent name with the signal, and waits for none meanwhile', async () => {
  const given = new AbortController();
  setMaxListeners(100, given.signal);
  const resolve = resolver();
  const silent = Array.from({ length: 100 }, () => resolve('silent.example', given.signal));
  expect(await resolve('six.example', never)).toEqual(['2001:db8::6']);
  given.abort();
  const outcomes = await Promise.allSettled(silent);
  expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
});
