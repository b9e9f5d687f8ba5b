import { networkInterfaces } from 'node:os';
import {
  type Containers,
  createContainers,
  dockerDriver,
  type Driver,
  kubernetesApi,
  kubernetesDriver,
  readClusterAccess,
} from '@drawbridge/containers';
import { type EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Config, describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type VARIABLES } from '../variables.js';

/** Selects an id of the database. It identifies the installation, because all processes of an installation share the database. */
const INSTALLATION = `SELECT md5(system_identifier::text || ' ' || current_database()) AS id FROM pg_control_system()`;

/** Uses a Kubernetes cluster if SANDBOX_KUBERNETES_NAMESPACE is set, or else a Docker engine. */
export async function openContainers({ config, pool, log }: Needs): Promise<Containers> {
  const { rows } = await pool.query<{ id: string }>(INSTALLATION);
  const instance = rows[0]!.id;
  return createContainers({
    driver: config.SANDBOX_KUBERNETES_NAMESPACE ? inCluster(config, instance) : onEngine(config, instance),
    onRemovalFailed: (error) =>
      log.warn({ error: describeError(error) }, 'could not remove the container of a program'),
  });
}

interface Needs {
  config: ExecutionConfig;
  pool: Pool;
  log: Logger;
}

type ExecutionConfig = Config<typeof VARIABLES>;

function inCluster(config: ExecutionConfig, instance: string): Driver {
  const { SANDBOX_KUBERNETES_NAMESPACE: namespace, SANDBOX_IMAGE: image, SANDBOX_RUNTIME: runtimeClassName } = config;
  const readAccess = readClusterAccess(config.SANDBOX_KUBERNETES_API, config.SANDBOX_KUBERNETES_CREDENTIALS);
  return kubernetesDriver({ api: kubernetesApi(readAccess, namespace), namespace, instance, image, runtimeClassName });
}

function onEngine(config: ExecutionConfig, instance: string): Driver {
  return dockerDriver({
    host: config.DOCKER_HOST,
    certificates: config.DOCKER_CERT_PATH,
    image: config.SANDBOX_IMAGE,
    runtime: config.SANDBOX_RUNTIME,
    instance,
    egress: { network: config.SANDBOX_NETWORK, env: egressEnv(config) },
  });
}

/**
 * Returns the environment variables of the egress proxy of programs. ORIGIN_MAP is omitted, because its targets can be secret and a program receives
 * the addresses that it connects to. The proxy cannot read the network interfaces of this machine, so OWN_ORIGINS contains the addresses of the
 * gateway, which programs must not reach.
 */
export function egressEnv(config: Config<typeof EGRESS_VARIABLES>): Record<string, string> {
  const { PORT, HOST, BASE_URL, EGRESS_ALLOW, DNS_SERVERS } = config;
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
  const own = addresses.map(({ address, family }) => `http://${family === 'IPv6' ? `[${address}]` : address}:${PORT}`);
  const OWN_ORIGINS = [config.OWN_ORIGINS, ...own].join(',');
  return { PORT: String(PORT), HOST, BASE_URL, OWN_ORIGINS, EGRESS_ALLOW, DNS_SERVERS };
}
