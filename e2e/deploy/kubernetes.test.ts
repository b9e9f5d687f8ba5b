import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderJob } from '@drawbridge/containers';
import { SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { parseAllDocuments } from 'yaml';
import { type KubernetesTools, kubernetesTools } from './support/kubernetes-tools.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'deploy/kubernetes');
const OVERLAYS = ['dev', 'one-node', 'production'];
/** The overlay one-node with the component gvisor. */
const GVISOR = 'one-node-gvisor';
/** The namespace of programs, which an overlay with the component `sandbox` uses. */
const SANDBOX = 'sandbox';
const WITH_SANDBOX = ['one-node'];
const VERSIONS = ['1.31', '1.35'];
const SECRETS = readFileSync(join(SOURCE, 'secrets.example.env'), 'utf8');

let folder: string;
let tools: KubernetesTools;
const rendered: Record<string, any[]> = {};

beforeAll(async () => {
  tools = await kubernetesTools();
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-kubernetes-'));
  cpSync(SOURCE, folder, { recursive: true });
  for (const overlay of OVERLAYS) {
    const place = join(folder, 'overlays', overlay);
    writeFileSync(join(place, 'secrets.env'), SECRETS);
    await render(overlay, place);
  }
  await render(SANDBOX, join(folder, SANDBOX));
  await render(GVISOR, overlayWith('one-node', 'gvisor'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function render(name: string, place: string): Promise<void> {
  const text = await tools.render(place);
  writeFileSync(join(folder, `${name}.yaml`), text);
  rendered[name] = parseAllDocuments(text).map((document) => document.toJS());
}

/** Writes an overlay that adds a component to another overlay, as an operator does. Returns its folder. */
function overlayWith(overlay: string, component: string): string {
  const place = join(folder, 'overlays', `${overlay}-${component}`);
  mkdirSync(place);
  const lines = [`resources: [../${overlay}]`, `components: [../../components/${component}]`];
  writeFileSync(join(place, 'kustomization.yaml'), lines.join('\n'));
  return place;
}

const ofKind = (overlay: string, kind: string): any[] => rendered[overlay]!.filter((one) => one.kind === kind);
const named = (overlay: string, kind: string, name: string): any =>
  ofKind(overlay, kind).find(({ metadata }) => metadata.name === name);
const workloads = (overlay: string): any[] => [...ofKind(overlay, 'Deployment'), ...ofKind(overlay, 'StatefulSet')];

describe.each([...OVERLAYS, SANDBOX])('the manifests of %s', (overlay) => {
  it.each(VERSIONS)('are valid by the schemas of Kubernetes %s', async (version) => {
    await tools.validate(version, join(folder, `${overlay}.yaml`));
  });

  it('are accepted by the profile `restricted` of Pod Security, and only execution with programs has a token of the cluster', () => {
    const namespaces = ofKind(overlay, 'Namespace');
    expect(namespaces).toHaveLength(1);
    expect(namespaces[0].metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    for (const { metadata, spec } of workloads(overlay)) {
      const { containers, securityContext, automountServiceAccountToken, volumes = [] } = spec.template.spec;
      expect({ name: metadata.name, automountServiceAccountToken, ...securityContext }).toMatchObject({
        automountServiceAccountToken: metadata.name === 'execution' && WITH_SANDBOX.includes(overlay),
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(volumes.filter((volume: object) => !('emptyDir' in volume))).toEqual([]);
      for (const { securityContext, resources, image } of containers) {
        expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
        expect(resources).toMatchObject({ requests: { cpu: expect.anything(), memory: expect.anything() } });
        expect(resources.limits).toHaveProperty('memory');
        expect(image).toMatch(/:[\w.]*\d[\w.]*$/);
      }
    }
  });
});

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  it('runs each service with probes, time to drain, a budget and without an interruption', () => {
    for (const service of SERVICES) {
      const { spec } = named(overlay, 'Deployment', service);
      expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      const { terminationGracePeriodSeconds, containers } = spec.template.spec;
      const [{ securityContext, lifecycle, ...container }] = containers;
      expect(securityContext.readOnlyRootFilesystem).toBe(true);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) expect(container).toHaveProperty(probe);
      // A process completes requests for up to 20 s and exits by itself after 25 s. Kubernetes must not kill it before that.
      expect(terminationGracePeriodSeconds - lifecycle.preStop.sleep.seconds).toBeGreaterThan(25);
      expect(named(overlay, 'PodDisruptionBudget', service).spec.maxUnavailable).toBe(1);
    }
  });

  it('gives each service the variables that it requires, and no unknown one', () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const readers = new Map([...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, name, by]) => [name, by]));
    const data = Object.keys(named(overlay, 'ConfigMap', configOf(overlay)).data);
    for (const service of SERVICES) {
      const [container] = named(overlay, 'Deployment', service).spec.template.spec.containers;
      const names: string[] = [...data, ...container.env.map(({ name }: { name: string }) => name)];
      expect(names.filter((name) => !readers.has(name))).toEqual([]);
      for (const name of ['INTERNAL_KEY', 'DATABASE_URL', 'KAFKA_BROKERS', 'MASTER_KEYS', 'BOOTSTRAP_API_KEY']) {
        const isRead = readers.get(name) === 'all' || readers.get(name)!.split(', ').includes(service);
        if (isRead) expect({ service, names }).toEqual({ service, names: expect.arrayContaining([name]) });
      }
      // A service receives only the variables, and so the secrets, that it reads.
      for (const { name } of container.env) {
        const by = readers.get(name)!;
        expect({ name, service, isRead: by === 'all' || by.split(', ').includes(service) }).toMatchObject({
          isRead: true,
        });
      }
    }
  });

  it('denies every connection by default, and allows those of packages/contracts/src/services.ts', () => {
    expect(named(overlay, 'NetworkPolicy', 'default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const service of SERVICES) {
      const { ingress, egress = [] } = named(overlay, 'NetworkPolicy', service).spec;
      const mayCall = egress.flatMap((rule: any) => servicesOf(rule.to));
      expect({ service, mayCall: mayCall.sort() }).toEqual({
        service,
        mayCall: [...SERVICE_TABLE[service].mayCall].sort(),
      });
      const callers = ingress
        .filter(({ ports }: any) => ports[0].port === 'grpc')
        .flatMap((rule: any) => servicesOf(rule.from));
      const expected = SERVICES.filter((caller) => SERVICE_TABLE[caller].mayCall.includes(service));
      expect({ service, callers: callers.sort() }).toEqual({
        service,
        callers: service === 'gateway' ? [] : [...expected].sort(),
      });
    }
    expect(ofKind(overlay, 'Ingress').map(({ spec }) => spec.rules[0].http.paths[0].backend.service.name)).toEqual(
      overlay === 'production' ? ['gateway'] : [],
    );
  });

  it('lets only the services that send requests to other systems reach the internet, and no private address', () => {
    const { podSelector, egress } = named(overlay, 'NetworkPolicy', 'internet').spec;
    expect(podSelector.matchLabels).toEqual({ 'drawbridge/outside': 'true' });
    const reaching = SERVICES.filter(
      (service) => named(overlay, 'Deployment', service).spec.template.metadata.labels['drawbridge/outside'],
    );
    expect(reaching).toEqual(SERVICES.filter((service) => dependsOnEgress(service)));
    expect(egress[0].to[0].ipBlock.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    );
  });
});

it('scales every service by its CPU in production, from two replicas', () => {
  const scaled = ofKind('production', 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [
    metadata.name,
    spec.minReplicas,
  ]);
  expect(Object.fromEntries(scaled)).toEqual(Object.fromEntries(SERVICES.map((service) => [service, 2])));
  for (const service of SERVICES) expect(named('one-node', 'Deployment', service).spec.replicas).toBe(2);
});

describe('the namespace of programs', () => {
  it('gives the service account of execution the rights that packages/containers uses, and no other', () => {
    const [{ roleRef, subjects }] = ofKind(SANDBOX, 'RoleBinding');
    const [role] = ofKind(SANDBOX, 'Role');
    expect(roleRef).toMatchObject({ kind: 'Role', name: role.metadata.name });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'execution', namespace: 'drawbridge' }]);
    const rights = role.rules.flatMap(({ resources, verbs }: any) =>
      verbs.map((verb: string) => `${verb} ${resources.join()}`),
    );
    expect(rights.sort()).toEqual([
      ...['create jobs', 'create pods/attach', 'delete jobs', 'get networkpolicies', 'get pods/attach'],
      ...['list jobs', 'list pods'],
    ]);
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) {
      for (const name of [...OVERLAYS, SANDBOX]) expect(ofKind(name, kind)).toEqual([]);
    }
    for (const overlay of OVERLAYS) expect(ofKind(overlay, 'RoleBinding')).toEqual([]);
  });

  it('limits Jobs more strictly than pods, so that a program beyond the quota fails at once', () => {
    const { hard } = ofKind(SANDBOX, 'ResourceQuota')[0].spec;
    expect(Number(hard.pods)).toBeGreaterThanOrEqual(Number(hard['count/jobs.batch']) * 1.2);
    expect(Number(hard['count/jobs.batch']) % 27).toBe(0); // The Jobs of a process, as docs/kubernetes.md states.
  });

  it('denies all traffic, except of programs with network to the egress proxy', () => {
    expect(named(SANDBOX, 'NetworkPolicy', 'deny-all').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const { podSelector, egress } = named(SANDBOX, 'NetworkPolicy', 'programs-to-proxy').spec;
    expect(podSelector.matchLabels).toEqual({ 'drawbridge.sandbox/network': 'proxy' });
    const proxy = named(SANDBOX, 'Deployment', 'egress-proxy').spec.template;
    expect(servicesOf(egress[0].to)).toEqual([proxy.metadata.labels['app.kubernetes.io/name']]);
    expect(egress).toHaveLength(1);
    expect(egress[0].ports).toEqual([{ port: proxy.spec.containers[0].ports[0].containerPort }]);
    // The proxy reaches what the services that send requests to providers reach.
    const outside = named(SANDBOX, 'NetworkPolicy', 'egress-proxy').spec.egress[1];
    expect(outside).toEqual(named('production', 'NetworkPolicy', 'internet').spec.egress[0]);
  });

  it.each(WITH_SANDBOX)('is the one that execution of the overlay %s uses', (overlay) => {
    const { serviceAccountName, containers } = named(overlay, 'Deployment', 'execution').spec.template.spec;
    expect(serviceAccountName).toBe(ofKind(overlay, 'ServiceAccount')[0].metadata.name);
    const { name } = ofKind(SANDBOX, 'Namespace')[0].metadata;
    expect(containers[0].env).toContainEqual({ name: 'SANDBOX_KUBERNETES_NAMESPACE', value: name });
    const { image } = named(SANDBOX, 'Deployment', 'egress-proxy').spec.template.spec.containers[0];
    expect(containers[0].env).toContainEqual({ name: 'SANDBOX_IMAGE', value: image });
  });

  it.each(VERSIONS)(
    'can run programs in gVisor, by manifests that are valid by the schemas of Kubernetes %s',
    async (version) => {
      await tools.validate(version, join(folder, `${GVISOR}.yaml`));
      expect(named(GVISOR, 'RuntimeClass', 'gvisor').handler).toBe('runsc');
      const [{ env }] = named(GVISOR, 'Deployment', 'execution').spec.template.spec.containers;
      expect(env).toContainEqual({ name: 'SANDBOX_RUNTIME', value: 'gvisor' });
      expect(env).toContainEqual({ name: 'SANDBOX_KUBERNETES_NAMESPACE', value: 'drawbridge-sandbox' });
    },
  );

  it.each(VERSIONS)('receives Jobs that are valid by the schemas of Kubernetes %s', async (version) => {
    const options = {
      name: 'run',
      namespace: 'a',
      instance: 'b',
      image: 'c:1',
      runtimeClassName: 'gvisor',
      proxy: 'd:1',
    };
    const file = join(folder, 'job.yaml');
    writeFileSync(file, JSON.stringify(renderJob({ language: 'python', network: true }, options)));
    await tools.validate(version, file);
  });
});

const configOf = (overlay: string): string =>
  ofKind(overlay, 'ConfigMap').find(({ metadata }) => /^drawbridge-/.test(metadata.name)).metadata.name;

const servicesOf = (peers: any[] = []): string[] =>
  peers.flatMap(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] ?? []);

const dependsOnEgress = (service: ServiceName): boolean => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'services', service, 'package.json'), 'utf8'));
  return '@drawbridge/egress' in dependencies;
};
