import {
  GATEWAY_VARIABLES,
  limit,
  redisUrl,
  type Service,
  type ServiceContext,
  type Variables,
  wholeNumber,
} from '@drawbridge/rpc';
import { RateLimits } from './admission/rate-limits.js';
import { redisLink } from './admission/redis-link.js';
import { redisWindows, type SharedWindows } from './admission/shared-windows.js';
import { Refusals, Slots } from './admission/request-slots.js';
import { createApp } from './app.js';
import { httpDurations } from './http/request-context.js';
import { siteOf } from './http/site.js';
import { httpListener } from './listen.js';

export { type Counted, type Counting, countWindows } from './admission/shared-windows.js';
export { findPort } from './listen.js';

/** The state that the gateway processes of one installation share. It is empty if there is only one process. */
export interface GatewayShared {
  windows?: SharedWindows | undefined;
}

/** The environment variables of the gateway. Other parts of the product also read GATEWAY_VARIABLES. */
const VARIABLES = {
  ...GATEWAY_VARIABLES,
  TRUST_PROXY: wholeNumber({ min: 0, max: 100 })({
    default: 0,
    desc: 'Number of trusted proxies that report the client address.',
  }),
  PUBLIC_RATE_LIMIT: limit({
    default: 120,
    desc: 'Requests without a key per client address in 60 s; null = no limit.',
  }),
  REDIS_URL: {
    ...redisUrl({
      default: '',
      desc: 'Redis server through which several gateways share rate limits. Default: each gateway counts separately.',
    }),
    isSecret: true,
  },
  CONNECTIONS_PER_ADDRESS: limit({
    default: 1_000,
    desc: 'Maximum connections per client address; null = no limit. No effect behind a trusted proxy.',
  }),
} satisfies Variables;

/** The HTTP API of the product. Stores no data. */
export const gateway = {
  name: 'gateway' as const,
  variables: VARIABLES,
  async open({ config, network, log }: ServiceContext<typeof VARIABLES>, shared: GatewayShared = {}): Promise<Service> {
    const [closing, draining] = [new AbortController(), new AbortController()];
    const link = config.REDIS_URL ? redisLink(config.REDIS_URL, log) : undefined;
    const refusals = new Refusals();
    const limits = new RateLimits(config.PUBLIC_RATE_LIMIT, refusals, link ? redisWindows(link) : shared.windows);
    const slots = new Slots(refusals);
    const app = createApp({
      trustProxy: config.TRUST_PROXY,
      site: siteOf(config.BASE_URL),
      network,
      log,
      limits,
      slots,
      closing: closing.signal,
      draining: draining.signal,
    });
    // Behind a proxy all clients have the proxy's address, so the proxy must limit their connections.
    const connectionsPerAddress = config.TRUST_PROXY > 0 ? Infinity : config.CONNECTIONS_PER_ADDRESS;
    const listener = httpListener(app, {
      host: config.HOST,
      port: config.PORT,
      log,
      limits,
      connectionsPerAddress,
      sharesPort: shared.windows !== undefined,
      closing,
      draining,
    });
    return {
      name: 'gateway',
      rpcs: [],
      metrics: [httpDurations, refusals.metric],
      background: link ? [link, listener] : [listener],
      close: async () => undefined,
    };
  },
};
