import type { Socket } from 'node:net';
import type { TenantLimiter } from '@drawbridge/turns';
import type { OpenSocket } from './connection-pool.js';
import { EgressError, explainFailure } from './egress-error.js';
import { type OriginMap, toAddress } from './origin-map.js';
import { toUrl } from './request-and-redirects.js';

interface TunnelRequest {
  tenant: string;
  url: string;
  signal: AbortSignal;
}

interface TunnelParts {
  origins: OriginMap;
  open: OpenSocket;
  requests: TenantLimiter;
}

/** Opens a tunnel. Only its destination can be checked, not its bytes, because the client does the TLS handshake. */
export async function openTunnel({ tenant, url, signal }: TunnelRequest, parts: TunnelParts): Promise<Socket> {
  const requested = toUrl(url);
  const { protocol, hostname, port } = new URL(toAddress(requested, parts.origins).origin);
  if (protocol !== 'https:') {
    throw new EgressError('EGRESS_DENIED', 'a tunnel reaches https origins only', requested.host);
  }
  const release = await parts.requests.acquire(tenant, signal).catch((error: unknown) => {
    throw explainFailure(error, { host: requested.host, sent: false });
  });
  try {
    // The client does the TLS handshake, so the connector must not start TLS, as it would for https. For http the connector also applies its stricter
    // rules about the gateway's own addresses.
    const socket = await parts.open({ protocol: 'http:', hostname, port: port || '443' }, { tenant, signal });
    socket.once('close', release);
    return socket;
  } catch (error) {
    release();
    throw explainFailure(error, { host: requested.host, sent: false });
  }
}
