import ipaddr from 'ipaddr.js';

/** The values by which slots are counted. */
export interface Subject {
  /** The organization id; for a user without an organization, the account id. */
  organization?: string;
  /** The id of an API key or a session. */
  credential?: string;
  endUser?: string;
  /** An IPv4 address or an IPv6 /64. */
  network?: string;
  /** The account of a signed-in user; without an account, the network. */
  visitor?: string;
  /** The cookie that identifies a browser. */
  browser?: string;
  /** The webhook endpoint: `<integration>/<hook>`. */
  hook?: string;
  mcpServer?: string;
  /** The end user of an MCP token that was valid recently; otherwise the token itself. */
  bearer?: string;
}

export interface Limit {
  /** Describes the limit in errors and in docs/limits.md. */
  what: string;
  /** Each combination of these values has separate slots. The limit does not apply if one of the values is unknown. */
  per: readonly (keyof Subject)[];
  /** Waiting requests are scheduled fairly by this value, so that a value with many requests does not delay a value with few. */
  fairBy?: keyof Subject;
  slots: number;
  /** The maximum number of waiting requests. Further requests are rejected. */
  waiting: number;
}

/**
 * The concurrency limits of a gateway process, by kind of work. A request takes a slot of each limit in the order of the list, so that a request that
 * waits for a slot of its end user does not occupy a slot of the organization. Limits of work on a database are lower than the number of connections
 * that its service has to it.
 */
export const LIMITS = {
  request: [{ what: 'of an organization', per: ['organization'], fairBy: 'credential', slots: 6, waiting: 1_000 }],
  // Executions mostly wait for providers. The limit equals the number of requests that egress sends concurrently for an organization.
  execution: [{ what: 'of an organization', per: ['organization'], fairBy: 'credential', slots: 100, waiting: 1_000 }],
  // A client that reads a stream slowly occupies its slot for a long time, so streams do not use the slots of other requests.
  stream: [{ what: 'of an organization', per: ['organization'], fairBy: 'credential', slots: 3, waiting: 20 }],
  // A listener occupies its slot as long as its connection is open, and the gateway reads its run from the execution service every half second.
  'execution listener': [
    { what: 'of an organization', per: ['organization'], slots: 50, waiting: 0 },
    { what: 'in all', per: [], slots: 1_000, waiting: 0 },
  ],
  'body past 64 kB': [{ what: 'of an organization', per: ['organization'], slots: 8, waiting: 200 }],
  // Parsing a large body blocks the event loop for tens of milliseconds.
  'parsing of a body past 64 kB': [{ what: 'in all', per: [], fairBy: 'organization', slots: 1, waiting: Infinity }],
  'MCP message': [
    // Anyone can become an end user of an open server, and a message occupies its slot while its body arrives slowly. One end user must not use up
    // the slots of the organization.
    { what: 'of an end user', per: ['endUser'], slots: 30, waiting: 300 },
    { what: 'of an organization', per: ['organization'], fairBy: 'endUser', slots: 100, waiting: 1_000 },
  ],
  'MCP body past 64 kB': [{ what: 'of an organization', per: ['organization'], slots: 8, waiting: 200 }],
  'MCP token look-up': [{ what: 'of a server', per: ['mcpServer'], fairBy: 'bearer', slots: 20, waiting: 500 }],
  // A listener occupies its slot as long as its connection is open, and the gateway looks up its token every few seconds.
  'MCP listener': [
    { what: 'of an organization', per: ['organization'], slots: 50, waiting: 0 },
    { what: 'in all', per: [], slots: 1_000, waiting: 0 },
  ],
  page: [{ what: 'of an account or network', per: ['visitor'], fairBy: 'browser', slots: 6, waiting: 200 }],
  'page at a provider': [
    { what: 'of an account or network', per: ['visitor'], fairBy: 'browser', slots: 100, waiting: 200 },
  ],
  // OAuth clients do not use the slots of pages: while the mcp service is down, their requests occupy slots, but most pages still work.
  'OAuth request': [{ what: 'of an account or network', per: ['visitor'], fairBy: 'browser', slots: 3, waiting: 200 }],
  'webhook request': [
    // One webhook endpoint that receives many requests must not take all slots of the provider's network.
    { what: 'of a network to an address', per: ['hook', 'network'], slots: 6, waiting: 10_000 },
    // A flood of requests to webhooks that do not exist, even to a different one each time, delays only its own network.
    { what: 'of a network', per: ['network'], fairBy: 'hook', slots: 24, waiting: 20_000 },
  ],
  'webhook request of a known sender': [
    { what: 'to an address', per: ['hook'], fairBy: 'network', slots: 6, waiting: 10_000 },
  ],
  // Any client can send requests to a webhook endpoint. Networks from which it never accepted an event must not take the slots of the provider.
  'webhook request of an unknown sender': [
    { what: 'to an address', per: ['hook'], fairBy: 'network', slots: 2, waiting: 10_000 },
  ],
  'webhook body past 64 kB': [{ what: 'of a network', per: ['network'], fairBy: 'hook', slots: 8, waiting: 1_000 }],
} as const satisfies Record<string, readonly Limit[]>;

export type Kind = keyof typeof LIMITS;

/** The kind of a page or an OAuth request, by `METHOD path`. The first match applies. */
export const PAGE_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^(\S+ \/(sign-in\/with\/|connect\/callback)|POST \/connect\/(?!portal\/))/i, 'page at a provider'],
  [/^\S+ \/oauth\/(?!authorize)/i, 'OAuth request'],
  [/^/, 'page'],
];

const IPV6_NETWORK_BYTES = 8;

/** Returns the key by which a client is counted: its IPv4 address, or the /64 prefix of its IPv6 address, because a subscriber usually gets a /64. */
export function clientNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return parsed.kind() === 'ipv4' ? bytes.join('.') : `${bytes.slice(0, IPV6_NETWORK_BYTES).join('.')}/64`;
}
