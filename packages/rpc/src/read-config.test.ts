import { baseUrl, brokers, databaseUrl, host, kafkaPrefix, limit, port, text, wholeNumber } from './config-values.js';
import { formerNames, readConfig } from './read-config.js';
import { addressVariables, PROCESS_VARIABLES } from './variables.js';

const notThere = (): never => {
  throw new Error('PLANS_FILE: is not there');
};

/** Contains one variable of each kind. */
const VARIABLES = {
  PORT: port({ default: 8080 }),
  HOST: host({ default: '127.0.0.1' }),
  TRUST_PROXY: wholeNumber({ min: 0, max: 100 })({ default: 0 }),
  RUN_LOG_DAYS: wholeNumber({ min: 1, max: 3_650 })({ default: 90 }),
  PUBLIC_RATE_LIMIT: limit({ default: 120 }),
  CONNECTIONS_PER_ADDRESS: limit({ default: 1_000 }),
  BASE_URL: baseUrl({ default: '' }),
  DATABASE_URL: { ...databaseUrl({ default: '' }), isSecret: true, isRequired: true },
  KAFKA_BROKERS: brokers({ default: '' }),
  KAFKA_PREFIX: kafkaPrefix({ default: '' }),
  DATA_DIR: text({ default: '.data' }),
  PLANS_FILE: { ...text({ default: '' }), check: notThere },
  ...PROCESS_VARIABLES,
  ...addressVariables(['members', 'catalog', 'connections', 'execution']),
};
const readAll = (env: NodeJS.ProcessEnv) => readConfig(env, VARIABLES, true);

const KEY = 'k'.repeat(32);
const WHOLE = 'must be a whole number from';

describe('a variable that requires others', () => {
  const MAIL = {
    SMTP_URL: { ...text({ default: '' }), isSecret: true, requires: ['MAIL_FROM', 'BASE_URL'] },
    MAIL_FROM: text({ default: '' }),
    BASE_URL: baseUrl({ default: '' }),
  };

  it.each([
    ['is not set', {}],
    ['is set beside them', { SMTP_URL: 'hush', MAIL_FROM: 'a@b.example', BASE_URL: 'https://b.example' }],
  ])('is accepted when it %s', (_how, env) => expect(() => readConfig(env, MAIL)).not.toThrow());

  it('names each missing variable together with all other problems', () => {
    expect(() => readConfig({ SMTP_URL: 'hush' }, MAIL)).toThrow(
      'Invalid configuration:\n  MAIL_FROM: is required with SMTP_URL\n  BASE_URL: is required with SMTP_URL',
    );
    const wrong = { SMTP_URL: 'hush', BASE_URL: 'nowhere' };
    expect(() => readConfig(wrong, MAIL)).toThrow(
      /^Invalid configuration:\n {2}BASE_URL="nowhere": must be .*\n {2}MAIL_FROM: is required with SMTP_URL$/,
    );
  });
});

describe('a variable that was renamed', () => {
  const RENAMED = { NEW_URL: { ...baseUrl({ default: '' }), formerly: 'OLD_URL' } };

  it.each([
    [{ OLD_URL: 'https://old.example' }, 'https://old.example', 1],
    [{ OLD_URL: 'https://old.example', NEW_URL: 'https://new.example' }, 'https://new.example', 1],
    [{ OLD_URL: '', NEW_URL: '' }, '', 0],
  ])('is read from %j as %j', (env, value, warnings) => {
    expect(readConfig(env, RENAMED)).toEqual({ NEW_URL: value });
    expect(formerNames(env, RENAMED)).toHaveLength(warnings);
  });

  it('is named by its new name if its value is invalid', () => {
    expect(() => readConfig({ OLD_URL: 'x' }, RENAMED)).toThrow('NEW_URL="x": must be a URL');
    expect(formerNames({ OLD_URL: 'x' }, RENAMED)).toEqual([expect.stringMatching(/^OLD_URL: is now called NEW_URL/)]);
  });
});

describe('the configuration', () => {
  it('has a default for every variable', () => {
    const config = readAll({});
    expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DATA_DIR: '.data', PUBLIC_RATE_LIMIT: 120 });
  });

  it.each(Object.keys(VARIABLES))('treats an empty %s as unset', (name) => {
    expect(readAll({ [name]: '' })).toEqual(readAll({}));
  });

  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['HOST', '::1', '::1'],
    ['HOST', 'my-host.example', 'my-host.example'],
    ['TRUST_PROXY', '2', 2],
    ['RUN_LOG_DAYS', '3650', 3650],
    ['PUBLIC_RATE_LIMIT', 'null', Infinity],
    ['CONNECTIONS_PER_ADDRESS', 'null', Infinity],
    ['BASE_URL', 'https://drawbridge.example/in/a/folder/', 'https://drawbridge.example/in/a/folder'],
    ['DATABASE_URL', 'postgres://u:p@h/d', 'postgres://u:p@h/d'],
    ['DATABASE_URL', 'postgresql:///d?host=/run/postgresql', 'postgresql:///d?host=/run/postgresql'],
    ['KAFKA_BROKERS', 'a:9092, [::1]:9093', 'a:9092, [::1]:9093'],
    ['KAFKA_PREFIX', 'staging.eu_1-', 'staging.eu_1-'],
    ['KAFKA_PREFIX', 'a'.repeat(100), 'a'.repeat(100)],
    ['MEMBERS_ADDR', 'ipv4:127.0.0.1:1,127.0.0.1:2', 'ipv4:127.0.0.1:1,127.0.0.1:2'],
    ['MEMBERS_ADDR', 'ipv6:[::1]:50051', 'ipv6:[::1]:50051'],
    ['MEMBERS_ADDR', 'dns://8.8.8.8/members:50051', 'dns://8.8.8.8/members:50051'],
    ['MEMBERS_ADDR', 'members.internal:50051', 'members.internal:50051'],
    ['INTERNAL_KEY', KEY, KEY],
  ])('accepts %s=%s', (name, value, read) => {
    expect(readAll({ [name]: value })).toMatchObject({ [name]: read });
  });

  it.each([
    ['PORT', '8080abc', WHOLE],
    ['PORT', '80.5', WHOLE],
    ['PORT', '70000', `${WHOLE} 0 to 65535`],
    ['PORT', '-1', WHOLE],
    ['PORT', '0x50', WHOLE],
    ['PORT', ' ', WHOLE],
    ['GRPC_PORT', '99999', `${WHOLE} 0 to 65535`],
    ['HOST', '127.0.0', 'an IP address or a host name'],
    ['HOST', 'http://localhost', 'an IP address or a host name'],
    ['HOST', 'a b', 'an IP address or a host name'],
    ['GRPC_HOST', '*', 'an IP address or a host name'],
    ['TRUST_PROXY', '-3', `${WHOLE} 0 to 100`],
    ['TRUST_PROXY', 'true', `${WHOLE} 0 to 100`],
    ['RUN_LOG_DAYS', '0', `${WHOLE} 1 to 3650`],
    ['RUN_LOG_DAYS', '90d', `${WHOLE} 1 to 3650`],
    ['PUBLIC_RATE_LIMIT', '0', 'or null for no limit'],
    ['CONNECTIONS_PER_ADDRESS', '0', 'or null for no limit'],
    ['PUBLIC_RATE_LIMIT', '1e3', 'or null for no limit'],
    ['BASE_URL', 'foo', 'a URL such as'],
    ['BASE_URL', 'ftp://host', 'a URL such as'],
    ['BASE_URL', 'https://host/?a=b', 'a URL such as'],
    ['KAFKA_BROKERS', 'kafka', 'host:port'],
    ['KAFKA_BROKERS', 'a:9092,', 'host:port'],
    ['KAFKA_BROKERS', 'a:0', 'host:port'],
    ['KAFKA_PREFIX', 'staging/', 'letters, digits, dots'],
    ['CATALOG_ADDR', 'catalog', 'dns:///host:port'],
    ['CATALOG_ADDR', 'http://catalog:50051', 'dns:///host:port'],
    ['CONNECTIONS_ADDR', 'ipv4:connections:50051', 'ipv4:address:port'],
    ['EXECUTION_ADDR', 'ipv4:127.0.0.1:50051,', 'ipv4:address:port'],
    ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error'],
  ])('refuses %s=%s with the value and the allowed values', (name, value, allowed) => {
    const read = () => readAll({ [name]: value });
    expect(read).toThrow(`  ${name}=${JSON.stringify(value)}: must be `);
    expect(read).toThrow(allowed);
  });

  it.each([
    ['INTERNAL_KEY', 'hush', 'at least 32 characters'],
    ['DATABASE_URL', 'hush', 'postgresql://user:password@host:5432/database'],
    ['DATABASE_URL', 'mysql://u:hush@h/d', 'postgresql://'],
    ['DATABASE_URL', 'postgres://', 'postgresql://'],
  ])('refuses an invalid %s without showing it', (name, value, allowed) => {
    const read = () => readAll({ [name]: value });
    expect(read).toThrow(`  ${name}: must be `);
    expect(read).toThrow(allowed);
    expect(read).not.toThrow('hush');
  });

  it('hides a misplaced password, and truncates long values', () => {
    expect(() => readAll({ BASE_URL: 'https://me:hush@host' })).toThrow('BASE_URL="https://…@host"');
    expect(() => readAll({ HOST: 'x '.repeat(1_000) })).toThrow(`HOST="${'x '.repeat(50)}"`);
  });

  it('names every problem at once, including missing values', () => {
    const read = () => readConfig({ PORT: 'x', PLANS_FILE: '/plans', INTERNAL_KEY: KEY }, VARIABLES);
    expect(read).toThrow(
      /^Invalid configuration:\n {2}PORT="x": .*\n {2}DATABASE_URL: is required\n {2}PLANS_FILE="\/plans": is not there$/,
    );
  });
});
