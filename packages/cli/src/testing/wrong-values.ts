import { join } from 'node:path';
import { SERVICE_TABLE } from '@drawbridge/contracts';
import { addressVariables } from '@drawbridge/rpc';

const PORTS = 'must be a whole number from 0 to 65535';
const HOSTS = 'must be an IP address or a host name';
const TARGETS = 'must be dns:///host:port, or ipv4:address:port with more after commas';
const WRONG_TARGETS = [
  ['members', 'ipv4:1.2.3:1'],
  ['http://a:1', 'dns:///a'],
  ['a:0', 'a:1,b:1'],
  ['approvals:', 'dns:///a:x'],
  [':1', 'ipv4:1.2.3.4'],
];
const MASTER = 'entry 1 must be id:key, the key 32 bytes in base64';

/**
 * Returns two invalid values per variable and the expected message. For a secret the message omits the value. `file` is a file in `folder` that does
 * not contain JSON.
 */
export const wrongValues = (folder: string, file: string): Record<string, [value: string, allowed: string][]> => ({
  PORT: [
    ['8080abc', PORTS],
    ['70000', PORTS],
  ],
  HOST: [
    ['localhost:80', HOSTS],
    ['127.0.0', HOSTS],
  ],
  GRPC_PORT: [
    ['99999', PORTS],
    ['80.5', PORTS],
  ],
  METRICS_PORT: [
    ['99999', PORTS],
    ['-1', PORTS],
  ],
  GRPC_HOST: [
    ['*', HOSTS],
    ['a b', HOSTS],
  ],
  ...wrongAddresses(),
  INTERNAL_KEY: [
    ['hush', 'must be at least 32 characters'],
    ['hush'.repeat(7), 'must be at least 32'],
  ],
  TRUST_PROXY: [
    ['-3', 'from 0 to 100'],
    ['yes', 'from 0 to 100'],
  ],
  PUBLIC_RATE_LIMIT: [
    ['0', 'or null'],
    ['-', 'or null'],
  ],
  REDIS_URL: [
    ['cache:6379', 'must be redis://host:6379'],
    ['http://u:hush@h', 'must be redis://host:6379'],
  ],
  CONNECTIONS_PER_ADDRESS: [
    ['0', 'or null'],
    ['many', 'or null'],
  ],
  BASE_URL: [
    ['foo', 'must be a URL such as'],
    ['a:b', 'must be a URL such as'],
  ],
  DATA_DIR: [
    [file, 'must be a folder'],
    [join(file, 'in-it'), 'must be a folder'],
  ],
  DATABASE_URL: [
    ['foo', 'must be postgresql://'],
    ['mysql://u:hush@h/d', 'must be postgresql://'],
  ],
  KAFKA_BROKERS: [
    ['kafka', 'must be host:port'],
    ['a:1;b:1', 'host:port'],
  ],
  KAFKA_PREFIX: [
    ['staging/', 'must be 1 to 100 letters'],
    ['a b', 'must be 1 to 100 letters'],
  ],
  MASTER_KEYS: [
    ['hush', MASTER],
    ['file:/absent/hush', 'the file cannot be read (ENOENT)'],
  ],
  AWS_REGION: [
    ['Frankfurt', 'must be a region such as eu-central-1'],
    ['eu-central', 'must be a region such as'],
  ],
  AWS_ACCESS_KEY_ID: [
    ['me', 'must be 16 to 128 letters and digits'],
    ['AKIA IOSF ODNN 7EXAMPLE', 'must be 16 to 128'],
  ],
  AWS_SECRET_ACCESS_KEY: [
    ['hush', 'must be 16 to 128 characters of base64'],
    [`"${'hush'.repeat(10)}"`, 'must be 16 to 128'],
  ],
  AWS_SESSION_TOKEN: [
    ['hush', 'must be at least 16 characters of base64'],
    [`${'hush'.repeat(10)} ${'hush'.repeat(10)}`, 'must be at least 16'],
  ],
  AWS_ENDPOINT_URL_KMS: [
    ['kms.example', 'must be a URL such as'],
    ['https://kms.example/?a=b', 'must be a URL such as'],
  ],
  BOOTSTRAP_API_KEY: [
    ['hush', 'must be svc_ and'],
    ['svc_hush', 'must be svc_ and at least 20'],
  ],
  WEB_CONCURRENCY: [
    ['0', 'must be a whole number from 1 to 64'],
    ['all', 'must be a whole number from 1 to 64'],
  ],
  RUN_LOG_DAYS: [
    ['0', 'must be a whole number from 1 to 3650'],
    ['90 days', 'must be a whole number from 1 to 3650'],
  ],
  DOCKER_HOST: [
    ['engine:2375', 'must be unix:///path or tcp://host:port'],
    ['ssh://engine', 'must be unix:///path or tcp://host:port'],
  ],
  DOCKER_CERT_PATH: [
    [join(folder, 'absent'), 'must be a folder with ca.pem, cert.pem and key.pem'],
    [file, 'must be a folder with ca.pem, cert.pem and key.pem'],
  ],
  SANDBOX_IMAGE: [
    ['-v', 'must be an image'],
    ['a b', 'must be an image'],
  ],
  SANDBOX_RUNTIME: [
    ['/bin/sh', 'must be the name of a runtime'],
    ['a b', 'must be the name of a runtime'],
  ],
  SANDBOX_NETWORK: [
    ['-x', 'must be the name of a network'],
    ['a/b', 'must be the name of a network'],
  ],
  SANDBOX_KUBERNETES_NAMESPACE: [
    ['Programs', 'must be the name of a namespace'],
    ['a/b', 'must be the name of a namespace'],
  ],
  SANDBOX_KUBERNETES_API: [
    ['http://10.96.0.1', 'must be https://host or https://host:port'],
    ['https://a/b', 'must be https://host or https://host:port'],
  ],
  SANDBOX_KUBERNETES_CREDENTIALS: [
    [join(folder, 'absent'), 'must be a folder with token and ca.crt'],
    [file, 'must be a folder with token and ca.crt'],
  ],
  PLANS_FILE: [
    [join(folder, 'absent'), 'is not a readable file'],
    [file, 'does not hold JSON'],
  ],
  SMTP_URL: [
    ['hush', 'must be smtp://'],
    ['https://ann:hush@mail.acme.example', 'must be smtp://'],
  ],
  MAIL_FROM: [
    ['unknown', 'must be an email address'],
    ['Acme <a@b@c>', 'must be an email address'],
  ],
  MAIL_LANGUAGE: [
    ['fr', 'must be en or de'],
    ['toString', 'must be en or de'],
  ],
  OAUTH_APPS: [
    ['hush', 'is neither a JSON object nor the path of a readable file'],
    ['{"github": {"clientId": "hush", "clientSecret": ""}}', 'github.clientSecret must be a string'],
    [
      '{"slack": {"clientId": "c", "clientSecret": "hush", "webhookSecret": ""}}',
      'slack.webhookSecret must be a string',
    ],
  ],
  ORIGIN_MAP: [
    ['{"a": "http://u:hush@b"}', '"a" is not an http or https origin'],
    ['/absent', '"/absent" is neither a JSON object nor the path of a readable file'],
  ],
  RISK_MODEL_URL: [
    ['models.example', 'must be a URL such as'],
    ['https://models.example/v1?key=hush', 'must be a URL such as'],
  ],
  RISK_MODEL: [
    ['a model', 'must be 1 to 200 visible characters'],
    ['modèle', 'must be 1 to 200'],
  ],
  RISK_MODEL_KEY: [
    ['hush hush', 'must be 1 to 4000 visible characters'],
    ['hush\n', 'must be 1 to 4000'],
  ],
  OIDC_PROVIDERS: [
    ['{"acme": {"issuer": "https://u:hush@h"}}', 'acme.issuer must be an https URL'],
    ['/absent/hush', 'must be a JSON object or the path of a file with one'],
  ],
  INTEGRATIONS_DIR: [
    [join(folder, 'absent'), 'must be a readable folder'],
    [file, 'must be a readable folder'],
  ],
  OWN_ORIGINS: [
    ['http://gateway:8080,gateway', '"gateway" is not an http or https origin'],
    ['http://gateway/folder', 'is not an http or https origin'],
  ],
  EGRESS_ALLOW: [
    ['10.0.0.0/99', 'is not a CIDR, an address or a host name'],
    ['a:99999', 'is not a CIDR, an address or a host name'],
  ],
  DNS_SERVERS: [
    ['ns.example', 'is not an IP address'],
    ['10.0.0.2,10.0.0.3:99999', '"10.0.0.3:99999" is not an IP address'],
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    ['collector:4318', 'must be a URL such as'],
    ['grpc://collector:4317', 'must be a URL such as'],
  ],
  LOG_LEVEL: [
    ['loud', 'must be one of trace, debug, info, warn, error'],
    ['INFO', 'must be one of trace'],
  ],
});

/** Covers the address variables of all services in the table. */
function wrongAddresses(): Record<string, [value: string, allowed: string][]> {
  const names = Object.keys(addressVariables(SERVICE_TABLE.gateway.mayCall));
  const wrong = names.map((name, index): [string, [string, string][]] => {
    const targets = WRONG_TARGETS[index % WRONG_TARGETS.length]!;
    return [name, targets.map((target) => [target, TARGETS])];
  });
  return Object.fromEntries(wrong);
}
