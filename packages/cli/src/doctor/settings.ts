import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { weakMasterKeys } from '@drawbridge/connections/admin';
import { type AllConfig } from '../config-flags.js';
import { masterKeysFile } from '../data-dir.js';
import { type Finding, finding } from './finding.js';

/** A key with fewer different characters is not random. 32 random hexadecimal digits contain about 14, and fewer than 10 only once in 2,000 keys. */
const MIN_DISTINCT = 10;
const OPEN_TO_OTHERS = 0o077;
const GIBIBYTE = 2 ** 30;
const LOW_DISK = 0.1;
const FULL_DISK = 0.02;
/** A network prefix shorter than this allows more than 65,536 addresses. */
const WIDE_PREFIX = 16;

/** Runs the checks of the variables and files of the instance. They need no response from it. */
export function settingsFindings(config: AllConfig): Finding[] {
  return [
    masterKeysFinding(config),
    ...keyFindings(config),
    ...fileFindings(config),
    databaseFinding(config),
    egressFinding(config),
    engineFinding(config),
    ...diskFindings(config),
    userFinding(),
  ];
}

function masterKeysFinding({ MASTER_KEYS, DATA_DIR }: AllConfig): Finding {
  if (MASTER_KEYS === '') {
    const advice =
      'For production set MASTER_KEYS to a file outside DATA_DIR (file:/path) or to keys that AWS KMS sealed, and back them up apart from the database.';
    return finding('master-keys', `generated in ${masterKeysFile(DATA_DIR)}, beside the database`, advice);
  }
  const weak = weakMasterKeys(MASTER_KEYS);
  if (weak.length === 0) return finding('master-keys', 'set in MASTER_KEYS');
  const advice =
    'Put a key of `openssl rand -base64 32` first in MASTER_KEYS, then run `drawbridge admin keys rotate-master`.';
  return finding('master-keys', `not random: ${weak.join(', ')}`, advice, 'failed');
}

function keyFindings({ INTERNAL_KEY, BOOTSTRAP_API_KEY }: AllConfig): Finding[] {
  const keys = { INTERNAL_KEY, BOOTSTRAP_API_KEY };
  return Object.entries(keys).flatMap(([name, key]) => {
    if (key === '') return [];
    if (new Set(key).size >= MIN_DISTINCT) return [finding('keys', `${name} is set`)];
    return [
      finding(
        'keys',
        `${name} is not random`,
        `Set ${name} to a random value, such as of \`openssl rand -hex 32\`.`,
        'failed',
      ),
    ];
  });
}

function fileFindings({ DATA_DIR }: AllConfig): Finding[] {
  const secrets = ['bootstrap.json', 'internal-key', 'master-keys', 'runtime.json'].map((name) => join(DATA_DIR, name));
  const files = secrets.filter((file) => existsSync(file));
  const open = files.filter((file) => (statSync(file).mode & OPEN_TO_OTHERS) !== 0);
  const modes =
    open.length === 0
      ? finding('files', 'secrets in DATA_DIR are readable by their owner only')
      : finding('files', `other users can read ${open.join(', ')}`, `Run: chmod 600 ${open.join(' ')}`, 'failed');
  const [bootstrap] = files.filter((file) => file.endsWith('bootstrap.json'));
  if (!bootstrap) return [modes];
  const advice = 'Create a key per use, revoke this one, and delete the file.';
  return [modes, finding('files', `${bootstrap} holds the first API key in clear text`, advice)];
}

function databaseFinding({ DATABASE_URL }: AllConfig): Finding {
  if (DATABASE_URL === '') {
    const advice = 'For production set DATABASE_URL to a PostgreSQL with backups and a standby.';
    return finding('database', 'the embedded server of DATA_DIR', advice);
  }
  const { hostname, searchParams } = new URL(DATABASE_URL);
  const isLocal = ['', 'localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const mode = searchParams.get('sslmode') ?? 'none';
  if (isLocal || ['require', 'verify-ca', 'verify-full'].includes(mode))
    return finding('database', `on ${hostname || 'a socket'}`);
  return finding(
    'database',
    `on ${hostname} without TLS (sslmode ${mode})`,
    'Add ?sslmode=verify-full to DATABASE_URL.',
  );
}

function egressFinding({ EGRESS_ALLOW }: AllConfig): Finding {
  const entries = EGRESS_ALLOW.split(',').map((entry) => entry.trim());
  const wide = entries.filter((entry) => entry.includes('/') && Number(entry.split('/')[1]) < WIDE_PREFIX);
  if (wide.length === 0)
    return finding('egress', EGRESS_ALLOW === '' ? 'public addresses only' : `and ${EGRESS_ALLOW}`);
  return finding(
    'egress',
    `EGRESS_ALLOW opens ${wide.join(', ')} to every organization`,
    'List only the hosts that are needed.',
  );
}

function engineFinding({ DOCKER_HOST, DOCKER_CERT_PATH, SANDBOX_KUBERNETES_NAMESPACE }: AllConfig): Finding {
  if (SANDBOX_KUBERNETES_NAMESPACE !== '') {
    return finding('engine', `the namespace ${SANDBOX_KUBERNETES_NAMESPACE} of a Kubernetes cluster`);
  }
  if (DOCKER_HOST.startsWith('tcp:') && DOCKER_CERT_PATH === '') {
    const advice =
      'Set DOCKER_CERT_PATH, or use a socket: the engine gives root on its machine to everyone who reaches it.';
    return finding('engine', `${DOCKER_HOST} has no TLS`, advice, 'failed');
  }
  const socket = DOCKER_HOST.replace(/^unix:\/\//, '') || '/var/run/docker.sock';
  if (DOCKER_HOST.startsWith('tcp:')) return finding('engine', `${DOCKER_HOST} by TLS`);
  if (!existsSync(socket)) return finding('engine', `no ${socket}: advanced code is off`);
  if ((statSync(socket).mode & 0o006) === 0) return finding('engine', `${socket}, for its group only`);
  return finding('engine', `every user of this machine can use ${socket}`, `Run: chmod o-rw ${socket}`, 'failed');
}

function diskFindings({ DATA_DIR }: AllConfig): Finding[] {
  if (!existsSync(DATA_DIR)) return [];
  const { bavail, blocks, bsize } = statfsSync(DATA_DIR);
  const share = bavail / blocks;
  const found = `${Math.floor((bavail * bsize) / GIBIBYTE)} GiB (${Math.floor(share * 100)} %) free for ${DATA_DIR}`;
  if (share >= LOW_DISK) return [finding('disk', found)];
  return [
    finding('disk', found, 'Free disk space: without it PostgreSQL stops.', share < FULL_DISK ? 'failed' : 'warning'),
  ];
}

function userFinding(): Finding {
  if (process.getuid?.() !== 0) return finding('user', 'not root');
  return finding('user', 'root', 'Run the product as a separate user without root privileges.');
}
