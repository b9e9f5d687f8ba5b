const MIB = 1024 * 1024;

export const MAX_BODY_BYTES = 1 * MIB;
export const MAX_ANSWER_BYTES = 2 * MIB;

/** Maximum use of a proxy by all its programs at the same time. */
export interface ProxyLimits {
  /** Open connections of clients that are served. */
  connections: number;
  /** Requests without TLS. The proxy holds their bodies in memory. */
  requests: number;
  /** All open connections, including those that are refused and close within a second. */
  sockets: number;
  /** Maximum of one client for each of the numbers above. */
  perClient: number;
}

/**
 * In a cluster one proxy serves all programs, on a Docker engine those of one process. The worst case (`worstCaseBytes`) must fit into the memory of
 * the proxy: 1 GiB in `proxySettings` and in deploy/kubernetes/sandbox/egress-proxy.yaml.
 */
export const PROXY_LIMITS: ProxyLimits = { connections: 700, requests: 64, sockets: 2_000, perClient: 32 };

/** The body of a request is held as pieces and as a whole, the body of a response also after its decoding. */
const REQUEST_BYTES = 2 * MAX_BODY_BYTES + 3 * MAX_ANSWER_BYTES;
/** Each of the two sockets of a tunnel buffers 64 KiB and one more piece of 64 KiB in each direction. */
const TUNNEL_BYTES = 4 * 128 * 1024;
/** The code, the heap of Node.js, and sockets without data. */
const BASE_BYTES = 128 * MIB;

export function worstCaseBytes({ connections, requests }: ProxyLimits): number {
  return BASE_BYTES + requests * REQUEST_BYTES + connections * TUNNEL_BYTES;
}

/**
 * Limits how much all clients, and each client, use at the same time. A client is refused once it uses as much as remains free, so that one client
 * cannot use everything. A new client is refused only if nothing is free. The proxy knows the address of a program, but not its organization.
 */
export class FairLimit {
  readonly #used = new Map<string, number>();
  #free: number;

  constructor(
    total: number,
    private readonly perClient: number,
  ) {
    this.#free = total;
  }

  /** Returns a function that ends the use, or undefined if the client must not use more. */
  acquire(client: string): (() => void) | undefined {
    const used = this.#used.get(client) ?? 0;
    if (used >= Math.min(this.perClient, this.#free)) return undefined;
    this.#add(client, 1);
    return () => this.#add(client, -1);
  }

  #add(client: string, count: 1 | -1): void {
    this.#free -= count;
    const used = (this.#used.get(client) ?? 0) + count;
    if (used === 0) this.#used.delete(client);
    else this.#used.set(client, used);
  }
}
