import { type Pool } from 'pg';

interface Statement {
  name?: string;
  values?: unknown[];
}

/** Wraps a pool and passes each statement to `hear` before it runs. If `hear` throws, the statement fails with that error. */
export function watchedPool(pool: Pool, hear: (statement: Statement) => void): Pool {
  const watched = <Of extends object>(of: Of): Of =>
    new Proxy(of, {
      get(own, name) {
        const value: unknown = Reflect.get(own, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]): Promise<unknown> => {
          if (name === 'query') hear(given[0] as Statement);
          const answer: unknown = await value.apply(own, given);
          return name === 'connect' ? watched(answer as object) : answer;
        };
      },
    });
  return watched(pool);
}
