import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { parseAllDocuments } from 'yaml';
import { type KubernetesTools, kubernetesTools } from './support/kubernetes-tools.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'deploy/kubernetes');
const OVERLAYS = ['dev', 'one-node', 'production'];
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
    const text = await tools.render(place);
    writeFileSync(join(folder, `${overlay}.yaml`), text);
    rendered[overlay] = parseAllDocuments(text).map((document) => document.toJS());
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ofKind = (overlay: string, kind: string): any[] => rendered[overlay]!.filter((one) => one.kind === kind);
const named = (overlay: string, kind: string, name: string): any =>
  ofKind(overlay, kind).find(({ metadata }) => metadata.name === name);
const workloads = (overlay: string): any[] => [...ofKind(overlay, 'Deployment'), ...ofKind(overlay, 'StatefulSet')];

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  it.each(VERSIONS)('is valid by the schemas of Kubernetes %s', async (version) => {
    await tools.validate(version, join(folder, `${overlay}.yaml`));
  });

  it('is accepted by the profile `restricted` of Pod Security, without a token of the cluster', () => {
    const namespaces = ofKind(overlay, 'Namespace');
    expect(namespaces).toHaveLength(1);
    expect(namespaces[0].metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    for (const { metadata, spec } of workloads(overlay)) {
      const { containers, securityContext, automountServiceAccountToken, volumes = [] } = spec.template.spec;
      expect({ name: metadata.name, automountServiceAccountToken, ...securityContext }).toMatchObject({
        automountServiceAccountToken: false,
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

const configOf = (overlay: string): string =>
  ofKind(overlay, 'ConfigMap').find(({ metadata }) => /^drawbridge-/.test(metadata.name)).metadata.name;

const servicesOf = (peers: any[] = []): string[] =>
  peers.flatMap(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] ?? []);

const dependsOnEgress = (service: ServiceName): boolean => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'services', service, 'package.json'), 'utf8'));
  return '@drawbridge/egress' in dependencies;
};
