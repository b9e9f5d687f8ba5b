import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';

const ROOT = join(import.meta.dirname, '..');

const SERVICE = ['contracts', 'database', 'events', 'proto', 'rpc', 'service'];

/** The Drawbridge packages that each package may import at run time. Add a new package here first. */
const ARROWS: Record<string, string[]> = {
  proto: [],
  contracts: [],
  'piece-kit': ['contracts'],
  'code-mode': ['contracts', 'piece-kit'],
  postgres: [],
  design: [],
  turns: ['contracts'],
  sandbox: ['contracts', 'turns'],
  rpc: ['contracts', 'proto'],
  egress: ['contracts', 'rpc', 'turns'],
  database: ['contracts', 'proto', 'rpc'],
  events: ['contracts', 'proto', 'rpc'],
  containers: ['egress', 'rpc'],
  jobs: ['egress', 'events', 'rpc'],
  mail: ['contracts', 'database', 'design', 'jobs', 'proto', 'rpc'],
  pieces: ['contracts', 'piece-kit'],
  'schema-engine': [],
  'sdk-typescript': [],
  service: ['contracts', 'database', 'events', 'rpc'],
  testkit: ['contracts', 'postgres'],
  members: [...SERVICE, 'egress', 'jobs', 'mail', 'turns'],
  connections: [...SERVICE, 'egress', 'jobs', 'mail', 'piece-kit', 'pieces'],
  catalog: [...SERVICE, 'piece-kit', 'pieces'],
  approvals: [...SERVICE, 'egress', 'jobs', 'mail', 'piece-kit', 'pieces', 'turns'],
  execution: [...SERVICE, 'code-mode', 'containers', 'egress', 'piece-kit', 'pieces', 'sandbox', 'turns'],
  triggers: [...SERVICE, 'egress', 'jobs', 'mail', 'piece-kit', 'pieces'],
  mcp: [...SERVICE, 'egress', 'piece-kit', 'pieces', 'turns'],
  gateway: ['code-mode', 'contracts', 'design', 'proto', 'rpc', 'turns'],
  cli: [
    'egress',
    ...SERVICE,
    'pieces',
    'postgres',
    'members',
    'connections',
    'catalog',
    'approvals',
    'execution',
    'triggers',
    'mcp',
    'gateway',
  ],
};

/** Returns the packages of a folder. A package in another language has no npm manifest. */
const packagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).filter((name) => existsSync(join(ROOT, folder, name, 'package.json')));

const manifests = ['packages', 'services'].flatMap((folder) =>
  packagesIn(folder).map((name) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, name, 'package.json'), 'utf8'));
    return { name, folder: `${folder}/${name}`, ours: Object.keys(dependencies).flatMap(ofOurs) };
  }),
);

it('lists the dependencies of every package', () => {
  expect(Object.keys(ARROWS).sort()).toEqual(manifests.map(({ name }) => name).sort());
});

it.each(manifests)('lets $name depend only on lower layers', ({ name, ours }) => {
  expect(ours.filter((dependency) => !ARROWS[name]?.includes(dependency))).toEqual([]);
});

// The compiler builds packages in the order of these references. A missing one can make a first build fail, depending on the order.
it.each(manifests.filter(({ name }) => !name.startsWith('sdk')))(
  'refers in the tsconfig.json of $name to its dependencies',
  ({ folder, ours }) => {
    expect(
      referencesIn(folder)
        .map((path) => basename(path))
        .sort(),
    ).toEqual(ours.sort());
  },
);

it('refers in tsconfig.json to every package but the SDK, which has a build of its own', () => {
  const all = manifests.filter(({ name }) => !name.startsWith('sdk')).map(({ folder }) => folder);
  expect(referencesIn('.').sort()).toEqual(all.sort());
});

it.each(SERVICES)('lets %s call only services that start before it', (service) => {
  const before = SERVICES.slice(0, SERVICES.indexOf(service));
  expect(SERVICE_TABLE[service].mayCall.filter((callable) => !before.includes(callable))).toEqual([]);
});

it.each(SERVICES)('finds in %s only calls that the table of services allows', (service) => {
  const callable: readonly string[] = SERVICE_TABLE[service].mayCall;
  const called = [...sourceOf(service).matchAll(/\.client\(\s*'(\w+)'/g)].map(([, target]) => target ?? '');
  expect(called.filter((target) => !callable.includes(target))).toEqual([]);
});

it('docs/architecture.md lists every service and the services that it may call', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const shown = [...page.matchAll(/^\| `(\w+)` *\|[^|]*\| ([^|]*?) *\|$/gm)].map(([, service, calls]) => [
    service,
    calls,
  ]);
  const table = SERVICES.map((service) => [service, asText(SERVICE_TABLE[service].mayCall)]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(table));
});

it('lets every other service with a database look up workspaces', () => {
  const others = SERVICES.filter((service) => service !== 'members' && SERVICE_TABLE[service].hasDatabase);
  const { callers } = ACCESS['drawbridge.members.v1.WorkspaceService'].lookUpWorkspace;
  expect([...callers].sort()).toEqual(others.sort());
});

it.each(SERVICES)('finds in %s each call that its RPC permissions allow', (service) => {
  const source = sourceOf(service);
  const shared = readFileSync(join(ROOT, 'packages/rpc/src/live-workspaces.ts'), 'utf8');
  // The code that looks up workspaces is shared: defineService() calls it in each service with a database.
  const all = SERVICE_TABLE[service].hasDatabase ? source + shared : source;
  const access: Record<string, Record<string, { callers: readonly string[] }>> = ACCESS;
  const callable = Object.entries(access).flatMap(([rpcs, methods]) =>
    Object.entries(methods)
      .filter(([, { callers }]) => callers.includes(service))
      .map(([method]) => ({ client: `${rpcs.split('.').at(-1)}Definition`, method })),
  );
  expect(callable.filter(({ client, method }) => !hasCall(all, client, method))).toEqual([]);
});

it.each(SERVICES)('names the worker files that %s starts as the bundle names them', (service) => {
  const started = [...sourceOf(service).matchAll(/new URL\('\.\/([^']+)\.js', import\.meta\.url\)/g)];
  // deploy/bundle.mjs bundles only worker files named `*-worker.js`, so a worker with another name would be missing in the images.
  expect(started.map(([, name]) => name).filter((name) => !name?.endsWith('-worker'))).toEqual([]);
});

/** Returns the paths to which a tsconfig.json refers. The file may contain a comment at the end of a line, which JSON does not allow. */
function referencesIn(folder: string): string[] {
  const text = readFileSync(join(ROOT, folder, 'tsconfig.json'), 'utf8').replaceAll(/ \/\/.*$/gm, '');
  const { references = [] }: { references?: { path: string }[] } = JSON.parse(text);
  return references.map(({ path }) => path);
}

/** Returns whether the source creates a client of this RPC service and calls a method with this name. */
function hasCall(source: string, client: string, method: string): boolean {
  return new RegExp(`\\.client\\(\\s*'\\w+',\\s*${client}\\b`).test(source) && source.includes(`.${method}(`);
}

/** Returns all source files of a service as one string. */
function sourceOf(service: ServiceName): string {
  const folder = join(ROOT, 'services', service, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const own = files.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts') && !/\bgen\//.test(name));
  return own.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

function asText(services: readonly string[]): string {
  return services.length === SERVICES.length - 1 ? 'all' : services.join(', ');
}

function ofOurs(dependency: string): string[] {
  return dependency.startsWith('@drawbridge/') ? [dependency.slice('@drawbridge/'.length)] : [];
}
