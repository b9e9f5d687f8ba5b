/** An idempotency key, unique within its organization, and the hash of the request that used it. */
export interface IdempotencyKey {
  orgId: string;
  key: string;
  requestHash: string;
}
