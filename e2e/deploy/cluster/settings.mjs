import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { cgroupRoot, NODE_ADDRESS, SERVICES } from './machine.mjs';

const API = 'https://127.0.0.1:6443';
/** The address range of pods. */
export const PODS = '10.244.0.0/24';
const ETCD = 'http://127.0.0.1:2379';
const ETCD_PEERS = 'http://127.0.0.1:2380';
export const NODE_NAME = 'node-1';

/** Writes the settings of every component to `folder`. Returns the arguments of each component. */
export function writeSettings(folder) {
  writeKeys(folder);
  const file = (name, content) => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : stringify(content));
    return join(folder, name);
  };
  const admin = join(folder, 'admin.kubeconfig');
  file('Corefile', corefile(admin));
  mkdirSync(join(folder, 'cni'));
  file('cni/10-pods.conflist', JSON.stringify(network()));
  return {
    containerd: ['--config', file('containerd.toml', containerd(folder))],
    etcd: [
      `--data-dir=${join(folder, 'etcd')}`,
      ...[`--listen-client-urls=${ETCD}`, `--advertise-client-urls=${ETCD}`],
      ...[`--listen-peer-urls=${ETCD_PEERS}`, `--initial-advertise-peer-urls=${ETCD_PEERS}`],
      `--initial-cluster=default=${ETCD_PEERS}`,
      '--unsafe-no-fsync',
    ],
    'kube-apiserver': apiServer(folder),
    'kube-controller-manager': [
      `--kubeconfig=${admin}`,
      `--service-account-private-key-file=${join(folder, 'accounts.key')}`,
      `--root-ca-file=${join(folder, 'certificates/apiserver.crt')}`,
      '--leader-elect=false',
    ],
    'kube-scheduler': [`--kubeconfig=${admin}`, '--leader-elect=false'],
    'kube-proxy': ['--config', file('proxy.yaml', proxy(admin))],
    coredns: ['-conf', join(folder, 'Corefile')],
    kubelet: [
      ...['--config', file('kubelet.yaml', kubelet(folder))],
      ...['--kubeconfig', join(folder, 'kubelet.kubeconfig')],
      ...['--root-dir', join(folder, 'kubelet')],
      ...['--hostname-override', NODE_NAME, '--node-ip', NODE_ADDRESS],
    ],
  };
}

/** Writes the key of the service accounts, and the credentials of an administrator and of the kubelet. */
function writeKeys(folder) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const access = [
    ['admin', 'admin', 'system:masters'],
    ['kubelet', `system:node:${NODE_NAME}`, 'system:nodes'],
  ].map(([name, user, group]) => {
    const token = randomBytes(16).toString('hex');
    writeFileSync(join(folder, `${name}.kubeconfig`), kubeconfig(token));
    return `${token},${user},${name},${group}\n`;
  });
  writeFileSync(join(folder, 'tokens.csv'), access.join(''));
}

const kubeconfig = (token) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: API, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });

const apiServer = (folder) => [
  `--etcd-servers=${ETCD}`,
  `--advertise-address=${NODE_ADDRESS}`,
  `--token-auth-file=${join(folder, 'tokens.csv')}`,
  `--cert-dir=${join(folder, 'certificates')}`,
  `--service-cluster-ip-range=${SERVICES}`,
  '--service-account-issuer=https://kubernetes.default',
  `--service-account-key-file=${join(folder, 'accounts.pub')}`,
  `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
  '--authorization-mode=Node,RBAC',
  // Without this flag, the validation would reject privileged pods before Pod Security evaluates them.
  '--allow-privileged',
  '--kubelet-preferred-address-types=InternalIP',
];

/** On some machines, containerd lacks CAP_SYS_RESOURCE and cannot lower an oom_score_adj. With `restrict_oom_score_adj` it does not try to. */
const containerd = (folder) => `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "drawbridge-test-pause:1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
`;

/**
 * `ptp` gives each pod a separate link to the node, so that responses from translated Service addresses pass through the node. With a bridge, that
 * would require a kernel module.
 */
const network = () => ({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [{ type: 'ptp', ipam: { type: 'host-local', subnet: PODS, routes: [{ dst: '0.0.0.0/0' }] } }],
});

const corefile = (admin) => `.:53 {
  bind ${NODE_ADDRESS}
  errors
  kubernetes cluster.local {
    kubeconfig ${admin}
  }
}
`;

const proxy = (admin) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  clientConnection: { kubeconfig: admin },
  clusterCIDR: PODS,
  hostnameOverride: NODE_NAME,
  // Zero leaves these kernel parameters unchanged, because they are settings of the whole machine.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

const kubelet = (folder) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  // Accepts every caller, because the API server has no client certificate for the kubelet. No other machine can reach this network.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  cgroupDriver: 'cgroupfs',
  cgroupRoot: cgroupRoot(folder),
  cgroupsPerQOS: true,
  failSwapOn: false,
  containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
  podLogsDir: join(folder, 'pods'),
  clusterDNS: [NODE_ADDRESS],
  clusterDomain: 'cluster.local',
  resolvConf: '',
  // With the default thresholds, the kubelet would evict pods if the machine has little free disk space.
  evictionHard: { 'nodefs.available': '1%', 'imagefs.available': '1%', 'nodefs.inodesFree': '1%' },
});
