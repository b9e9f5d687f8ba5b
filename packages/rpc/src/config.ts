import { type ServiceName } from '@drawbridge/contracts';
import { str } from 'envalid';
import {
  baseUrl,
  bootstrapKey,
  brokers,
  databaseUrl,
  host,
  internalKey,
  limit,
  port,
  target,
  wholeNumber,
} from './config-values.js';

const address = (service: ServiceName): ReturnType<typeof target> =>
  target({
    default: `dns:///${service}:50051`,
    desc: `Where ${service} listens; \`ipv4:a:p,b:p\` for several replicas.`,
  });

/** Every variable of the product, once. docs/operating.md is checked against this table. */
export const VARIABLES = {
  PORT: port({ default: 8080, desc: 'Where the gateway listens; 0 = a free port, printed at ready.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address that the gateway listens on.' }),
  GRPC_PORT: port({
    default: 50051,
    desc: 'Where a service listens when it is its own process; 0 = a free port, printed at ready.',
  }),
  GRPC_HOST: host({ default: '127.0.0.1', desc: 'The address that a service listens on.' }),
  MEMBERS_ADDR: address('members'),
  CATALOG_ADDR: address('catalog'),
  CONNECTIONS_ADDR: address('connections'),
  EXECUTION_ADDR: address('execution'),
  INTERNAL_KEY: internalKey({
    default: '',
    desc: 'Signs who calls between services: the same for all. Generated in all-in-one, required otherwise.',
  }),
  TRUST_PROXY: wholeNumber({ min: 0, max: 100 })({
    default: 0,
    desc: 'How many proxies in front are believed about the client address.',
  }),
  PUBLIC_RATE_LIMIT: limit({ default: 120, desc: 'Requests per 60 s and address without a key; null = none.' }),
  CONNECTIONS_PER_ADDRESS: limit({
    default: 1_000,
    desc: 'Connections that a client address may hold; null = none. Without effect behind a trusted proxy.',
  }),
  BASE_URL: baseUrl({ default: '', desc: 'How callers reach the gateway. Default: http://HOST:PORT.' }),
  DATA_DIR: str({ default: '.data', desc: 'Embedded database, generated master key, bootstrap file.' }),
  DATABASE_URL: databaseUrl({
    default: '',
    desc: 'A PostgreSQL database; one schema per service is made in it. Default: an embedded server.',
  }),
  KAFKA_BROKERS: brokers({
    default: '',
    desc: 'Comma list; with it events go through Kafka. Default: the in-process bus.',
  }),
  MASTER_KEYS: str({
    default: '',
    desc: '`id:base64key[,id:base64key…]`: the first encrypts, all decrypt. Generated into DATA_DIR.',
  }),
  BOOTSTRAP_API_KEY: bootstrapKey({
    default: '',
    desc: "The first organization's key, used at the first start alone. Generated, printed once and kept in DATA_DIR/bootstrap.json.",
  }),
  RUN_LOG_DAYS: wholeNumber({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'For how many days the run log keeps a run; 1 to 3650.',
  }),
  PLANS_FILE: str({
    default: '',
    desc: 'JSON file, plan name → limits; a limit may be null = none. Default: the built-in plans.',
  }),
  ORIGIN_MAP: str({
    default: '',
    desc: 'JSON object or file: an origin that pieces call → the origin where it is reached.',
  }),
  EGRESS_ALLOW: str({
    default: '',
    desc: 'Comma list of CIDRs and hosts that outgoing requests may reach although private.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    desc: 'JSON lines; pretty on a terminal.',
  }),
};

export type Variable = keyof typeof VARIABLES;

/** Their values are never shown, not even when they are wrong. */
export const SECRETS: readonly string[] = [
  'INTERNAL_KEY',
  'DATABASE_URL',
  'MASTER_KEYS',
  'BOOTSTRAP_API_KEY',
  'ORIGIN_MAP', // what is wrong with it may be a credential in a URL
];
