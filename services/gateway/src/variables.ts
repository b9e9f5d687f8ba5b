import { GATEWAY_VARIABLES, limit, redisUrl, type Variables, wholeNumber } from '@drawbridge/rpc';

/** Environment variables that only the gateway reads. */
export const VARIABLES = {
  ...GATEWAY_VARIABLES,
  TRUST_PROXY: wholeNumber({ min: 0, max: 100 })({
    default: 0,
    desc: 'How many proxies in front are believed about the client address.',
  }),
  PUBLIC_RATE_LIMIT: limit({ default: 120, desc: 'Requests per 60 s and address without a key; null = none.' }),
  REDIS_URL: {
    ...redisUrl({
      default: '',
      desc: 'Where several gateways count rate limits together. Default: each counts alone.',
    }),
    isSecret: true,
  },
  CONNECTIONS_PER_ADDRESS: limit({
    default: 1_000,
    desc: 'Connections that a client address may hold; null = none. Without effect behind a trusted proxy.',
  }),
} satisfies Variables;
