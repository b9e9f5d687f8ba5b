// Starts a cluster, applies the overlay `one-node` to it as docs/kubernetes.md describes, and passes it to the test files as the shared product.
import { spawn } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ROOT, run } from '../../../scripts/step.mjs';
import { startAdminServer } from '../../support/admin-server.js';
import { IMAGES } from './images.mjs';
import { NODE_ADDRESS } from './machine.mjs';
import { startNode } from './node.mjs';
import { PODS } from './settings.mjs';

const NAMESPACE = 'drawbridge';
const SANDBOX_NAMESPACE = 'drawbridge-sandbox';
const PORT = 30_080;
const PROVIDER_PORT = 40_080;
/** The volume claims of PostgreSQL and Kafka, each with the user id that owns its volume. This cluster provides no volumes by itself. */
const VOLUMES = { 'data-postgres-0': 999, 'data-kafka-0': 1000 };

export default async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-cluster-'));
  let [node, admin, logs] = [];
  globalThis.stopDrawbridge = async () => {
    logs?.kill();
    await admin?.stop();
    await node?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    node = await startNode(folder, IMAGES);
    node.kubectl(
      ['apply', '-f', '-'],
      Object.entries(VOLUMES)
        .map((entry) => volume(folder, entry))
        .join('---\n'),
    );
    const overlay = writeOverlay(folder);
    node.kubectl(['apply', '--kustomize', writeSandbox(overlay)]);
    await install(folder, overlay);
    node.kubectl(['-n', SANDBOX_NAMESPACE, 'rollout', 'status', 'deployment', '--timeout=2m']);
    const databaseUrl = databaseUrlOf(node);
    process.env.DATABASE_URL = databaseUrl;
    admin = await startAdminServer();
    const logFolder = join(folder, 'followed');
    logs = follow(folder, logFolder);
    const baseUrl = `http://127.0.0.1:${PORT}`;
    const product = { shape: 'processes', baseUrl, baseUrls: [baseUrl], databaseUrl, adminUrl: admin.url };
    const place = { kafkaBrokers: '', logFolder, providerPort: PROVIDER_PORT, providerHost: NODE_ADDRESS };
    process.env.DRAWBRIDGE_E2E = JSON.stringify([{ ...product, ...place }]);
    process.env.KUBECTL = JSON.stringify([join(folder, 'bin/kubectl'), '--namespace', NAMESPACE]);
    Object.assign(process.env, accessTo(folder));
  } catch (error) {
    if (node) console.error(state(node));
    if (!process.env.KEEP_CLUSTER) await globalThis.stopDrawbridge();
    throw error;
  }
}

/** Writes a copy of the manifests with an overlay on `one-node` for this machine. Returns the folder of that overlay. */
function writeOverlay(folder) {
  const manifests = join(folder, 'manifests');
  cpSync(join(ROOT, 'deploy/kubernetes'), manifests, { recursive: true });
  const overlay = join(manifests, 'overlays/test');
  mkdirSync(overlay);
  const provider = `http://${NODE_ADDRESS}:${PROVIDER_PORT}`;
  const origins = { 'https://api.github.com': provider, 'https://api.example.com': provider };
  const literals = [
    `BASE_URL=http://127.0.0.1:${PORT}`,
    `EGRESS_ALLOW=${NODE_ADDRESS}`,
    `ORIGIN_MAP=${JSON.stringify(origins)}`,
    'PUBLIC_RATE_LIMIT=null',
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: NAMESPACE,
    resources: ['../one-node'],
    configMapGenerator: [{ name: 'drawbridge', namespace: NAMESPACE, behavior: 'merge', literals }],
    patches: [{ patch: stringify(gatewayOnPort(PORT)) }, { patch: stringify(LESS_CPU), target: SERVICES }],
  };
  writeFileSync(join(overlay, 'kustomization.yaml'), stringify(kustomization));
  return overlay;
}

/** Writes a kustomization with the namespace of programs for this machine. Returns its folder. */
function writeSandbox(overlay) {
  const folder = join(overlay, '../../sandbox-test');
  mkdirSync(folder);
  const literals = [`BASE_URL=http://127.0.0.1:${PORT}`, `SANDBOX_CLIENTS=${PODS}`];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['../sandbox'],
    configMapGenerator: [{ name: 'egress-proxy', namespace: SANDBOX_NAMESPACE, behavior: 'merge', literals }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  return folder;
}

const SERVICES = { kind: 'Deployment', labelSelector: 'drawbridge/protocol' };

/** On two cores, the requests of the services would leave no room for programs. */
const LESS_CPU = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'every' },
  spec: { template: { spec: { containers: [{ name: 'service', resources: { requests: { cpu: '50m' } } }] } } },
};

/** The gateway's Service with a port of the node, because there is no ingress controller. */
const gatewayOnPort = (nodePort) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'gateway' },
  spec: { type: 'NodePort', ports: [{ port: 8080, nodePort }] },
});

/** Runs the first commands of docs/kubernetes.md with this cluster and overlay. The images are loaded already, and the port needs no forwarding. */
async function install(folder, overlay) {
  const [, block] = /```sh\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8'));
  const commands = block
    .replace(/^node deploy\/images.*\n/m, '')
    .replace(/^kubectl .* port-forward .*\n/m, '')
    .replaceAll('deploy/kubernetes/overlays/dev/', join(overlay, '../one-node/'))
    .replaceAll('deploy/kubernetes/overlays/dev', overlay)
    .replaceAll('drawbridge-dev', NAMESPACE);
  await run('sh', ['-ec', commands], { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, ...accessTo(folder) });
}

const accessTo = (folder) => ({ KUBECONFIG: join(folder, 'admin.kubeconfig') });

/** Returns a volume for one claim, in a folder that belongs to the user of its store. */
function volume(folder, [claim, user]) {
  const path = join(folder, claim);
  mkdirSync(path);
  chownSync(path, user, user);
  return stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: claim },
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: NAMESPACE, name: claim },
      hostPath: { path },
    },
  });
}

/** Returns the address of the database for this machine, which reaches the addresses of Services as pods do. */
function databaseUrlOf({ kubectl }) {
  const read = (kind, name, path) => kubectl(['-n', NAMESPACE, 'get', kind, name, `--output=jsonpath=${path}`]);
  const secret = read(
    'deployment',
    'members',
    '{.spec.template.spec.containers[0].env[?(@.name=="DATABASE_URL")].valueFrom.secretKeyRef.name}',
  );
  const url = Buffer.from(read('secret', secret, '{.data.DATABASE_URL}'), 'base64').toString();
  return url.replace('@postgres:', `@${read('service', 'postgres', '{.spec.clusterIP}')}:`);
}

/** Writes the logs of all pods to one file, which the test files read. */
function follow(folder, logFolder) {
  mkdirSync(logFolder);
  const output = openSync(join(logFolder, 'pods.log'), 'a');
  const selector = ['--selector', 'app.kubernetes.io/part-of=drawbridge', '--max-log-requests', '100', '--tail', '-1'];
  return spawn(join(folder, 'bin/kubectl'), ['-n', NAMESPACE, 'logs', '--follow', ...selector], {
    env: { ...process.env, ...accessTo(folder) },
    stdio: ['ignore', output, output],
  });
}

/** Returns the list of pods, the events and the last log lines of the cluster, for the error message of a failed start. */
function state({ kubectl }) {
  const commands = [
    ['get', 'pods', '--all-namespaces', '--output=wide'],
    ['-n', NAMESPACE, 'get', 'events', '--sort-by=.lastTimestamp'],
    ['-n', NAMESPACE, 'logs', '--selector', 'app.kubernetes.io/part-of=drawbridge', '--tail', '5', '--prefix'],
  ];
  const outputs = commands.map((args) => {
    try {
      return kubectl(args);
    } catch (error) {
      return error.message;
    }
  });
  return outputs.join('\n').slice(-20_000);
}
