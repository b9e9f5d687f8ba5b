import { hashToken } from '@drawbridge/contracts';
import type { DBAdapter } from 'better-auth';

interface Question {
  model: string;
  where?: { field: string; value: unknown }[];
}

/**
 * Stores only the SHA-256 of a session's token, because better-auth would store the cookie's value. Lookups use the plain token, and return it in the
 * result.
 */
export function hashedTokens(stored: DBAdapter): DBAdapter {
  return {
    ...stored,
    async create(given) {
      if (given.model !== 'session') return stored.create(given);
      const { token } = given.data as unknown as { token: string };
      const row = await stored.create({ ...given, data: { ...given.data, token: hashToken(token) } });
      return { ...(row as object), token } as never;
    },
    async findOne(asked) {
      const row = await stored.findOne(hashed(asked));
      return (row && tokenOf(asked) ? { ...row, token: tokenOf(asked) } : row) as never;
    },
    findMany: (asked) => stored.findMany(hashed(asked)),
    count: (asked) => stored.count(hashed(asked)),
    async update(asked) {
      const row = await stored.update<object>(hashed(asked));
      return (row && tokenOf(asked) ? { ...row, token: tokenOf(asked) } : row) as never;
    },
    updateMany: (asked) => stored.updateMany(hashed(asked)),
    delete: (asked) => stored.delete(hashed(asked)),
    deleteMany: (asked) => stored.deleteMany(hashed(asked)),
    consumeOne: (asked) => stored.consumeOne(hashed(asked)),
  };
}

function tokenOf({ model, where = [] }: Question): unknown {
  return model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined;
}

function hashed<Q extends Question>(asked: Q): Q {
  if (tokenOf(asked) === undefined) return asked;
  const where = asked.where?.map((one) => (one.field === 'token' ? { ...one, value: toHashes(one.value) } : one));
  return { ...asked, where };
}

function toHashes(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => hashToken(String(one))) : hashToken(String(value));
}
