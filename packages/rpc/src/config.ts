import { type ServiceName } from '@drawbridge/contracts';
import { cleanEnv, makeValidator, num, str } from 'envalid';

const address = (service: ServiceName): ReturnType<typeof str> =>
  str({ default: `dns:///${service}:50051`, desc: `Where ${service} listens; \`ipv4:a:p,b:p\` for several replicas.` });

/** No limit is Infinity: envalid takes null for a missing value. */
const limit = makeValidator<number>((text) => {
  if (text === 'null') return Infinity;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error('a positive integer, or null for none');
  return value;
});

const bootstrapKey = makeValidator<string>((text) => {
  if (text !== '' && !/^svc_[0-9A-Za-z]{20,}$/.test(text)) throw new Error('svc_ and at least 20 letters and digits');
  return text;
});

/** Every variable of the product, once. docs/operating.md is checked against this table. */
export const VARIABLES = {
  PORT: num({ default: 8080, desc: 'Where the gateway listens; 0 = a free port, printed at ready.' }),
  HOST: str({ default: '127.0.0.1', desc: 'The address that the gateway listens on.' }),
  GRPC_PORT: num({
    default: 50051,
    desc: 'Where a service listens when it is its own process; 0 = a free port, printed at ready.',
  }),
  GRPC_HOST: str({ default: '127.0.0.1', desc: 'The address that a service listens on.' }),
  MEMBERS_ADDR: address('members'),
  CATALOG_ADDR: address('catalog'),
  CONNECTIONS_ADDR: address('connections'),
  EXECUTION_ADDR: address('execution'),
  INTERNAL_KEY: str({
    default: '',
    desc: 'Signs who calls between services: the same for all. Generated in all-in-one, required otherwise.',
  }),
  TRUST_PROXY: num({ default: 0, desc: 'How many proxies in front are believed about the client address.' }),
  PUBLIC_RATE_LIMIT: limit({ default: 120, desc: 'Requests per 60 s and address without a key; null = none.' }),
  BASE_URL: str({ default: '', desc: 'How callers reach the gateway. Default: http://HOST:PORT.' }),
  DATA_DIR: str({ default: '.data', desc: 'Embedded database, generated master key, bootstrap file.' }),
  DATABASE_URL: str({
    default: '',
    desc: 'A PostgreSQL database; one schema per service is made in it. Default: an embedded server.',
  }),
  KAFKA_BROKERS: str({
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

export type Config = ReturnType<typeof readConfig>;

/** Fails with every wrong variable, named, and what is allowed. */
export function readConfig(env: NodeJS.ProcessEnv): Readonly<ReturnType<typeof parse>> {
  return parse(env);
}

function parse(env: NodeJS.ProcessEnv) {
  return cleanEnv(env, VARIABLES, {
    reporter: ({ errors }) => {
      const wrong = Object.entries(errors).map(([name, error]) => `${name}: ${error?.message ?? 'invalid'}`);
      if (wrong.length > 0) throw new Error(`Wrong configuration:\n  ${wrong.join('\n  ')}`);
    },
  });
}
