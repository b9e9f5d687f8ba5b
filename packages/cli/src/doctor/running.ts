import { networkInterfaces } from 'node:os';
import { createEgress, EgressError } from '@drawbridge/egress';
import { gatewayUrl } from '@drawbridge/rpc';
import { type AllConfig } from '../config-flags.js';
import { type Finding, finding } from './finding.js';

const ANSWER_MS = 5_000;
const CONNECT_MS = 1_000;

interface Readiness {
  status: string;
  unready: string[];
  degraded: string[];
  reasons: string[];
}

/** Runs the checks that need the running instance: its responses on this machine and at BASE_URL, and the ports that other machines can reach. */
export async function runningFindings(config: AllConfig): Promise<Finding[]> {
  const local = gatewayUrl({ ...config, BASE_URL: '' });
  const ready = await readiness(local);
  if (typeof ready === 'string') {
    return [
      finding(
        'running',
        `${local}/readyz: ${ready}`,
        'Start the product, or set HOST and PORT to its address.',
        'failed',
      ),
    ];
  }
  return [readyFinding(ready), clockFinding(ready), await baseUrlFinding(config), ...(await portFindings(config))];
}

function readyFinding({ status, unready, degraded, reasons }: Readiness): Finding {
  const details = [...unready, ...degraded, ...reasons].join(', ');
  if (status === 'ok') return finding('running', 'every service is ready');
  const advice = 'Read the log of these services, and docs/runbooks.md.';
  return finding('running', `${status}: ${details}`, advice, status === 'degraded' ? 'warning' : 'failed');
}

/** The gateway is not ready if its clock differs from the database's by more than two minutes, because every service then rejects its calls. */
function clockFinding({ unready }: Readiness): Finding {
  if (!unready.includes('gateway')) return finding('clock', 'within two minutes of the clock of the database');
  return finding(
    'clock',
    'differs from the clock of the database',
    'Synchronize both machines, for example with chrony.',
    'failed',
  );
}

async function baseUrlFinding(config: AllConfig): Promise<Finding> {
  const url = gatewayUrl(config);
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  if (isLocal) {
    const advice = 'Set BASE_URL to the public https URL: links in emails and OAuth redirects begin with it.';
    return finding('base-url', `${url}, for this machine only`, advice);
  }
  if (protocol === 'http:') {
    const advice =
      'Put a proxy with TLS in front and set BASE_URL to its https URL: otherwise keys and sessions are sent in clear text.';
    return finding('base-url', `${url} has no TLS`, advice, 'failed');
  }
  const answer = await readiness(url);
  if (typeof answer !== 'string') return proxyFinding(url, config);
  const advice = 'Let the proxy at BASE_URL forward to the gateway, with a certificate that is valid for its name.';
  return finding('base-url', `${url}: ${answer}`, advice, 'failed');
}

function proxyFinding(url: string, { TRUST_PROXY }: AllConfig): Finding {
  if (TRUST_PROXY > 0) return finding('base-url', `${url} leads to this product by TLS`);
  const advice = 'Set TRUST_PROXY to the number of proxies: without it all callers share the rate limit of the proxy.';
  return finding('base-url', `${url} leads to this product, and TRUST_PROXY is 0`, advice);
}

/** Returns the response of /readyz, or the reason why there is none. */
async function readiness(url: string): Promise<Readiness | string> {
  // Allows a private address, because the operator configured this URL.
  const egress = createEgress({ allow: [new URL(url).hostname] });
  try {
    const answer = await egress.sendFor('doctor')({ method: 'GET', url: `${url}/readyz`, timeoutMs: ANSWER_MS });
    const read = JSON.parse(new TextDecoder().decode(answer.body)) as Partial<Readiness>;
    if (!Array.isArray(read.unready)) return 'another program answers';
    return read as Readiness;
  } catch (error) {
    return error instanceof SyntaxError ? 'another program answers' : (error as Error).message;
  } finally {
    await egress.close();
  }
}

/** Checks the addresses of this machine that other machines can reach. Cannot detect a firewall in front of the machine. */
async function portFindings({ PORT, METRICS_PORT, GRPC_PORT, BASE_URL }: AllConfig): Promise<Finding[]> {
  const open = async (port: number): Promise<string[]> => {
    const reached = await Promise.all(otherAddresses().map(async (host) => ((await accepts(host, port)) ? host : '')));
    return reached.filter(Boolean);
  };
  const [gateway, metrics, grpc] = await Promise.all([open(PORT), open(METRICS_PORT), open(GRPC_PORT)]);
  const isBehindTls = BASE_URL.startsWith('https:');
  const advice = 'Set HOST=127.0.0.1, or allow only the proxy: this port has no TLS.';
  return [
    // Without TLS in BASE_URL, the open port is the intended one, and the finding on BASE_URL already reports it.
    ...(isBehindTls || gateway.length === 0 ? [portFinding(`PORT ${PORT}`, gateway, advice)] : []),
    portFinding(`METRICS_PORT ${METRICS_PORT}`, metrics, 'Allow only the monitoring system: metrics need no key.'),
    portFinding(`GRPC_PORT ${GRPC_PORT}`, grpc, 'Allow only the other services: calls between services have no TLS.'),
  ];
}

function portFinding(name: string, hosts: string[], advice: string): Finding {
  if (hosts.length === 0) return finding('ports', `${name} is not open to other machines`);
  return finding('ports', `${name} is open on ${hosts.join(', ')}`, advice);
}

function otherAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
}

/**
 * Returns whether the port accepts a connection. If the request was sent but failed, the port accepted the connection: its listener may use a protocol
 * other than HTTP.
 */
async function accepts(host: string, port: number): Promise<boolean> {
  if (port === 0) return false;
  const egress = createEgress({ allow: [host] });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  try {
    await egress.sendFor('doctor')({ method: 'GET', url, timeoutMs: CONNECT_MS, headOnly: true });
    return true;
  } catch (error) {
    return error instanceof EgressError && error.sent;
  } finally {
    await egress.close();
  }
}
