import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnv, freePort, KAFKA_SCRIPT, MOTO, type Running, startChild } from './child.js';

/**
 * Starts Kafka for one product, or for several products with different KAFKA_PREFIXes, without which they would consume each other's events. Its data
 * is stored in the folder: a broker that is restarted in the same folder on the same port still has its events.
 */
export async function startKafka(folder: string, port = 0): Promise<Running & { brokers: string }> {
  const data = join(folder, 'kafka');
  mkdirSync(data, { recursive: true });
  const command = [process.execPath, KAFKA_SCRIPT, '--port', `${port}`, '--data', data];
  const child = await startChild(
    { name: 'kafka', command, env: baseEnv(), readyWhen: /kafka ready on (127\.0\.0\.1:\d+)/ },
    folder,
  );
  return { ...child, brokers: child.ready[1] ?? '' };
}

export interface RedisServer {
  /** The value of REDIS_URL. */
  url: string;
  pid(): number;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, without data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts Redis on a loopback port without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const start = (): Promise<Running> =>
    startChild(
      {
        name: 'redis',
        command: ['redis-server', ...options],
        env: baseEnv(),
        readyWhen: /Ready to accept connections/,
      },
      folder,
    );
  let running = await start();
  const kill = async (): Promise<void> => void (await running.end('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => running.pid,
    kill,
    restart: async () => void (running = await start()),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const REGION = 'eu-central-1';
const MAY_DECRYPT = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' }] };

/** An AWS KMS for tests, implemented by moto (PyPI), which checks signatures and permissions as AWS does. */
export interface Kms {
  /** Environment variables with the credentials of a user that may only decrypt. */
  env: Record<string, string>;
  /** Returns a new key of `bytes` bytes, encrypted for this context. */
  newKey(context: Record<string, string>, bytes?: number): Promise<string>;
  stop(): Promise<void>;
}

/** Returns the command that starts moto, or undefined if it is not installed. */
function findMoto(): string | undefined {
  return MOTO.find((command) => spawnSync(command, ['--help'], { stdio: 'ignore' }).status === 0);
}

export function hasKms(): boolean {
  return findMoto() !== undefined;
}

export async function startKms(): Promise<Kms> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-kms-'));
  const port = await freePort();
  const command = [findMoto() ?? 'moto_server', '-H', '127.0.0.1', '-p', String(port)];
  const running = await startChild({ name: 'kms', command, env: baseEnv(), readyWhen: /Running on http/ }, folder);
  const url = `http://127.0.0.1:${port}`;
  const { user, keyId } = await furnish(url);
  return {
    env: { AWS_REGION: REGION, AWS_ENDPOINT_URL_KMS: url, ...user },
    async newKey(context, bytes = 32) {
      await checkCallers(url, false);
      const wanted = { KeyId: keyId, NumberOfBytes: bytes, EncryptionContext: context };
      const { CiphertextBlob } = JSON.parse(
        await ask(url, 'kms', { action: 'GenerateDataKeyWithoutPlaintext', json: wanted }),
      );
      await checkCallers(url, true);
      return CiphertextBlob;
    },
    async stop() {
      await running.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function furnish(url: string) {
  const keyId = JSON.parse(await ask(url, 'kms', { action: 'CreateKey', json: {} })).KeyMetadata.KeyId as string;
  const named = { UserName: 'drawbridge' };
  await ask(url, 'iam', { action: 'CreateUser', form: named });
  const answer = await ask(url, 'iam', { action: 'CreateAccessKey', form: named });
  const policy = { PolicyName: 'decrypt', PolicyDocument: JSON.stringify(MAY_DECRYPT) };
  await ask(url, 'iam', { action: 'PutUserPolicy', form: { ...named, ...policy } });
  await checkCallers(url, true);
  const field = (name: string): string => new RegExp(`<${name}>(.*)</${name}>`).exec(answer)?.[1] ?? '';
  return { keyId, user: { AWS_ACCESS_KEY_ID: field('AccessKeyId'), AWS_SECRET_ACCESS_KEY: field('SecretAccessKey') } };
}

interface Question {
  action: string;
  json?: object;
  form?: Record<string, string>;
}

/** Sends a request with an invalid signature to moto. The authorization header determines the AWS service. */
async function ask(url: string, service: 'kms' | 'iam', { action, json, form }: Question): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=x`;
  const body = json ? JSON.stringify(json) : new URLSearchParams({ ...form, Action: action, Version: '2010-05-08' });
  const headers = {
    authorization,
    ...(json && { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`moto: ${action} answered ${response.status}: ${text}`);
  return text;
}

/** Enables or disables authorization, from the next request on. */
async function checkCallers(url: string, isOn: boolean): Promise<void> {
  const after = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: isOn ? '0' : 'inf' };
  const { ok } = await fetch(`${url}/moto-api/reset-auth`, after);
  if (!ok) throw new Error('moto does not check credentials');
}
