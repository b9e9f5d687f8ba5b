import { ApiError, newId } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { newWebhookSecret, signWebhook } from '@drawbridge/jobs';
import {
  type NewWebhookSecret,
  type SignWebhookRequest,
  type WebhookSecretServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Transaction } from '../database.js';
import { type SealedCredential } from '../envelope-encryption.js';
import { type Parts } from '../parts.js';

/** Maximum number of valid secrets of one organization, because each secret adds a signature to every delivery. */
const MAX_SECRETS = 10;

export const webhookSecrets = (parts: Parts): Implementation<WebhookSecretServiceDefinition> => ({
  rotateWebhookSecret: () => rotate(parts),

  async signWebhook(request) {
    return { headers: await sign(parts, request) };
  },
});

async function rotate({ db, outbox, envelope }: Parts): Promise<NewWebhookSecret> {
  const { orgId } = caller();
  const [id, secret] = [newId(), newWebhookSecret()];
  const sealed = envelope.seal(secret, { orgId, kind: 'webhook secret', id });
  return db.$transaction(async (tx) => {
    await lock(tx, `webhook secrets ${orgId}`);
    await requireRoom(tx, orgId);
    const [last] = await tx.$queryRaw<{ validUntil: Date }[]>`
      UPDATE connections.webhook_secrets SET valid_until = now() + interval '24 hours'
      WHERE org_id = ${orgId}::uuid AND valid_until IS NULL RETURNING valid_until AS "validUntil"`;
    const { createdAt } = await tx.webhookSecret.create({ data: { id, orgId, ...sealed } });
    await outbox.record(tx, { id });
    return {
      secret,
      createdAt: createdAt.toISOString(),
      previousValidUntil: last?.validUntil.toISOString(),
    };
  });
}

/** Throws RATE_LIMITED if the organization has the maximum number of valid secrets. */
async function requireRoom(tx: Transaction, orgId: string): Promise<void> {
  const [inForce] = await tx.$queryRaw<{ count: number; retryAfter: number | null }[]>`
    SELECT count(*)::int AS count, ceil(extract(epoch FROM min(valid_until) - now()))::int AS "retryAfter"
    FROM connections.webhook_secrets WHERE org_id = ${orgId}::uuid AND coalesce(valid_until > now(), true)`;
  if (!inForce || inForce.count < MAX_SECRETS) return;
  throw new ApiError('RATE_LIMITED', `An organization has at most ${MAX_SECRETS} active webhook secrets`, {
    details: { retryAfter: Math.max(1, inForce.retryAfter ?? 1) },
  });
}

type Row = SealedCredential & { id: string };

async function sign({ db, envelope }: Parts, { orgId, ...message }: SignWebhookRequest) {
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM connections.webhook_secrets
    WHERE org_id = ${orgId}::uuid AND coalesce(valid_until > now(), true) ORDER BY id DESC LIMIT ${MAX_SECRETS}`;
  const secrets = rows.map(({ id, sealed, wrappedKey, masterKeyId }) => {
    // Copies the bytes, because the driver returns views of a buffer that it may reuse.
    const bytes = { sealed: Buffer.from(sealed), wrappedKey: Buffer.from(wrappedKey), masterKeyId };
    return envelope.open(bytes, { orgId, kind: 'webhook secret', id });
  });
  return signWebhook({ ...message, timestamp: Math.floor(Date.now() / 1_000), secrets });
}
