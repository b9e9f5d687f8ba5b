import { type Pool } from 'pg';

interface Statement {
  name?: string;
  values?: unknown[];
}

/** The pool, of which each statement is heard before it is asked; what is thrown then is its failure. */
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
