import { EgressError, type OutgoingRequest, type OutgoingResponse, type Send } from '@drawbridge/egress';
import { baseUrl, type Config, text, type Variables } from '@drawbridge/rpc';
import { AwsV4Signer } from 'aws4fetch';

/** The standard environment variables of the AWS SDKs: https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html. */
export const KMS_VARIABLES = {
  AWS_REGION: {
    ...text({ default: '', desc: 'Region of the AWS KMS that decrypts entries `id:kms:blob` of MASTER_KEYS.' }),
    check: matching(/^[a-z]{2,}(-[a-z]+)+-\d{1,2}$/, 'must be a region such as eu-central-1'),
  },
  AWS_ACCESS_KEY_ID: {
    ...text({ default: '', desc: 'Access key for AWS KMS, with the permission `kms:Decrypt`.' }),
    check: matching(/^\w{16,128}$/, 'must be 16 to 128 letters and digits'),
  },
  AWS_SECRET_ACCESS_KEY: {
    ...text({ default: '', desc: 'Secret of AWS_ACCESS_KEY_ID.' }),
    isSecret: true,
    check: matching(/^[\w+/=]{16,128}$/, 'must be 16 to 128 characters of base64'),
  },
  AWS_SESSION_TOKEN: {
    ...text({ default: '', desc: 'Session token, if AWS_ACCESS_KEY_ID is temporary.' }),
    isSecret: true,
    check: matching(/^[\w+/=-]{16,8192}$/, 'must be at least 16 characters of base64'),
  },
  AWS_ENDPOINT_URL_KMS: baseUrl({ default: '', desc: 'URL of AWS KMS. Default: the KMS of AWS_REGION.' }),
} satisfies Variables;

function matching(form: RegExp, problem: string): (value: string) => void {
  return (value) => {
    if (!form.test(value)) throw new Error(problem);
  };
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 16 * 1024;
const EXCEPTION = /^(?:[a-z.]{1,60}#)?([A-Z][A-Za-z]{1,60}Exception)$/;

const NEEDED = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

type KmsConfig = Config<typeof KMS_VARIABLES>;

/** Decrypts a master key and returns its 32 bytes in base64. Throws an Error with the reason, which never contains the encrypted key. */
export type Unseal = (blob: string, id: string) => Promise<string>;

/**
 * Decrypts master keys with AWS KMS. The encryption context contains the id of the entry, so that a blob of another id cannot be decrypted and the
 * log of KMS contains the id of each requested key.
 */
export function kms(config: KmsConfig, send: Send, timeoutMs = TIMEOUT_MS): Unseal {
  return async (blob, id) => {
    const request = await toRequest(config, blob, id);
    const response = await send({ ...request, timeoutMs, maxBytes: MAX_BYTES }).catch((error: unknown) => {
      const why = error instanceof EgressError ? `${error.message} (${error.code})` : 'an unknown reason';
      throw new Error(`KMS is unreachable: ${why}`, { cause: error });
    });
    return toKey(response);
  };
}

/**
 * Builds the signed request that decrypts a key: https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html. Throws an Error that names the
 * missing variables.
 */
async function toRequest(config: KmsConfig, blob: string, id: string): Promise<OutgoingRequest> {
  const missing = NEEDED.filter((name) => config[name] === '');
  if (missing.length > 0) throw new Error(`the key is encrypted by KMS, which needs ${missing.join(', ')}`);

  const { AWS_REGION: region, AWS_ENDPOINT_URL_KMS: endpoint } = config;
  const body = JSON.stringify({ CiphertextBlob: blob, EncryptionContext: { drawbridge: 'master-key', id } });
  const { method, url, headers } = await new AwsV4Signer({
    method: 'POST',
    url: endpoint || `https://kms.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Decrypt' },
    body,
    ...{ service: 'kms', region, accessKeyId: config.AWS_ACCESS_KEY_ID, secretAccessKey: config.AWS_SECRET_ACCESS_KEY },
    ...(config.AWS_SESSION_TOKEN && { sessionToken: config.AWS_SESSION_TOKEN }),
  }).sign();
  return { method, url: url.href, headers: Object.fromEntries(headers), body };
}

/** Returns the decrypted key of a response. Throws an Error that contains only the error code, because the message of KMS may quote the request. */
function toKey({ status, body }: OutgoingResponse): string {
  const answer = parse(body);
  if (status === 200 && typeof answer['Plaintext'] === 'string') return answer['Plaintext'];
  const [, code] = EXCEPTION.exec(String(answer['__type'])) ?? [];
  throw new Error(`KMS responded with status ${status}${code ? ` ${code}` : ''}`);
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
