import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';

const ROOT = join(import.meta.dirname, '..');

const SERVICE = ['contracts', 'database', 'events', 'proto', 'rpc', 'service'];

/** What each package may import of ours at run time. A new package takes its place here first. */
const ARROWS: Record<string, string[]> = {
  proto: [],
  contracts: [],
  'piece-kit': ['contracts'],
  postgres: [],
  turns: [],
  egress: ['contracts', 'turns'],
  rpc: ['contracts', 'proto'],
  database: ['contracts', 'proto', 'rpc'],
  events: ['contracts', 'proto', 'rpc'],
  jobs: ['egress', 'rpc'],
  pieces: ['piece-kit'],
  'schema-engine': [],
  service: ['contracts', 'database', 'events', 'rpc'],
  testkit: ['contracts', 'postgres'],
  members: SERVICE,
  connections: [...SERVICE, 'pieces'],
  catalog: [...SERVICE, 'piece-kit', 'pieces'],
  execution: [...SERVICE, 'egress', 'piece-kit', 'pieces', 'turns'],
  gateway: ['contracts', 'proto', 'rpc', 'turns'],
  cli: [...SERVICE, 'postgres', 'members', 'connections', 'catalog', 'execution', 'gateway'],
};

const manifests = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, name, 'package.json'), 'utf8'));
    return { name, ours: Object.keys(dependencies).flatMap(ofOurs) };
  }),
);

it('has an arrow for every package', () => {
  expect(Object.keys(ARROWS).sort()).toEqual(manifests.map(({ name }) => name).sort());
});

it.each(manifests)('lets $name depend on what lies below it alone', ({ name, ours }) => {
  expect(ours.filter((dependency) => !ARROWS[name]?.includes(dependency))).toEqual([]);
});

it.each(SERVICES)('lets %s call what starts before it alone', (service) => {
  const before = SERVICES.slice(0, SERVICES.indexOf(service));
  expect(SERVICE_TABLE[service].mayCall.filter((callable) => !before.includes(callable))).toEqual([]);
});

it.each(SERVICES)('finds in %s no other call than the table of services has', (service) => {
  const callable: readonly string[] = SERVICE_TABLE[service].mayCall;
  const folder = join(ROOT, 'services', service, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const called = sources
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((source) => [...source.matchAll(/\.client\(\s*'(\w+)'/g)].map(([, target]) => target ?? ''));
  expect(called.filter((target) => !callable.includes(target))).toEqual([]);
});

it('is shown in docs/architecture.md: every service, and whom it may call', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const shown = [...page.matchAll(/^\| `(\w+)` *\|[^|]*\| ([^|]*?) *\|$/gm)].map(([, service, calls]) => [
    service,
    calls,
  ]);
  const table = SERVICES.map((service) => [service, asText(SERVICE_TABLE[service].mayCall)]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(table));
});

function asText(services: readonly string[]): string {
  return services.length === SERVICES.length - 1 ? 'all' : services.join(', ');
}

function ofOurs(dependency: string): string[] {
  return dependency.startsWith('@drawbridge/') ? [dependency.slice('@drawbridge/'.length)] : [];
}
