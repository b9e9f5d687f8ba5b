import { type ClientOptions } from '@drawbridge/database';
import { PrismaClient } from './gen/prisma/client.js';

/** Encrypted columns, which Prisma omits by default. Modules that decrypt them read them with explicit SQL. */
const SEALED = { sealed: true, wrappedKey: true, masterKeyId: true } as const;
const omit = {
  connection: SEALED,
  oAuthApp: SEALED,
  revocation: SEALED,
  webhookSecret: SEALED,
  sourceSecret: SEALED,
  dataKey: { wrappedKey: true, masterKeyId: true },
} as const;

export const newClient = (options: ClientOptions) => new PrismaClient({ ...options, omit });

export type Db = ReturnType<typeof newClient>;
export type ConnectionRow = Awaited<ReturnType<Db['connection']['findFirstOrThrow']>>;
export type EndUserRow = Awaited<ReturnType<Db['endUser']['findFirstOrThrow']>>;
export type Transaction = Parameters<Parameters<Db['$transaction']>[0]>[0];
export type OAuthAppRow = Awaited<ReturnType<Db['oAuthApp']['findFirstOrThrow']>>;
