/** An idempotency key within its organization, and the request that came with it. */
export interface IdempotencyKey {
  orgId: string;
  key: string;
  requestHash: string;
}
